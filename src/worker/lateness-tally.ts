import { LatencyHistogram } from '../metrics/histogram.ts'

/** How late a load process was in reading, over one step: every read's place in its turn, and every canary. */
export class LatenessTally {
  readonly #position = new LatencyHistogram(2)
  readonly #canary: LatencyHistogram
  /** Longest time for which the loop stood still, ms. */
  stallMs = 0
  #firstReads = 0
  #second = emptySecond()

  /** @param canary takes the canaries' waits */
  constructor(canary = new LatencyHistogram(2)) {
    this.#canary = canary
  }

  /** A read waited so long behind others of its turn, ms; 0 for the first. */
  read(position: number): void {
    // Most reads of a quiet loop are the first of their turn: they are only counted.
    if (position === 0) {
      this.#firstReads++
      return
    }
    this.#position.record(position)
    if (position > this.#second.positionMax) this.#second.positionMax = position
  }

  canaryRead(ms: number): void {
    this.#canary.record(ms)
    const second = this.#second
    second.canaries++
    second.canarySum += ms
    if (ms > second.canaryMax) second.canaryMax = ms
  }

  get position(): LatencyHistogram {
    if (this.#firstReads > 0) this.#position.record(0, this.#firstReads)
    this.#firstReads = 0
    return this.#position
  }

  /** What came since the last call. */
  takeSecond(): {
    readonly positionMax: number
    readonly canaries: number
    readonly canaryMean: number | null
    readonly canaryMax: number | null
  } {
    const { positionMax, canaries, canarySum, canaryMax } = this.#second
    this.#second = emptySecond()
    const none = canaries === 0
    return {
      positionMax,
      canaries,
      canaryMean: none ? null : canarySum / canaries,
      canaryMax: none ? null : canaryMax,
    }
  }
}

function emptySecond() {
  return { positionMax: 0, canaries: 0, canarySum: 0, canaryMax: 0 }
}
