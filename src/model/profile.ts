import type { ClientAudit, VoidReason, WorkerAudit } from './audit.ts'
import type { MachineUse } from './machine.ts'
import type { GapMetric, Metric, SentMetric, ServerMetric } from './metric.ts'
import type { FailureKind } from './request.ts'
import type { Step } from './step.ts'

/** A distribution of samples, in ms, that can be asked by rank. Percentiles are nearest rank. */
export interface Distribution {
  readonly count: number
  /** Exact; null when there is no sample. */
  readonly min: number | null
  readonly max: number | null
  readonly mean: number | null
  /** Sample of rank 1..count (ascending), within 0.1 %; null outside. */
  valueAtRank(rank: number): number | null
  /** Number of samples above a limit, within the resolution of 0.1 %. */
  countAbove(limitMs: number): number
  /** Number of samples below a limit, within the resolution of 0.1 %. */
  countBelow(limitMs: number): number
  /** The histogram in microseconds, base64 of HdrHistogram V2 compressed; null when there is no sample. */
  encode(): string | null
}

/** planned = sent + unsent; sent = completed + failed + timedOut + aborted. */
export interface Counts {
  readonly planned: number
  readonly sent: number
  readonly unsent: number
  readonly completed: number
  readonly failed: number
  readonly timedOut: number
  readonly aborted: number
}

/** One example of a failure, as it is shown. */
export interface FailureExample {
  readonly kind: FailureKind
  readonly status: number | null
  readonly count: number
  readonly message: string
}

/**
 * Counts in equal time bins from the step's start, merged over all load processes. All arrays have one length;
 * bins beyond the step's end hold what came while it drained.
 */
export interface Bins {
  readonly widthMs: number
  /** Arrivals by scheduled instant. */
  readonly arrivals: readonly number[]
  /** Ends of any kind (replies, failures), by end; unsent ones end when they were due. */
  readonly ends: readonly number[]
  /** Successful replies by last byte. */
  readonly completions: readonly number[]
  /** Output and input tokens of successful replies, by the reply's end. */
  readonly outputTokens: readonly number[]
  readonly inputTokens: readonly number[]
}

/** One second of a step, over all load processes; for progress and the report's series. */
export interface Second {
  /** Seconds from the step's start, 0, 1, 2, ... */
  readonly second: number
  readonly arrivals: number
  readonly completed: number
  readonly errors: number
  /** At the second's end. */
  readonly inFlight: number
  readonly ttftP50: number | null
  readonly ttftP99: number | null
  readonly e2eP50: number | null
  readonly e2eP99: number | null
  /** Of the worst load process. */
  readonly rho: number
  /** Of the requests that ended in it, ms; null when none did. */
  readonly sendLagP99: number | null
  readonly sendLagMax: number | null
}

/** Rates of a step between the end of its ramp and its own end. */
export interface Window {
  /** Start of the window, ms from the step's start: the ramp's length. */
  readonly fromMs: number
  readonly toMs: number
  readonly arrivals: number
  readonly completions: number
  readonly outputTokens: number
  readonly inputTokens: number
}

/** Whether the server carried a step. */
export interface Sustain {
  readonly state: 'stable' | 'saturated' | 'undecided'
  /** Growth of the backlog per arrival, with its one-sided 95 % bounds; null where it was not fitted. */
  readonly growth: number | null
  readonly growthLow: number | null
  readonly growthHigh: number | null
  /** Why, in one sentence. */
  readonly reason: string
}

/** What the load processes recorded of one step (or of several, added), merged. */
export interface StepRecord {
  readonly counts: Counts
  readonly byKind: Readonly<Partial<Record<FailureKind, number>>>
  readonly examples: readonly FailureExample[]
  readonly latency: Readonly<Record<Metric, Distribution>>
  readonly fromSent: Readonly<Record<SentMetric, Distribution>>
  /** The least that the server can have taken: each request's latency less the client's own part (docs/metrics.md). */
  readonly least: Readonly<Record<ServerMetric, Distribution>>
  /** The most, for metrics that a late client may also make too short. */
  readonly most: Readonly<Record<GapMetric, Distribution>>
  /** Successful replies to which a metric does not apply. */
  readonly notApplicable: Readonly<Record<Metric, number>>
  /** Successful replies whose token counts are content events, for want of usage. */
  readonly withoutUsage: number
  /** Of successful replies. */
  readonly outputTokens: number
  readonly inputTokens: number
  /** Requests that met all objectives, as seen; null without objectives. */
  readonly good: number | null
  /** The same with the client's own part taken off every latency. */
  readonly goodLessClient: number | null
  /** Requests sent within the limit of being on time. */
  readonly onTime: number
  /** What a reply would have waited for its load process: the waits of canaries (see `WorkerAudit`). */
  readonly canary: Distribution
}

/** One step as it ran: the merged record and how the load processes were. Input of the analysis. */
export interface StepRun {
  readonly index: number
  readonly step: Step
  /** ms from the run's first step to this one's start. */
  readonly startedMs: number
  /** Time for which load was offered, ms. */
  readonly durationMs: number
  readonly record: StepRecord
  readonly bins: Bins
  readonly seconds: readonly Second[]
  readonly audits: readonly WorkerAudit[]
  /** Load processes that died in this step: its figures are incomplete. */
  readonly dead: readonly { readonly worker: number; readonly pid: number; readonly reason: string }[]
  /** Writes of the embedded server in this step, and how many were late; null for other targets. */
  readonly server: { readonly writes: number; readonly late: number; readonly worstMs: number } | null
  /** What the machine took from its processes while the step ran; of steps back to back, while all of them ran. */
  readonly machine: MachineUse
}

/** All results of one step. */
export interface StepProfile extends StepRun {
  /** `20 req/s` or `concurrency 16`. */
  readonly label: string
  readonly window: Window
  readonly voids: readonly VoidReason[]
  /** Null for closed loops. */
  readonly sustain: Sustain | null
}

/** The rate the server carries at most, as far as the steps show it. */
export interface Saturation {
  /** Requests per second; a bound where `reached` is not `within`; null when nothing can be said. */
  readonly rate: number | null
  readonly bound: 'at-least' | 'at-most' | null
  readonly interval: readonly [number, number] | null
  readonly lastSustained: number | null
  readonly firstSaturated: number | null
  /** Whether the saturation point lies within the steps, above all of them, or below. */
  readonly reached: 'within' | 'not-reached' | 'already-passed' | 'unknown'
  readonly reason: string
}

/** The highest rate whose goodput ratio reaches the attainment. */
export interface Usable {
  readonly rate: number | null
  readonly bound: 'at-least' | 'at-most' | null
  readonly lastSustained: number | null
  readonly firstSaturated: number | null
  readonly reached: Saturation['reached']
  readonly reason: string
}

/** The results of all steps, and what they mean together. */
export interface Profile {
  readonly loadKind: 'list' | 'sweep'
  readonly steps: readonly StepProfile[]
  /** All steps added: what plain figures of a declared list are of. */
  readonly total: StepRecord
  /** Null for a load without open-loop steps. */
  readonly saturation: Saturation | null
  /** Null without objectives or open-loop steps. */
  readonly usable: Usable | null
  readonly objectives: boolean
  readonly attainment: number
  /** Breaches that make the whole run invalid: lost processes, broken invariants. */
  readonly breaches: readonly string[]
  readonly client: ClientAudit
}
