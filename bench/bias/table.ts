import type { Row } from './row.ts'

interface Column {
  readonly name: string
  readonly of: (row: Row) => string
}

const COLUMNS: readonly Column[] = [
  { name: 'load', of: ({ load }) => load },
  { name: 'client', of: ({ client }) => client },
  { name: 'offered /s', of: ({ offered }) => count(offered) },
  { name: 'achieved /s', of: ({ achieved }) => count(achieved) },
  { name: 'on time %', of: ({ onTime }) => (onTime === null ? NONE : (100 * onTime).toFixed(1)) },
  { name: 'E2E mean added, ms', of: ({ addedMean }) => ms(addedMean) },
  { name: 'E2E p99 added, ms', of: ({ addedP99 }) => ms(addedP99) },
  { name: 'rho', of: ({ rho }) => (rho === null ? NONE : rho.toFixed(2)) },
  { name: 'wait modelled, ms', of: ({ modelled }) => ms(modelled) },
  { name: 'wait observed, ms', of: ({ observed }) => ms(observed) },
  { name: 'CPU us/reply', of: ({ cpuUs }) => count(cpuUs) },
  { name: 'verdict', of: ({ verdict }) => verdict },
]

/** Columns of words, the others are figures. */
const WORDS: ReadonlySet<string> = new Set(['load', 'client', 'verdict'])
const NONE = ''

/** The rows as a Markdown table, padded as the formatter of this repository pads it. */
export function tableOf(rows: readonly Row[]): string {
  const cells = rows.map((row) => COLUMNS.map((column) => column.of(row)))
  const widths = COLUMNS.map(({ name }, i) => Math.max(name.length, ...cells.map((line) => line[i]!.length)))
  const line = (texts: readonly string[]) => `| ${texts.join(' | ')} |`
  const padded = (texts: readonly string[]) =>
    line(texts.map((text, i) => (isWords(i) ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))))
  const rule = line(widths.map((width, i) => (isWords(i) ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)))
  return [padded(COLUMNS.map(({ name }) => name)), rule, ...cells.map(padded)].join('\n')
}

function isWords(column: number): boolean {
  return WORDS.has(COLUMNS[column]!.name)
}

function count(value: number | null): string {
  return value === null ? NONE : Math.round(value).toLocaleString('en-GB')
}

/** Milliseconds to about three digits. */
export function ms(value: number | null): string {
  if (value === null) return NONE
  const size = Math.abs(value)
  return size < 10 ? value.toFixed(2) : size < 100 ? value.toFixed(1) : Math.round(value).toLocaleString('en-GB')
}
