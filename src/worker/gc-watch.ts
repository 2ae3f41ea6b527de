import { PerformanceObserver, type PerformanceEntry } from 'node:perf_hooks'

/** Pauses of the garbage collector. */
export interface GcPauses {
  readonly pauses: number
  readonly totalMs: number
  readonly longestMs: number
}

/** Counts this process's garbage collections. */
export class GcWatch {
  #pauses = 0
  #totalMs = 0
  #longestMs = 0
  readonly #observer = new PerformanceObserver((list) => this.#count(list.getEntries()))

  constructor() {
    this.#observer.observe({ entryTypes: ['gc'] })
  }

  /** What came since the last call. */
  take(): GcPauses {
    this.#count(this.#observer.takeRecords())
    const taken = { pauses: this.#pauses, totalMs: this.#totalMs, longestMs: this.#longestMs }
    this.#pauses = this.#totalMs = this.#longestMs = 0
    return taken
  }

  stop(): void {
    this.#observer.disconnect()
  }

  #count(entries: readonly PerformanceEntry[]): void {
    for (const { duration } of entries) {
      this.#pauses++
      this.#totalMs += duration
      this.#longestMs = Math.max(this.#longestMs, duration)
    }
  }
}
