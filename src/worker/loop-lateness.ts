import { performance } from 'node:perf_hooks'
import type { Lateness } from '../client/lateness.ts'
import type { LatencyHistogram } from '../metrics/histogram.ts'
import { LatenessTally } from './lateness-tally.ts'
import { RecentMax } from './recent-max.ts'

/** Time between two beats of the loop's pulse, ms. */
const PULSE_MS = 20
/** Lateness of a beat up to which it says nothing, ms: timers have a grain of 1 ms, and loops a few of business. */
const GRAIN_MS = 5

const timing = performance.nodeTiming

/**
 * How long bytes may have lain unread in this load process, as it observes it in three ways:
 *
 * - its place in a turn of the event loop: the loop learns of many sockets at once and reads them one by one, and the
 *   stamp of the last stands that much behind its bytes;
 * - canaries: bytes that another thread writes at random instants over loopback, which wait as replies do;
 * - a pulse: when the whole process stood still (stopped, throttled, out of memory), so did the canaries, and only a
 *   timer that is overdue tells.
 *
 * The bound for a read is its own place and the longest wait that the others have seen in the last second. It is an
 * observed bound, no proof: a wait that ended before any canary was written, in a quiet second, is not in it.
 *
 * Costs 60 ns a read for the number of the loop's turn.
 */
export class LoopLateness implements Lateness {
  readonly #now: () => number
  readonly #recent = new RecentMax()
  readonly #pulse: NodeJS.Timeout
  #tally = new LatenessTally()
  #turn = -1
  #turnStart = 0
  /** When the loop was last seen at work, and when the next beat is due, ms. */
  #seen: number
  #beatDue: number

  constructor(now: () => number) {
    this.#now = now
    this.#seen = now()
    this.#beatDue = this.#seen + PULSE_MS
    this.#pulse = setInterval(() => this.#beat(), PULSE_MS).unref()
  }

  get recent(): number {
    return this.#recent.value
  }

  read(at: number): number {
    this.work(at)
    const position = at - this.#turnStart
    this.#tally.read(position)
    return position + this.#recent.value
  }

  /** The loop does something at `at`, ms, for which reads of the same turn may have to wait. */
  work(at: number): void {
    const turn = timing.uvMetricsInfo.loopCount
    if (turn === this.#turn) return
    this.#turn = turn
    this.#turnStart = at
    // After a standstill, reads come before the beat that would tell of it.
    if (at > this.#beatDue + GRAIN_MS) this.#stoodStill(at, at - this.#seen)
    this.#seen = at
  }

  /** A canary that was written at `written`, ms, was read at `at`. */
  canary(written: number, at: number): void {
    this.work(at)
    const wait = Math.max(0, at - written)
    this.#tally.canaryRead(wait)
    this.#recent.note(at, wait)
  }

  /** Begins a tally of its own for a step; `canary` takes the canaries' waits. */
  begin(canary?: LatencyHistogram): LatenessTally {
    return (this.#tally = new LatenessTally(canary))
  }

  /** Forgets what was before: a standstill before the first request delays no reply. */
  forget(): void {
    this.#seen = this.#now()
    this.#beatDue = this.#seen + PULSE_MS
    this.#pulse.refresh()
    this.#recent.clear()
  }

  stop(): void {
    clearInterval(this.#pulse)
  }

  #beat(): void {
    const now = this.#now()
    const late = now - this.#beatDue
    if (late > this.#tally.stallMs) this.#tally.stallMs = late
    // It may have begun right after the loop was last seen, before this beat was due.
    if (late > GRAIN_MS) this.#stoodStill(now, now - this.#seen)
    else this.#recent.advance(now)
    this.#seen = now
    this.#beatDue = now + PULSE_MS
  }

  #stoodStill(at: number, ms: number): void {
    this.#recent.note(at, ms)
    if (ms > this.#tally.stallMs) this.#tally.stallMs = ms
  }
}
