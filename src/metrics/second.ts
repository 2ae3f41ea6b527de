import { type HistogramData, LatencyHistogram } from './histogram.ts'

/** What one load process saw of a step since it was last asked: for progress and the series. Plain data. */
export interface SecondCounts {
  readonly arrivals: number
  readonly completed: number
  /** Failures of any kind, unsent requests among them. */
  readonly errors: number
  /** Requests due but not over, at the end. */
  readonly inFlight: number
  /** Of the requests that were sent and ended, with 2 digits. */
  readonly sendLag: HistogramData
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
  #sendLag = new LatencyHistogram(2)
  #ttft = new LatencyHistogram(2)
  #e2e = new LatencyHistogram(2)

  arrive(): void {
    this.#arrivals++
    this.#inFlight++
  }

  /** A request was never sent. */
  unsent(): void {
    this.#errors++
    this.#inFlight--
  }

  /** A request failed. */
  fail(sendLag: number): void {
    this.unsent()
    this.#sendLag.record(sendLag)
  }

  /** A reply came; `ttft` and `e2e` in ms, NaN where they do not apply. */
  complete(sendLag: number, ttft: number, e2e: number): void {
    this.#completed++
    this.#inFlight--
    this.#sendLag.record(sendLag)
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
      sendLag: this.#sendLag.toData(),
      ttft: this.#ttft.toData(),
      e2e: this.#e2e.toData(),
    }
    this.#arrivals = this.#completed = this.#errors = 0
    this.#sendLag = new LatencyHistogram(2)
    this.#ttft = new LatencyHistogram(2)
    this.#e2e = new LatencyHistogram(2)
    return taken
  }
}
