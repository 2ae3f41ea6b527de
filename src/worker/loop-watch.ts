import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import type { WorkerAudit } from '../model/profile.ts'

/** Grain at which a standing loop is noticed, ms. */
const PULSE_MS = 20

/** Shortest time over which a utilisation is told, ms. */
const SHORTEST_MS = 100

/**
 * A load process's watch over its own event loop during one step: utilisation (rho) each second, and the longest
 * time for which the loop stood still. Costs one short timer.
 */
export class LoopWatch {
  readonly #now: () => number
  readonly #startAt: number
  readonly #startEvents: number
  readonly #first: EventLoopUtilization
  #last: EventLoopUtilization
  readonly #rho: number[] = []
  #stallMs = 0
  #expected: number
  #offered: Pick<WorkerAudit, 'rhoMean' | 'events' | 'elapsedMs'> | null = null
  readonly #pulse: NodeJS.Timeout

  constructor(startAt: number, events: number, now: () => number) {
    this.#now = now
    this.#startAt = startAt
    this.#startEvents = events
    this.#first = this.#last = performance.eventLoopUtilization()
    this.#expected = now() + PULSE_MS
    this.#pulse = setInterval(() => this.#beat(), PULSE_MS)
    this.#pulse.unref()
  }

  #beat(): void {
    const now = this.#now()
    this.#stallMs = Math.max(this.#stallMs, now - this.#expected)
    this.#expected = now + PULSE_MS
  }

  /** Utilisation since the last call, 0..1; kept as the next whole second's figure while load is offered. */
  second(): number {
    const rho = this.rest()
    if (this.#offered === null) this.#rho.push(rho)
    return rho
  }

  /** Utilisation since the last call, 0..1; of a part too short to tell, the figure before. */
  rest(): number {
    const current = performance.eventLoopUtilization()
    const since = performance.eventLoopUtilization(current, this.#last)
    if (since.idle + since.active < SHORTEST_MS) return this.#rho.at(-1) ?? 0
    this.#last = current
    return since.utilization
  }

  /** Load is no longer offered: utilisation ends here, the watch over stalls goes on. `events` counts sends and reads. */
  offered(events: number): void {
    this.#offered = {
      rhoMean: performance.eventLoopUtilization(performance.eventLoopUtilization(), this.#first).utilization,
      events: events - this.#startEvents,
      elapsedMs: Math.max(0, this.#now() - this.#startAt),
    }
  }

  /** Ends the watch. */
  finish(worker: number): WorkerAudit {
    clearInterval(this.#pulse)
    this.#beat()
    if (this.#offered === null) throw new Error('the watch was ended before the load')
    return { worker, pid: process.pid, rho: this.#rho, stallMs: this.#stallMs, ...this.#offered }
  }
}
