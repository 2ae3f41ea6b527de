import { type EventLoopUtilization, performance } from 'node:perf_hooks'
import { type HistogramData, LatencyHistogram } from '../metrics/histogram.ts'
import type { AuditSecond, WorkerAudit } from '../model/audit.ts'
import type { GcPauses, GcWatch } from './gc-watch.ts'
import type { LatenessTally } from './lateness-tally.ts'
import type { LoopLateness } from './loop-lateness.ts'
import type { WorkerAuditData } from './messages.ts'

/** Shortest time over which a utilisation is told, ms. */
const SHORTEST_MS = 100

/** What a load process watches itself with. */
export interface Instruments {
  /** Host clock, ms. */
  readonly now: () => number
  readonly lateness: LoopLateness
  readonly gc: GcWatch
}

/** The step that is watched. */
interface WatchedStep {
  /** Start, host clock, ms. */
  readonly startAt: number
  /** Takes the canaries' waits. */
  readonly recording: { readonly canary: LatencyHistogram }
}

/**
 * A load process's watch over itself during one step: each second and over the whole, how busy its loop was, what CPU
 * it used, what the garbage collector took, how long reads and canaries waited.
 */
export class LoopWatch {
  readonly #now: () => number
  readonly #gc: GcWatch
  readonly #tally: LatenessTally
  readonly #startEvents: number
  readonly #seconds: AuditSecond[] = []
  readonly #starter: NodeJS.Timeout | undefined
  #first: EventLoopUtilization
  #last: EventLoopUtilization
  #startAt: number
  #startCpuMs: number
  #lastRho = 0
  #lastCpuMs: number
  #lastAt: number
  #pauses: GcPauses = { pauses: 0, totalMs: 0, longestMs: 0 }
  #offered: Pick<WorkerAudit, 'rhoMean' | 'events' | 'elapsedMs' | 'cpuMs'> | null = null

  /** @param events arrivals and reads so far */
  constructor({ startAt, recording }: WatchedStep, events: number, { now, lateness, gc }: Instruments) {
    this.#now = now
    this.#gc = gc
    this.#tally = lateness.begin(recording.canary)
    this.#startEvents = events
    this.#startCpuMs = this.#lastCpuMs = cpuMs()
    this.#startAt = this.#lastAt = now()
    this.#first = this.#last = performance.eventLoopUtilization()
    gc.take()
    // The time until the step starts would make its first second look idle.
    const ahead = startAt - this.#startAt
    if (ahead > 0) this.#starter = setTimeout(() => this.#start(), ahead)
  }

  #start(): void {
    this.#startCpuMs = this.#lastCpuMs = cpuMs()
    this.#startAt = this.#lastAt = this.#now()
    this.#first = this.#last = performance.eventLoopUtilization()
  }

  /** Utilisation since the last call, 0..1; with the rest kept as the next whole second's while load is offered. */
  second(sendLag: HistogramData): number {
    const now = this.#now()
    const cpu = cpuMs()
    const rho = this.rest()
    const gc = this.#takeGc()
    const lateness = this.#tally.takeSecond()
    if (this.#offered === null) {
      const usedMs = cpu - this.#lastCpuMs
      const passedMs = now - this.#lastAt
      this.#seconds.push({
        rho,
        cpu: passedMs > 0 ? usedMs / passedMs : 0,
        gcMs: gc.totalMs,
        ...lagOf(sendLag),
        ...lateness,
      })
    }
    this.#lastCpuMs = cpu
    this.#lastAt = now
    return rho
  }

  /** Utilisation since the last call, 0..1; of a part too short to tell, the figure before. */
  rest(): number {
    const current = performance.eventLoopUtilization()
    const since = performance.eventLoopUtilization(current, this.#last)
    if (since.idle + since.active < SHORTEST_MS) return this.#lastRho
    this.#last = current
    return (this.#lastRho = since.utilization)
  }

  /** Load is no longer offered: utilisation and CPU end here, the watch over waits goes on. */
  offered(events: number): void {
    this.#offered = {
      rhoMean: performance.eventLoopUtilization(performance.eventLoopUtilization(), this.#first).utilization,
      events: events - this.#startEvents,
      elapsedMs: Math.max(0, this.#now() - this.#startAt),
      cpuMs: cpuMs() - this.#startCpuMs,
    }
  }

  /** Ends the watch. */
  finish(worker: number, mostInFlight: number): WorkerAuditData {
    if (this.#offered === null) throw new Error('the watch was ended before the load')
    clearTimeout(this.#starter)
    this.#takeGc()
    return {
      worker,
      pid: process.pid,
      seconds: this.#seconds,
      stallMs: this.#tally.stallMs,
      ...this.#offered,
      gc: this.#pauses,
      mostInFlight,
      position: this.#tally.position.toData(),
    }
  }

  #takeGc(): GcPauses {
    const taken = this.#gc.take()
    const { pauses, totalMs, longestMs } = this.#pauses
    this.#pauses = {
      pauses: pauses + taken.pauses,
      totalMs: totalMs + taken.totalMs,
      longestMs: Math.max(longestMs, taken.longestMs),
    }
    return taken
  }
}

/** CPU time of this process, all its threads, ms. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

function lagOf(data: HistogramData): Pick<AuditSecond, 'sendLagP50' | 'sendLagP99' | 'sendLagMax'> {
  const lag = LatencyHistogram.fromData(data)
  const rank = (percent: number) => lag.valueAtRank(Math.ceil((lag.count * percent) / 100))
  return { sendLagP50: rank(50), sendLagP99: rank(99), sendLagMax: lag.max }
}
