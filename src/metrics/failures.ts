import type { FailureExample } from '../model/profile.ts'
import type { Failure, FailureKind } from '../model/request.ts'

/** All failures of one kind and HTTP status: how many, and the earliest one's message. Plain data. */
export interface FailureCount extends FailureExample {
  /** Instant of the earliest, ms on the host's clock. */
  readonly firstMs: number
}

/** Counts of failures by kind and HTTP status, with one example each; unsent requests are among them. */
export class FailureCounts {
  readonly #counts = new Map<string, FailureCount>()

  record(failure: Failure, atMs: number): void {
    const { kind, status = null, message } = failure
    this.merge({ kind, status, count: 1, message, firstMs: atMs })
  }

  /** Adds a count. The earliest message stays (of two at one instant, the lesser), so that any order of adding gives the same. */
  merge(other: FailureCount): void {
    const key = keyOf(other)
    const mine = this.#counts.get(key)
    if (mine === undefined) {
      this.#counts.set(key, other)
      return
    }
    const earlier =
      other.firstMs < mine.firstMs || (other.firstMs === mine.firstMs && other.message < mine.message) ? other : mine
    this.#counts.set(key, { ...earlier, count: mine.count + other.count })
  }

  /** Most frequent first. */
  toData(): FailureCount[] {
    return [...this.#counts.values()].sort((a, b) => b.count - a.count || (keyOf(a) < keyOf(b) ? -1 : 1))
  }

  byKind(): Partial<Record<FailureKind, number>> {
    const byKind: Partial<Record<FailureKind, number>> = {}
    for (const { kind, count } of this.#counts.values()) byKind[kind] = (byKind[kind] ?? 0) + count
    return byKind
  }
}

function keyOf({ kind, status }: FailureCount): string {
  return `${kind} ${status}`
}
