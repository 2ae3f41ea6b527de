import type { FailureKind } from '../model/request.ts'
import type { Timeouts } from '../model/plan.ts'
import { type Lateness, NEVER_LATE } from './lateness.ts'

/** What a watched connection is waiting for. */
export type Phase = 'connect' | 'first-byte' | 'idle'

export type TimeoutKind = FailureKind & `timeout-${string}`

/** Something that may not take for ever. Instants in ms. */
export interface Timed {
  readonly phase: Phase
  /** When the phase began; in phase `idle`, when the last byte came. */
  readonly since: number
  /** When the whole began; infinite where only the phase is bounded. */
  readonly begun: number
  /** Place in the watch's list; -1 while it is not watched. Kept by the watch. */
  slot: number
  /** Called once the bound is passed, and again as long as it stays on the watch. */
  expire(kind: TimeoutKind, limitMs: number): void
}

/**
 * Bounds everything in flight with one timer: a sweep over the list at a tenth of the shortest bound (5 to 100 ms)
 * finds what is overdue, so a request costs no timer of its own, and a bound is exceeded by at most two such periods.
 * What this process was late itself is not charged to the server: a bound is longer by its lateness of the last second.
 */
export class Watch<Item extends Timed> {
  readonly #timeouts: Timeouts
  readonly #now: () => number
  readonly #lateness: Lateness
  readonly #items: Item[] = []
  readonly #period: number
  readonly #timer: NodeJS.Timeout
  #swept: number
  #late = false

  constructor(timeouts: Timeouts, now: () => number, lateness: Lateness = NEVER_LATE) {
    this.#timeouts = timeouts
    this.#lateness = lateness
    this.#now = now
    this.#period = sweepPeriodMs(timeouts)
    this.#swept = now()
    this.#timer = setInterval(() => this.sweep(), this.#period).unref()
  }

  add(item: Item): void {
    item.slot = this.#items.length
    this.#items.push(item)
  }

  /** Takes an item off; its place goes to the last one. */
  remove(item: Item): void {
    const last = this.#items.pop()
    if (last !== undefined && last !== item) {
      this.#items[item.slot] = last
      last.slot = item.slot
    }
    item.slot = -1
  }

  /** All that is watched now; safe to change the watch while going through it. */
  items(): readonly Item[] {
    return [...this.#items]
  }

  /** Expires what is overdue. */
  sweep(): void {
    const now = this.#now()
    // After a standstill of this process the awaited bytes may lie in the socket, unread: they are given one turn of
    // the event loop before anybody is judged. Never twice running, or a busy process would know no bounds at all.
    this.#late = !this.#late && now - this.#swept > 2 * this.#period
    this.#swept = now
    if (this.#late) return
    const fair = now - this.#lateness.recent
    // From the end: an item that expires is replaced by one that has been looked at already.
    for (let slot = this.#items.length - 1; slot >= 0; slot--) {
      const item = this.#items[slot]
      if (item !== undefined) this.#judge(item, fair)
    }
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #judge(item: Item, now: number): void {
    const { connectMs, firstByteMs, idleMs, totalMs } = this.#timeouts
    const limit = item.phase === 'connect' ? connectMs : item.phase === 'first-byte' ? firstByteMs : idleMs
    if (now - item.begun > totalMs) item.expire('timeout-total', totalMs)
    else if (now - item.since > limit) item.expire(`timeout-${item.phase}`, limit)
  }
}

/** A tenth of the shortest bound, between 5 and 100 ms. */
export function sweepPeriodMs(timeouts: Timeouts): number {
  const shortest = Math.min(timeouts.connectMs, timeouts.firstByteMs, timeouts.idleMs, timeouts.totalMs)
  return Math.min(100, Math.max(5, shortest / 10))
}
