import { clientLimitClause } from '../analysis/client-bound.ts'
import type { Report } from '../model/report.ts'
import { paletteOf, type Palette } from './color.ts'
import {
  assertionsText,
  clientText,
  errorLines,
  goodputText,
  type Line,
  objectivesText,
  outputText,
  saturationText,
  serverText,
  usableText,
} from './lines.ts'
import { markOf, stepLegend, stepTable } from './step-table.ts'
import { printable, wrap } from './text.ts'

/** How to print: the width in columns (at least 40 is used), and whether to colour. */
export interface RenderOptions {
  readonly width: number
  readonly color: boolean
}

/** A report, and where its file is; without a path nothing is said of a file. */
export interface RenderedReport {
  readonly report: Report
  readonly path?: string
}

const KEY_COLUMNS = 14
const NARROWEST = 40

/** One report for a terminal: the verdict and its reasons, the table of steps, what it means, how sure it is. */
export function renderReport(report: Report, options: RenderOptions & { readonly path?: string }): string {
  const { path } = options
  return renderReports([path === undefined ? { report } : { report, path }], options)
}

/**
 * All reports of a run: first every verdict, then one table a `slo`. No line is longer than the width; without colour
 * nothing is lost, since every mark is a word or a sign too.
 */
export function renderReports(reports: readonly RenderedReport[], options: RenderOptions): string {
  const width = Math.max(NARROWEST, options.width)
  const palette = paletteOf(options.color)
  const verdicts = reports.flatMap(({ report }) => verdictLines(report, width, palette))
  const blocks = reports.map(({ report, path }) => {
    const heading = reports.length === 1 ? [] : wrap(titleOf(report), width).map(palette.heading)
    return [...heading, ...bodyLines(report, path, width, palette)].join('\n')
  })
  return [verdicts.join('\n'), ...blocks].join('\n\n')
}

function verdictLines(report: Report, width: number, palette: Palette): string[] {
  const paint = (text: string) => palette.heading(palette.verdict[report.verdict](text))
  return keyed(
    { key: report.verdict.toUpperCase(), text: `${titleOf(report)}, ${assertionsText(report)}` },
    width,
    paint,
  )
}

function titleOf(report: Report): string {
  return `${report.slo} (${report.spec})`
}

function bodyLines(report: Report, path: string | undefined, width: number, palette: Palette): string[] {
  const reasons: string[] = []
  for (const note of report.notes) reasons.push(...keyed({ key: 'note', text: note }, width, palette.warning))
  for (const { verdict, test, message } of report.assertions) {
    if (verdict === 'pass') continue
    reasons.push(...keyed({ key: verdict, text: `${test}: ${message}` }, width, palette.verdict[verdict]))
  }
  const remarks = remarksOf(report).flatMap((line) => keyed(line, width, palette.quiet))
  const file = path === undefined ? [] : keyed({ key: 'report', text: path }, width, palette.quiet)
  const parts = [reasons, tableLines(report, width, palette), [...remarks, ...file]]
  return parts.filter((part) => part.length > 0).flatMap((part, i) => (i === 0 ? part : ['', ...part]))
}

function tableLines(report: Report, width: number, palette: Palette): string[] {
  if (report.steps.length === 0) return ['no step was run']
  const lines: string[] = []
  for (const table of stepTable(report, width)) {
    if (lines.length > 0) lines.push('')
    lines.push(...table.head.map(palette.quiet))
    table.rows.forEach((row, i) => {
      const step = report.steps[i]
      const mark = step === undefined ? '' : markOf(step)
      lines.push(mark === '' ? row : (mark === 'x' ? palette.verdict.invalid : palette.warning)(row))
    })
  }
  const legend = stepLegend(report)
  return legend === '' ? lines : [...lines, ...wrap(legend, width).map(palette.quiet)]
}

function remarksOf(report: Report): Line[] {
  const { saturation, usable, options } = report
  const lines: Line[] = []
  const add = (key: string, text: string | null) => {
    if (text !== null) lines.push({ key, text })
  }
  if (saturation !== null) add('saturation', saturationText(saturation) + boundByClient(report))
  if (usable !== null) add('usable', usableText(usable))
  add('goodput', goodputText(report))
  add('objectives', objectivesText(options.attainment, options.objectives))
  add('client', clientText(report))
  add('server', serverText(report))
  add('output', outputText(report))
  lines.push(...errorLines(report))
  for (const step of report.steps) {
    for (const reason of step.voids) add('void', `${step.label}: ${reason.message}`)
    if (markOf(step) === '?') add('undecided', `${step.label}: ${step.sustain!.reason}`)
  }
  const { model, url, api } = options.target
  add('target', `${api} ${url}${model === null ? '' : `, ${model}`}`)
  const open = options.load.steps.some((step) => step.kind === 'open')
  add('run', `${report.startedAt}, ${open ? `${options.arrivals} arrivals, ` : ''}seed ${options.seed}`)
  return lines
}

/** Said where the saturation's own reason, which says it too, is not printed. */
function boundByClient({ steps, saturation, client }: Report): string {
  return saturation === null || saturation.reached === 'unknown' ? '' : clientLimitClause(steps, client.limit)
}

/** Key and text in two columns; further lines of the text are indented to its first. */
function keyed(line: Line, width: number, paint: (key: string) => string): string[] {
  return wrap(line.text, width - KEY_COLUMNS).map((part, i) => {
    const key = i === 0 ? printable(line.key) : ''
    return `${paint(key)}${' '.repeat(KEY_COLUMNS - key.length)}${part}`
  })
}
