import type { Bins } from '../model/profile.ts'

/** What `Bins` counts, each in its own array. */
const BIN_COUNTS = ['arrivals', 'ends', 'completions', 'outputTokens', 'inputTokens'] as const

/** Counts in equal time bins from an instant on; the bins grow as later instants come. All arrays keep one length. */
export class TimeBins implements Bins {
  readonly widthMs: number
  readonly arrivals: number[]
  readonly ends: number[]
  readonly completions: number[]
  readonly outputTokens: number[]
  readonly inputTokens: number[]

  /** @param length bins to begin with: as many as cover the step. */
  constructor(widthMs: number, length: number) {
    this.widthMs = widthMs
    this.arrivals = zeros(length)
    this.ends = zeros(length)
    this.completions = zeros(length)
    this.outputTokens = zeros(length)
    this.inputTokens = zeros(length)
  }

  /**
   * Index of the bin of an offset (ms), made if there is none yet. What comes a rounding error before the start
   * belongs to the first bin.
   *
   * @throws RangeError for an offset that is no finite number.
   */
  at(offsetMs: number): number {
    if (!Number.isFinite(offsetMs)) throw new RangeError(`A time bin needs a finite offset in ms, not ${offsetMs}`)
    const index = Math.max(0, Math.floor(offsetMs / this.widthMs))
    this.#grow(index + 1)
    return index
  }

  /** Adds another's counts; the shorter is padded with zeros. */
  add(other: Bins): void {
    if (other.widthMs !== this.widthMs) {
      throw new RangeError(`Cannot add time bins of ${other.widthMs} ms to bins of ${this.widthMs} ms`)
    }
    this.#grow(other.arrivals.length)
    for (const name of BIN_COUNTS) {
      const counts = this[name]
      other[name].forEach((count, i) => (counts[i]! += count))
    }
  }

  toData(): Bins {
    return {
      widthMs: this.widthMs,
      arrivals: [...this.arrivals],
      ends: [...this.ends],
      completions: [...this.completions],
      outputTokens: [...this.outputTokens],
      inputTokens: [...this.inputTokens],
    }
  }

  #grow(length: number): void {
    if (length <= this.arrivals.length) return
    for (const name of BIN_COUNTS) {
      const counts = this[name]
      while (counts.length < length) counts.push(0)
    }
  }
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
