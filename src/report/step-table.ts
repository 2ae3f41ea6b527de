import { METRIC_LABEL, type Metric } from '../model/metric.ts'
import type { Report, ReportFigures, ReportLatency, ReportStep } from '../model/report.ts'
import { trim } from '../model/units.ts'
import { digits, percent } from './digits.ts'
import { arrange, type Column, type Table } from './table.ts'

/** Latencies of the table, in its order. The others are in the report only. */
const SHOWN = ['ttft', 'tpot', 'ntpot', 'e2e'] as const satisfies readonly Metric[]

/** From here on a column of latencies is in seconds: five digits are hard to read, and do not fit. */
const SECONDS_FROM_MS = 10_000

/** Stands for a percentile at which a failed request ranks. */
const FAILED = 'fail'

/** How a step is marked, the gravest first: before its name in the table, and in the legend. */
const MARKS = [
  { mark: 'x', word: 'void', holds: (step: ReportStep) => step.voids.length > 0 },
  { mark: '!', word: 'saturated', holds: (step: ReportStep) => step.sustain?.state === 'saturated' },
  { mark: '?', word: 'undecided', holds: (step: ReportStep) => step.sustain?.state === 'undecided' },
] as const

/** The mark of a step, empty for one that the server carried and for a closed loop. */
export function markOf(step: ReportStep): '' | 'x' | '!' | '?' {
  return MARKS.find(({ holds }) => holds(step))?.mark ?? ''
}

interface Row {
  readonly name: string
  readonly figures: ReportFigures
  /** Utilisation of the busiest load process; null when none told. */
  readonly rho: number | null
}

/**
 * A row a step and, where a declared list has several, one named `all`: offered and achieved rate per second, p50/p99
 * of the latencies, errors, rho of the busiest load process, p99 of the send lag. A metric that applies to no reply has
 * no column. A percentile is `fail` where a failed request stands at its rank, and a cell `n/a` where the metric
 * applies to none of the step's replies.
 */
export function stepTable(report: Report, width: number): Table[] {
  const { steps, total, client } = report
  const open = steps.every((step) => step.rateNominal !== null)
  const rows = steps.map((step): Row => {
    const name = `${markOf(step)} ${nameOf(step, open)}`.trim()
    return {
      name,
      figures: step,
      rho: step.audits.length === 0 ? null : Math.max(...step.audits.map((a) => a.rhoMean)),
    }
  })
  if (total !== null && steps.length > 1) rows.push({ name: 'all', figures: total, rho: client.rho })
  const column = (name: string, unit: string, cell: (row: Row) => string): Column => {
    return { name, unit, cells: rows.map(cell) }
  }
  const offered = column('offered', '/s', ({ figures }) => digits(figures.rate.offered))
  const achieved = column('achieved', '/s', ({ figures }) => digits(figures.rate.achieved))
  const latencies = appliedMetrics(report).map((metric) => {
    const perUnit = unitOf(rows, metric)
    const name = `${METRIC_LABEL[metric]} ${perUnit === 1 ? 'ms' : 's'}`
    return column(name, 'p50/p99', ({ figures }) => latencyCell(figures, metric, perUnit))
  })
  const errors = column('errors', '', ({ figures }) => percent(figures.errors.ratio))
  const rho = column('rho', '', (row) => digits(row.rho))
  const lag = column('lag', 'ms', ({ figures }) => digits(figures.latency.sendLag.p99))
  return arrange(
    column('step', open ? '/s' : '', (row) => row.name),
    [[offered, achieved, errors, rho, lag], latencies],
    [offered, achieved, ...latencies, errors, rho, lag],
    width,
  )
}

/** What the table's short forms mean, as far as it uses them. */
export function stepLegend(report: Report): string {
  const { steps, total } = report
  const rows: readonly ReportFigures[] = total === null ? steps : [...steps, total]
  const applied = appliedMetrics(report)
  const used = MARKS.filter(({ mark }) => steps.some((step) => markOf(step) === mark))
  const parts: string[] = used.map(({ mark, word }) => `${mark} ${word}`)
  if (steps.some((step) => step.concurrency !== null)) parts.push('c concurrency')
  if (rows.some((row) => applied.some((metric) => latencyCell(row, metric, 1).includes(FAILED)))) {
    parts.push(`${FAILED} a failed request stands at that rank`)
  }
  const missing = SHOWN.filter((metric) => !applied.includes(metric)).map((metric) => METRIC_LABEL[metric])
  if (missing.length > 0) parts.push(`${missing.join(', ')} not applicable`)
  return [...parts, 'lag p99 of the send lag'].join('; ')
}

function nameOf({ rateNominal, concurrency }: ReportStep, open: boolean): string {
  if (rateNominal === null) return `c=${concurrency}`
  return open ? trim(rateNominal) : `${trim(rateNominal)}/s`
}

function appliedMetrics({ steps, options }: Report): readonly Metric[] {
  return SHOWN.filter((metric) => {
    if (steps.some((step) => step.latency[metric].count > 0)) return true
    if (!options.target.stream && (metric === 'ttft' || metric === 'tpot')) return false
    if (options.target.api === 'http' && metric === 'ntpot') return false
    return steps.every((step) => step.latency[metric].notApplicable === 0)
  })
}

/** ms per unit of a column: 1, or 1000 where a p99 is long. */
function unitOf(rows: readonly Row[], metric: Metric): 1 | 1000 {
  const largest = ({ p50, p99 }: ReportLatency) => p99 ?? p50 ?? 0
  return rows.some((row) => largest(row.figures.latency[metric]) >= SECONDS_FROM_MS) ? 1000 : 1
}

function latencyCell({ latency, errors }: ReportFigures, metric: Metric, perUnit: number): string {
  const { p50, p99, count, notApplicable } = latency[metric]
  if (count === 0 && notApplicable > 0) return 'n/a'
  const none = errors.count > 0 ? FAILED : '-'
  if (p50 === null) return none
  return `${digits(p50 / perUnit)}/${p99 === null ? none : digits(p99 / perUnit)}`
}
