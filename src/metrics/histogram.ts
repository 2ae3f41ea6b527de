import { encodeIntoCompressedBase64, Int32Histogram } from 'hdr-histogram-js'
import type { Distribution } from '../model/profile.ts'

/** Longest latency that is told apart: one hour, in microseconds. */
export const HIGHEST_US = 3_600_000_000

/** A histogram as plain JSON-safe data, for process borders. Microseconds; min and max are null without samples. */
export interface HistogramData {
  readonly digits: 2 | 3
  readonly count: number
  readonly clamped: number
  readonly minUs: number | null
  readonly maxUs: number | null
  readonly sumUs: number
  /** Pairs of bucket index and count, for the buckets that have samples, ascending. */
  readonly buckets: readonly number[]
}

/**
 * Latency samples of any number in fixed memory: an HDR histogram (log-linear buckets) of whole microseconds up to
 * one hour, with count, minimum, maximum and sum kept exactly beside it.
 *
 * A sample is known again within 0.1 % (3 digits; 1 % with 2), and to half a microsecond below 2 ms: values that
 * share a bucket are told as the bucket's highest, as HdrHistogram does everywhere, though never above the maximum.
 * Merging adds counts of buckets, so it is exact, and the same in any order. Memory is taken at the first sample:
 * 94 kB (13 kB with 2 digits).
 *
 * A bucket counts up to 2^32 - 1 samples.
 *
 * @see https://hdrhistogram.github.io/HdrHistogram/
 */
export class LatencyHistogram implements Distribution {
  readonly digits: 2 | 3
  #count = 0
  #clamped = 0
  #minUs = Number.POSITIVE_INFINITY
  #maxUs = Number.NEGATIVE_INFINITY
  #sumUs = 0
  #hdr: Int32Histogram | undefined

  /** @param digits 3 for results; 2 for short-lived series, where 1 % is enough and memory counts. */
  constructor(digits: 2 | 3 = 3) {
    this.digits = digits
  }

  /**
   * Counts `count` samples of `ms`, at least 1. Below 0 and above one hour the nearest bound is counted, and the
   * sample as clamped.
   *
   * @throws RangeError for NaN and the infinities: HdrHistogram would take them for 0 and for anything.
   */
  record(ms: number, count = 1): void {
    if (!Number.isFinite(ms)) throw new RangeError(`A latency sample must be a finite number of ms, not ${ms}`)
    const us = Math.min(Math.max(0, Math.round(ms * 1000)), HIGHEST_US)
    if (ms < 0 || ms * 1000 > HIGHEST_US) this.#clamped += count
    const hdr = this.#buckets()
    // HdrHistogram's own index in integer arithmetic: its logarithm and powers are most of the cost of a sample.
    const magnitude = hdr.subBucketHalfCountMagnitude
    const bucket = Math.max(0, 31 - Math.clz32(us) - magnitude)
    hdr.addToCountAtIndex((bucket << magnitude) + (us >>> bucket), count)
    this.#count += count
    this.#sumUs += us * count
    if (us < this.#minUs) this.#minUs = us
    if (us > this.#maxUs) this.#maxUs = us
  }

  get count(): number {
    return this.#count
  }

  /** Samples that lay outside 0 .. one hour. */
  get clamped(): number {
    return this.#clamped
  }

  /** ms, exact to the microsecond. */
  get min(): number | null {
    return this.#count === 0 ? null : this.#minUs / 1000
  }

  /** ms, exact to the microsecond. */
  get max(): number | null {
    return this.#count === 0 ? null : this.#maxUs / 1000
  }

  /** ms: the sum of the samples, each rounded to a microsecond, over their number. */
  get mean(): number | null {
    return this.#count === 0 ? null : this.#sumUs / this.#count / 1000
  }

  /** Sample of rank 1..count in ascending order, ms: rank 1 is `min`, rank `count` is `max`; null for other ranks. */
  valueAtRank(rank: number): number | null {
    if (!Number.isInteger(rank) || rank < 1 || rank > this.#count) return null
    if (rank === 1) return this.min
    let below = 0
    for (const [index, count] of this.#recorded()) {
      below += count
      if (below >= rank) return this.#msAt(index)
    }
    return this.max
  }

  /** Number of ranks whose `valueAtRank` is above the limit (ms), so that the two can never contradict each other. */
  countAbove(limitMs: number): number {
    if (this.#count === 0 || limitMs < this.min!) return this.#count
    let above = 0
    for (const [index, count] of this.#recorded()) if (this.#msAt(index) > limitMs) above += count
    return Math.min(above, this.#count - 1)
  }

  /** Number of ranks whose `valueAtRank` is below the limit (ms). */
  countBelow(limitMs: number): number {
    if (this.#count === 0 || limitMs <= this.min!) return 0
    let below = 0
    for (const [index, count] of this.#recorded()) if (this.#msAt(index) < limitMs) below += count
    return Math.max(below, 1)
  }

  /** Forgets all samples; keeps the memory. */
  clear(): void {
    this.#hdr?.reset()
    this.#count = this.#clamped = this.#sumUs = 0
    this.#minUs = Number.POSITIVE_INFINITY
    this.#maxUs = Number.NEGATIVE_INFINITY
  }

  /** Adds all samples of another histogram of as many digits. */
  add(other: LatencyHistogram): void {
    this.merge(other.toData())
  }

  /** Adds all samples of another histogram's data. */
  merge(data: HistogramData): void {
    if (data.digits !== this.digits) {
      throw new RangeError(`Cannot add a histogram of ${data.digits} digits to one of ${this.digits}`)
    }
    if (data.minUs === null || data.maxUs === null) return
    const hdr = this.#buckets()
    for (let i = 0; i < data.buckets.length; i += 2) hdr.addToCountAtIndex(data.buckets[i]!, data.buckets[i + 1]!)
    this.#count += data.count
    this.#clamped += data.clamped
    this.#sumUs += data.sumUs
    this.#minUs = Math.min(this.#minUs, data.minUs)
    this.#maxUs = Math.max(this.#maxUs, data.maxUs)
  }

  /** HdrHistogram V2, compressed, base64, in microseconds; null when there is no sample. */
  encode(): string | null {
    if (this.#hdr === undefined || this.#count === 0) return null
    this.#hdr.establishInternalTackingValues()
    return encodeIntoCompressedBase64(this.#hdr)
  }

  toData(): HistogramData {
    return {
      digits: this.digits,
      count: this.#count,
      clamped: this.#clamped,
      minUs: this.#count === 0 ? null : this.#minUs,
      maxUs: this.#count === 0 ? null : this.#maxUs,
      sumUs: this.#sumUs,
      buckets: [...this.#recorded()].flat(),
    }
  }

  static fromData(data: HistogramData): LatencyHistogram {
    const histogram = new LatencyHistogram(data.digits)
    histogram.merge(data)
    return histogram
  }

  #buckets(): Int32Histogram {
    // 32-bit counts in plain JS: 8 and 16 bits overflow silently, and the wasm build never frees its memory.
    return (this.#hdr ??= new Int32Histogram(1, HIGHEST_US, this.digits))
  }

  /** Index and count of every bucket that has samples, ascending. */
  *#recorded(): Generator<[index: number, count: number], undefined> {
    const hdr = this.#hdr
    if (hdr === undefined || this.#count === 0) return
    const last = hdr.countsArrayIndex(this.#maxUs)
    for (let index = hdr.countsArrayIndex(this.#minUs); index <= last; index++) {
      const count = hdr.getCountAtIndex(index)
      if (count > 0) yield [index, count]
    }
  }

  /** What samples of a bucket are told as, ms. */
  #msAt(index: number): number {
    const hdr = this.#buckets()
    return Math.min(hdr.highestEquivalentValue(hdr.valueFromIndex(index)), this.#maxUs) / 1000
  }
}
