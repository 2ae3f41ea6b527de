const BUCKET_MS = 100
/** Eleven, so that the last second is whole while the newest bucket fills. */
const BUCKETS = 11

/** The largest of the values noted in the last second (to 1.1 s): what a hot path may ask for every event. */
export class RecentMax {
  readonly #buckets = new Float64Array(BUCKETS)
  /** Number of the newest bucket, counted from the clock's origin. */
  #newest = 0
  #value = 0

  /** As of the last call of `note` or `advance`; 0 when nothing was noted. */
  get value(): number {
    return this.#value
  }

  /** Notes a value at an instant, ms; instants never go back. */
  note(at: number, value: number): void {
    this.advance(at)
    const bucket = this.#newest % BUCKETS
    if (value > this.#buckets[bucket]!) this.#buckets[bucket] = value
    if (value > this.#value) this.#value = value
  }

  /** Lets go of what is older than a second at an instant, ms. */
  advance(at: number): void {
    const bucket = Math.floor(at / BUCKET_MS)
    if (bucket <= this.#newest) return
    const passed = Math.min(BUCKETS, bucket - this.#newest)
    for (let i = 0; i < passed; i++) this.#buckets[(bucket - i) % BUCKETS] = 0
    this.#newest = bucket
    this.#value = Math.max(...this.#buckets)
  }

  clear(): void {
    this.#buckets.fill(0)
    this.#value = 0
  }
}
