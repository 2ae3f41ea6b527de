import { type HistogramData, LatencyHistogram } from './histogram.ts'

/** What one load process saw of a step since it was last asked: for progress and the series. Plain data. */
export interface SecondCounts {
  readonly arrivals: number
  readonly completed: number
  /** Failures of any kind, unsent requests among them. */
  readonly errors: number
  /** Requests due but not over, at the end. */
  readonly inFlight: number
  /** Longest send lag of the requests that ended, ms. */
  readonly sendLagMax: number
  /** Of successful replies, with 2 digits. */
  readonly ttft: HistogramData
  readonly e2e: HistogramData
}

/** Counts of one step since they were last taken. */
export class SecondCounter {
  #arrivals = 0
  #completed = 0
  #errors = 0
  #inFlight = 0
  #sendLagMax = 0
  #ttft = new LatencyHistogram(2)
  #e2e = new LatencyHistogram(2)

  arrive(): void {
    this.#arrivals++
    this.#inFlight++
  }

  /** A request failed, or was never sent (send lag 0). */
  fail(sendLag: number): void {
    this.#errors++
    this.#inFlight--
    if (sendLag > this.#sendLagMax) this.#sendLagMax = sendLag
  }

  /** A reply came; `ttft` and `e2e` in ms, NaN where they do not apply. */
  complete(sendLag: number, ttft: number, e2e: number): void {
    this.#completed++
    this.#inFlight--
    if (sendLag > this.#sendLagMax) this.#sendLagMax = sendLag
    if (!Number.isNaN(ttft)) this.#ttft.record(ttft)
    if (!Number.isNaN(e2e)) this.#e2e.record(e2e)
  }

  /** Gives the counts and starts again from 0; what is in flight stays in flight. */
  take(): SecondCounts {
    const taken = {
      arrivals: this.#arrivals,
      completed: this.#completed,
      errors: this.#errors,
      inFlight: this.#inFlight,
      sendLagMax: this.#sendLagMax,
      ttft: this.#ttft.toData(),
      e2e: this.#e2e.toData(),
    }
    this.#arrivals = this.#completed = this.#errors = this.#sendLagMax = 0
    this.#ttft = new LatencyHistogram(2)
    this.#e2e = new LatencyHistogram(2)
    return taken
  }
}
