import type { GapMetric, Metric, Objectives, SentMetric, ServerMetric } from '../model/metric.ts'
import type { Bins, Counts, FailureExample, StepRecord } from '../model/profile.ts'
import { FAILURE_LABEL, type FailureKind, outcomeOf, type Trace } from '../model/request.ts'
import { TimeBins } from './bins.ts'
import { Distributions, type DistributionsData } from './distributions.ts'
import { type FailureCount, FailureCounts } from './failures.ts'
import { type HistogramData, LatencyHistogram } from './histogram.ts'
import { e2eMs, sendLagMs, ttftMs } from './latencies.ts'
import { mayMeetObjectives, meetsObjectives } from './objectives.ts'
import { SecondCounter, type SecondCounts } from './second.ts'

/** What a recording must know of its step. */
export interface RecordingOptions {
  /** Instant of the step's start, ms on the host's clock. */
  readonly startMs: number
  /** Width of a time bin, ms. */
  readonly binMs: number
  /** Time bins that cover the step; more are added while it drains. */
  readonly bins: number
  readonly objectives: Objectives
  /** Send lag up to which a request counts as sent on time, ms. */
  readonly onTimeMs: number
}

/** A recording as plain JSON-safe data, for process borders. The second under way stays behind. */
export interface RecordingData {
  readonly options: RecordingOptions
  readonly tally: Readonly<Tally>
  readonly failures: readonly FailureCount[]
  readonly distributions: DistributionsData
  readonly canary: HistogramData
  readonly bins: Bins
}

/** Sums over the requests of a recording. */
interface Tally {
  planned: number
  completed: number
  withoutUsage: number
  outputTokens: number
  inputTokens: number
  good: number
  goodLessClient: number
  onTime: number
}

/**
 * What one load process records of one step; added up, what all of them recorded of it.
 *
 * Every request is told twice: `arrive` when it becomes due, then `record` when it is over, or `unsent` when it
 * could not be sent. Replies enter the latency histograms. Failures enter none but the send lag's, which is of all
 * sent requests.
 *
 * `counts.sent` is of requests that are over. So planned = sent + unsent holds as soon as nothing is in flight, and a
 * lost request shows as the difference. Adding is associative and commutative, and equals recording all in one.
 */
export class Recording implements StepRecord {
  readonly options: RecordingOptions
  readonly bins: TimeBins
  /** Waits of canaries; 2 digits. */
  readonly canary = new LatencyHistogram(2)
  readonly #tally: Tally = {
    planned: 0,
    completed: 0,
    withoutUsage: 0,
    outputTokens: 0,
    inputTokens: 0,
    good: 0,
    goodLessClient: 0,
    onTime: 0,
  }
  readonly #distributions = new Distributions()
  readonly #failures = new FailureCounts()
  readonly #second = new SecondCounter()

  constructor(options: RecordingOptions) {
    this.options = options
    this.bins = new TimeBins(options.binMs, options.bins)
  }

  /** A request became due. */
  arrive(scheduledMs: number): void {
    this.#tally.planned++
    this.#second.arrive()
    this.bins.arrivals[this.#bin(scheduledMs)]!++
  }

  /** A request that became due was not sent: it ended when it was due. */
  unsent(scheduledMs: number): void {
    this.#failures.record({ kind: 'unsent', message: FAILURE_LABEL.unsent }, scheduledMs)
    this.#second.unsent()
    this.bins.ends[this.#bin(scheduledMs)]!++
  }

  /** A sent request is over. Keeps nothing of the trace, whose arrays are used again. */
  record(trace: Trace): void {
    const bin = this.#bin(trace.ended)
    const lag = sendLagMs(trace)
    this.#distributions.recordSendLag(lag)
    this.bins.ends[bin]!++
    if (lag <= this.options.onTimeMs) this.#tally.onTime++
    if (trace.failure === null) {
      this.#reply(trace, bin, lag)
    } else {
      this.#failures.record(trace.failure, trace.ended)
      this.#second.fail(lag)
    }
  }

  #reply(trace: Trace, bin: number, lag: number): void {
    this.#distributions.recordReply(trace)
    const tally = this.#tally
    const { objectives } = this.options
    tally.completed++
    tally.outputTokens += trace.outputTokens
    tally.inputTokens += trace.inputTokens
    if (!trace.usage && trace.outputTokens > 0) tally.withoutUsage++
    if (meetsObjectives(trace, objectives)) {
      tally.good++
      // What the client added can only have made it worse.
      tally.goodLessClient++
    } else if (mayMeetObjectives(trace, objectives)) tally.goodLessClient++
    this.bins.completions[bin]!++
    this.bins.outputTokens[bin]! += trace.outputTokens
    this.bins.inputTokens[bin]! += trace.inputTokens
    this.#second.complete(lag, ttftMs(trace), e2eMs(trace))
  }

  #bin(instantMs: number): number {
    return this.bins.at(instantMs - this.options.startMs)
  }

  /** What came since the last call, for the live series. */
  takeSecond(): SecondCounts {
    return this.#second.take()
  }

  get counts(): Counts {
    const { planned, completed } = this.#tally
    const ends = { failed: 0, 'timed-out': 0, aborted: 0 }
    let unsent = 0
    for (const { kind, count } of this.#failures.toData()) {
      if (kind === 'unsent') unsent += count
      else ends[outcomeOf(kind)] += count
    }
    const { failed, 'timed-out': timedOut, aborted } = ends
    return { planned, sent: completed + failed + timedOut + aborted, unsent, completed, failed, timedOut, aborted }
  }

  get byKind(): Partial<Record<FailureKind, number>> {
    return this.#failures.byKind()
  }

  get examples(): FailureExample[] {
    return this.#failures.toData().map(({ kind, status, count, message }) => ({ kind, status, count, message }))
  }

  get latency(): Readonly<Record<Metric, LatencyHistogram>> {
    return this.#distributions.latency
  }

  get fromSent(): Readonly<Record<SentMetric, LatencyHistogram>> {
    return this.#distributions.fromSent
  }

  get least(): Readonly<Record<ServerMetric, LatencyHistogram>> {
    return this.#distributions.least
  }

  get most(): Readonly<Record<GapMetric, LatencyHistogram>> {
    return this.#distributions.most
  }

  get notApplicable(): Readonly<Record<Metric, number>> {
    return this.#distributions.notApplicable
  }

  get withoutUsage(): number {
    return this.#tally.withoutUsage
  }

  get outputTokens(): number {
    return this.#tally.outputTokens
  }

  get inputTokens(): number {
    return this.#tally.inputTokens
  }

  get good(): number | null {
    return hasLimits(this.options.objectives) ? this.#tally.good : null
  }

  get goodLessClient(): number | null {
    return hasLimits(this.options.objectives) ? this.#tally.goodLessClient : null
  }

  get onTime(): number {
    return this.#tally.onTime
  }

  toData(): RecordingData {
    return {
      options: this.options,
      tally: { ...this.#tally },
      failures: this.#failures.toData(),
      distributions: this.#distributions.toData(),
      canary: this.canary.toData(),
      bins: this.bins.toData(),
    }
  }

  static fromData(data: RecordingData): Recording {
    const recording = new Recording(data.options)
    recording.merge(data)
    return recording
  }

  /**
   * Adds another load process's recording of the same step.
   *
   * @throws RangeError when the widths of the time bins differ.
   */
  add(other: Recording): void {
    this.merge(other.toData())
  }

  /** Adds another load process's recording of the same step, as data. */
  merge(data: RecordingData): void {
    this.bins.add(data.bins)
    this.#mergeRequests(data)
  }

  /** Recordings of several steps of one plan, added; without time bins, which have no meaning over steps. */
  static total(recordings: readonly Recording[]): StepRecord {
    const { objectives = {}, onTimeMs = 0 } = recordings[0]?.options ?? {}
    const total = new Recording({ startMs: 0, binMs: 1, bins: 0, objectives, onTimeMs })
    for (const recording of recordings) total.#mergeRequests(recording.toData())
    return total
  }

  #mergeRequests(data: RecordingData): void {
    for (const name of Object.keys(this.#tally) as (keyof Tally)[]) this.#tally[name] += data.tally[name]
    for (const failure of data.failures) this.#failures.merge(failure)
    this.#distributions.merge(data.distributions)
    this.canary.merge(data.canary)
  }
}

function hasLimits(objectives: Objectives): boolean {
  return Object.keys(objectives).length > 0
}
