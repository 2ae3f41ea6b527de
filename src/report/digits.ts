/**
 * A number for a column of figures: three significant digits, at most two decimals, all digits of a larger whole
 * number; `-` for none, `<0.01` for what would round to nothing. At most four characters from 0.005 to 9999.
 */
export function digits(value: number | null): string {
  if (value === null || !Number.isFinite(value)) return '-'
  if (value === 0) return '0'
  if (value > 0 && value < 0.005) return '<0.01'
  // Rounded before the decimals are chosen, so that 9.996 is 10.0 and not 10.00.
  const size = Math.abs(Number(value.toPrecision(3)))
  if (size >= 100) return String(Math.round(value))
  return value.toFixed(size >= 10 ? 1 : 2)
}

/** A share of one in percent: `0%`, `0.50%`, `12.1%`, `100%`; `-` for none. */
export function percent(ratio: number | null): string {
  const shown = digits(ratio === null ? null : ratio * 100)
  return shown === '-' ? shown : `${shown}%`
}

/** A count with its noun: `1 request`, `57,600 requests`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${grouped(count)} ${count === 1 ? noun : plural}`
}

/** A whole number in groups of three digits: `57,600`. */
export function grouped(count: number): string {
  return Math.round(count).toLocaleString('en-US')
}
