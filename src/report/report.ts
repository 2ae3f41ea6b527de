import { boundOf } from '../analysis/bound.ts'
import { figuresOf } from '../analysis/figures.ts'
import { worstVerdict } from '../analysis/judge.ts'
import { wholeFinding } from '../analysis/whole.ts'
import type { Figures } from '../model/figures.ts'
import { GAP_METRICS, METRICS, type Metric, SENT_METRICS, type SentMetric, SERVER_METRICS } from '../model/metric.ts'
import type { Plan } from '../model/plan.ts'
import type { Distribution, FailureExample, Profile, StepProfile, StepRecord } from '../model/profile.ts'
import {
  type Host,
  REPORT_VERSION,
  type Report,
  type ReportBound,
  type ReportFigures,
  type ReportLatency,
  type ReportOptions,
  type ReportStep,
} from '../model/report.ts'
import type { AssertionRecord, Verdict } from '../model/verdict.ts'
import { publicTarget } from '../spec/target.ts'
import { auditReport } from './audit-report.ts'
import { hiderOf } from './secrets.ts'

/** All that a report is made of. */
export interface ReportInput {
  readonly plan: Plan
  readonly profile: Profile
  readonly assertions: readonly AssertionRecord[]
  /** What else the reader must know; they do not change the verdict. */
  readonly notes: readonly string[]
  /** Tests that failed by other means than a matcher of figures, a sentence each: the verdict is a fail at least. */
  readonly failures?: readonly string[]
  /** Wall-clock time of the first step's start, ISO 8601. */
  readonly startedAt: string
  readonly host: Host
  readonly versions: Readonly<Record<string, string>>
}

type Hide = (text: string) => string

/**
 * The report of a run: every figure of every step and, for a declared list, of all together. JSON-safe: written and
 * read again it is the same (a figure that is not finite is null). Of the target only what `publicTarget` shows is
 * kept, and the target's secrets are removed from every message.
 */
export function reportOf(input: ReportInput): Report {
  const { plan, profile, failures = [] } = input
  const hide = hiderOf(plan.target)
  const figures = figuresOf(profile)
  const whole = wholeFinding(profile)
  const report: Report = {
    version: REPORT_VERSION,
    slo: plan.name,
    spec: plan.spec,
    verdict: worstVerdict([
      whole?.verdict ?? 'pass',
      ...input.assertions.map((assertion) => assertion.verdict),
      ...failures.map((): Verdict => 'fail'),
    ]),
    notes: [...new Set([...(whole?.reasons ?? []), ...failures, ...input.notes])].map(hide),
    startedAt: input.startedAt,
    options: optionsOf(plan),
    host: input.host,
    versions: input.versions,
    total: profile.loadKind === 'list' ? figuresReport(figures, profile.total, profile.objectives, hide) : null,
    steps: profile.steps.map((step, i) => stepReport(figures.steps[i]!, step, profile.objectives, hide)),
    saturation: profile.saturation && { ...profile.saturation, reason: hide(profile.saturation.reason) },
    usable: profile.usable && { ...profile.usable, reason: hide(profile.usable.reason) },
    client: profile.client,
    assertions: input.assertions.map((assertion) => ({ ...assertion, message: hide(assertion.message) })),
  }
  return jsonSafe(report) as Report
}

function optionsOf(plan: Plan): ReportOptions {
  const { target, load, arrivals, seed, prompts, objectives, attainment, workers } = plan
  const { warmupMs, settleMs, timeouts, maxInFlight, limits } = plan
  const checked = { load, arrivals, seed, prompts, objectives, attainment, workers, warmupMs, settleMs, timeouts }
  return { target: publicTarget(target), ...checked, maxInFlight, limits }
}

function stepReport(figures: Figures, step: StepProfile, objectives: boolean, hide: Hide): ReportStep {
  return {
    index: step.index,
    label: step.label,
    rateNominal: step.step.kind === 'open' ? step.step.rate : null,
    concurrency: step.step.kind === 'closed' ? step.step.concurrency : null,
    startedMs: step.startedMs,
    durationMs: step.durationMs,
    window: { fromMs: step.window.fromMs, toMs: step.window.toMs },
    sustain: step.sustain && { ...step.sustain, reason: hide(step.sustain.reason) },
    voids: step.voids.map((reason) => ({ ...reason, message: hide(reason.message) })),
    audits: step.audits.map(auditReport),
    series: step.seconds,
    server: step.server,
    machine: step.machine,
    ...figuresReport(figures, step.record, objectives, hide),
  }
}

function figuresReport(figures: Figures, record: StepRecord, objectives: boolean, hide: Hide): ReportFigures {
  const { errors, rate, throughput } = figures
  const { counts, outputTokens } = record
  // A step of which no load process told anything has no count of good requests, whatever the objectives.
  const counted = objectives && record.good !== null && record.goodLessClient !== null
  return {
    counts,
    errors: {
      count: errors.count.value ?? 0,
      ratio: errors.ratio.value,
      byKind: record.byKind,
      examples: record.examples.map(({ kind, status, count, message }): FailureExample => ({
        kind,
        status,
        count,
        message: hide(message),
      })),
    },
    rate: { nominal: rate.nominal.value, offered: rate.offered.value, achieved: rate.achieved.value },
    throughput: {
      requests: throughput.requests.value,
      inputTokens: throughput.inputTokens.value,
      outputTokens: throughput.outputTokens.value,
      totalTokens: throughput.totalTokens.value,
    },
    goodput: counted ? { rate: figures.goodput.rate.value, ratio: figures.goodput.ratio.value } : null,
    // No tokens at all is a format that has none (plain http), not replies of length 0: those are failures.
    meanOutputTokens: counts.completed > 0 && outputTokens > 0 ? outputTokens / counts.completed : null,
    withoutUsage: record.withoutUsage,
    latency: latencies(METRICS, (metric: Metric) =>
      latencyReport(record.latency[metric], record.notApplicable[metric], (p) => figures[p][metric].value),
    ),
    fromSent: latencies(SENT_METRICS, (metric: SentMetric) =>
      latencyReport(record.fromSent[metric], record.notApplicable[metric], (p) => figures[p].fromSent[metric].value),
    ),
    least: latencies(SERVER_METRICS, (metric) => boundReport(figures, metric, 'least')),
    most: latencies(GAP_METRICS, (metric) => boundReport(figures, metric, 'most')),
  }
}

function latencies<M extends string, L>(metrics: readonly M[], latency: (metric: M) => L): Record<M, L> {
  return Object.fromEntries(metrics.map((metric) => [metric, latency(metric)])) as Record<M, L>
}

/** Mean and two percentiles of what the server can have taken at least, or at most. */
function boundReport(figures: Figures, metric: Metric, side: 'least' | 'most'): ReportBound {
  const of = (name: 'mean' | 'p50' | 'p99') => boundOf(figures[name][metric], side)
  return { mean: of('mean'), p50: of('p50'), p99: of('p99') }
}

const PERCENTILES = ['p50', 'p75', 'p90', 'p95', 'p99', 'p999'] as const
type Percentile = (typeof PERCENTILES)[number]

function latencyReport(
  distribution: Distribution,
  notApplicable: number,
  percentile: (p: Percentile) => number | null,
): ReportLatency {
  const { count, min, mean, max } = distribution
  const ranks = Object.fromEntries(PERCENTILES.map((p) => [p, percentile(p)])) as Record<Percentile, number | null>
  return { count, notApplicable, min, mean, ...ranks, max, histogram: distribution.encode() }
}

/** What JSON would make of it, at once: no undefined, null for what is not finite, plain objects only. */
function jsonSafe(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}
