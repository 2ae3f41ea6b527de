import type { Report, ReportAudit, ReportDistribution, ReportFigures, ReportLatency } from '../model/report.ts'
import type { AssertionRecord } from '../model/verdict.ts'
import type { Progress } from '../report/progress.ts'

/** What travels from the test process to the reporter with a suite: small, plain, without histograms. */
export interface SloMeta {
  /** The line that says what will be sent. */
  readonly plan: string
  /** One line for each finished step. */
  readonly stepLines: readonly string[]
  /** How far the load is; absent before and after it. */
  readonly progress?: Progress | undefined
  /** The report without histograms and series; its file has them. */
  readonly report?: Report
  /** Path of the report's file. */
  readonly file?: string
}

/** What a test's own record holds: the verdicts of its assertions. */
export interface SloTestMeta {
  readonly assertions: readonly AssertionRecord[]
}

declare module 'vitest' {
  interface TaskMeta {
    slo?: SloMeta | SloTestMeta
  }
}

/** The report as it may travel in a task's meta: users' json and blob reports hold every byte of it. */
export function withoutHistograms(report: Report): Report {
  return {
    ...report,
    total: report.total === null ? null : slim(report.total),
    steps: report.steps.map((step) => ({ ...slim(step), series: [], audits: step.audits.map(slimAudit) })),
  }
}

function slimAudit(audit: ReportAudit): ReportAudit {
  const { sendLag, position, canary } = audit
  const bare = (samples: ReportDistribution) => ({ ...samples, histogram: null })
  return { ...audit, seconds: [], sendLag: bare(sendLag), position: bare(position), canary: bare(canary) }
}

function slim<F extends ReportFigures>(figures: F): F {
  const bare = (latency: ReportLatency) => ({ ...latency, histogram: null })
  return { ...figures, latency: mapValues(figures.latency, bare), fromSent: mapValues(figures.fromSent, bare) }
}

function mapValues<K extends string, V>(record: Readonly<Record<K, V>>, change: (value: V) => V): Record<K, V> {
  return Object.fromEntries(Object.entries<V>(record).map(([key, value]) => [key, change(value)])) as Record<K, V>
}
