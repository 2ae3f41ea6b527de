import type { Report, ReportFigures, ReportLatency } from '../model/report.ts'
import { formatValue, trim } from '../model/units.ts'
import { printable } from './text.ts'

const HEAD = ['slo', 'verdict', 'offered', 'TTFT p99', 'NTPOT p99', 'errors', 'saturation'] as const

/**
 * A Markdown table for `$GITHUB_STEP_SUMMARY`, one row a `slo`. The figures are of the whole declared list; of a sweep
 * they are of the highest step that the server carried, and say so. `none` is a percentile at which a failed request
 * stands.
 */
export function stepSummary(reports: readonly Report[]): string {
  const rows = reports.map((report) => [
    `${escaped(report.slo)} (${escaped(report.spec)})`,
    report.verdict === 'pass' ? 'pass' : `**${report.verdict}**`,
    ...figureCells(report),
    saturationCell(report),
  ])
  const lines = [HEAD, HEAD.map((_, i) => (i < 2 ? '---' : '---:')), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
  return `### Service level objectives\n\n${lines.join('\n')}\n`
}

function figureCells(report: Report): string[] {
  const [figures, at] = figuresShown(report)
  if (figures === null) return ['-', '-', '-', '-']
  const { rate, errors, latency } = figures
  return [
    rate.offered === null ? '-' : formatValue(rate.offered, '/s'),
    latencyCell(latency.ttft, errors.count) + at,
    latencyCell(latency.ntpot, errors.count) + at,
    errors.ratio === null ? '-' : formatValue(errors.ratio, 'ratio') + at,
  ]
}

function figuresShown(report: Report): [ReportFigures | null, string] {
  if (report.total !== null) return [report.total, '']
  const carried = report.saturation?.lastSustained ?? null
  const step = report.steps.findLast((step) => carried !== null && step.rateNominal === carried)
  return step === undefined ? [null, ''] : [step, ` at ${trim(step.rateNominal!)}/s`]
}

function latencyCell(latency: ReportLatency, errors: number): string {
  if (latency.p99 !== null) return formatValue(latency.p99, 'ms')
  if (latency.count === 0 && latency.notApplicable > 0) return 'n/a'
  return errors > 0 ? 'none' : '-'
}

function saturationCell({ saturation }: Report): string {
  if (saturation === null) return '-'
  const { rate, reached } = saturation
  if (rate === null || reached === 'unknown') return 'unknown'
  if (reached === 'not-reached') return `not reached up to ${formatValue(rate, '/s')}`
  return reached === 'already-passed' ? `below ${formatValue(rate, '/s')}` : formatValue(rate, '/s')
}

/** Names are the author's: nothing in them may end a cell or become markup. */
function escaped(text: string): string {
  return printable(text).replace(/[\\`*_{}[\]<>|~#&]/g, (character) => `&#${character.charCodeAt(0)};`)
}
