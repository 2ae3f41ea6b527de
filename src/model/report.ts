import type { ArrivalKind, Limits, Prompts, PublicTarget, Timeouts } from './plan.ts'
import type { GapMetric, Metric, Objectives, SentMetric, ServerMetric } from './metric.ts'
import type { AuditSecond, ClientAudit, VoidReason, WorkerAudit } from './audit.ts'
import type { MachineUse } from './machine.ts'
import type { Counts, FailureExample, Saturation, Second, Sustain, Usable } from './profile.ts'
import type { FailureKind } from './request.ts'
import type { Load } from './step.ts'
import type { AssertionRecord, Verdict } from './verdict.ts'

/** Version of the report's shape; docs/report.schema.json describes it. 2 has the client's own part in full. */
export const REPORT_VERSION = 2

/** What a run leaves behind: all figures, JSON-safe, secrets removed. */
export interface Report {
  readonly version: typeof REPORT_VERSION
  readonly slo: string
  readonly spec: string
  /** The worst of the assertions and of the run itself. */
  readonly verdict: Verdict
  /** Breaches that make the whole run invalid, or the reason why it is inconclusive as a whole. */
  readonly notes: readonly string[]
  /** Wall-clock time of the first step's start, ISO 8601. */
  readonly startedAt: string
  readonly options: ReportOptions
  readonly host: Host
  readonly versions: Readonly<Record<string, string>>
  /** Over all steps of a declared list; null for a sweep, which passes the saturation point on purpose. */
  readonly total: ReportFigures | null
  readonly steps: readonly ReportStep[]
  readonly saturation: Saturation | null
  readonly usable: Usable | null
  readonly client: ClientAudit
  readonly assertions: readonly AssertionRecord[]
}

/** The checked options. */
export interface ReportOptions {
  readonly target: PublicTarget
  readonly load: Load
  readonly arrivals: ArrivalKind
  readonly seed: number
  readonly prompts: Prompts
  readonly objectives: Objectives
  readonly attainment: number
  readonly workers: number
  readonly warmupMs: number
  readonly settleMs: number
  readonly timeouts: Timeouts
  readonly maxInFlight: number
  readonly limits: Limits
}

export interface Host {
  readonly platform: string
  readonly arch: string
  readonly cpu: string
  readonly cores: number
  readonly memoryGiB: number
}

/** Figures of one step, or of all together. Rates are per second after the ramp; null where there is nothing to say. */
export interface ReportFigures {
  readonly counts: Counts
  readonly errors: {
    readonly count: number
    readonly ratio: number | null
    readonly byKind: Readonly<Partial<Record<FailureKind, number>>>
    readonly examples: readonly FailureExample[]
  }
  readonly rate: { readonly nominal: number | null; readonly offered: number | null; readonly achieved: number | null }
  readonly throughput: {
    readonly requests: number | null
    readonly inputTokens: number | null
    readonly outputTokens: number | null
    readonly totalTokens: number | null
  }
  readonly goodput: { readonly rate: number | null; readonly ratio: number | null } | null
  /** Mean output tokens of a successful reply. */
  readonly meanOutputTokens: number | null
  readonly withoutUsage: number
  readonly latency: Readonly<Record<Metric, ReportLatency>>
  readonly fromSent: Readonly<Record<SentMetric, ReportLatency>>
  /** The least that the server can have taken: latencies less the client's own part. */
  readonly least: Readonly<Record<ServerMetric, ReportBound>>
  /** The most, for metrics that a late client may also make too short. */
  readonly most: Readonly<Record<GapMetric, ReportBound>>
}

/** A bound on a distribution, ms; percentiles as in `ReportLatency`. */
export interface ReportBound {
  readonly mean: number | null
  readonly p50: number | null
  readonly p99: number | null
}

/**
 * One distribution, ms. `count`, `min`, `mean` and `max` are of replies; percentiles rank failures above every reply,
 * nearest rank, and are null where a failure stands (docs/metrics.md).
 */
export interface ReportLatency {
  readonly count: number
  readonly notApplicable: number
  readonly min: number | null
  readonly mean: number | null
  readonly p50: number | null
  readonly p75: number | null
  readonly p90: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly p999: number | null
  readonly max: number | null
  /** HdrHistogram V2, compressed, base64, in microseconds; null when empty. */
  readonly histogram: string | null
}

export interface ReportStep extends ReportFigures {
  readonly index: number
  readonly label: string
  readonly rateNominal: number | null
  readonly concurrency: number | null
  readonly startedMs: number
  readonly durationMs: number
  /** Window of the rates, ms from the step's start. */
  readonly window: { readonly fromMs: number; readonly toMs: number }
  readonly sustain: Sustain | null
  readonly voids: readonly VoidReason[]
  readonly audits: readonly ReportAudit[]
  readonly series: readonly Second[]
  /** Writes of the embedded server in this step and how many were late; null for other targets. */
  readonly server: { readonly writes: number; readonly late: number; readonly worstMs: number } | null
  /** What the machine took from its processes while the step ran; null where the platform does not tell. */
  readonly machine: MachineUse
}

/** One load process over one step, as it watched itself. */
export interface ReportAudit extends Omit<WorkerAudit, 'seconds' | 'sendLag' | 'position' | 'canary'> {
  readonly seconds: readonly AuditSecond[]
  readonly sendLag: ReportDistribution
  readonly position: ReportDistribution
  readonly canary: ReportDistribution
}

/** A distribution of the instrument's own, ms; percentiles by nearest rank, null without samples. */
export interface ReportDistribution {
  readonly count: number
  readonly mean: number | null
  readonly p50: number | null
  readonly p99: number | null
  readonly max: number | null
  /** HdrHistogram V2, compressed, base64, in microseconds; null when empty. */
  readonly histogram: string | null
}
