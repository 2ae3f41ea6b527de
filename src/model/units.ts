/**
 * Units, and the spellings that authors may use for them.
 *
 * Inside the project a duration is a number of milliseconds, a rate a number per second, a ratio a number
 * between 0 and 1. Histograms alone keep microseconds.
 */

/** Unit of a figure: milliseconds, per second, a share of one, or a plain count. */
export type Unit = 'ms' | '/s' | 'ratio' | 'count'

/** A duration with its unit, for example `'150us'`, `'500ms'`, `'30s'`, `'2m'`, `'1h'`. */
export type DurationText = `${number}${'us' | 'ms' | 's' | 'm' | 'h'}`

/** A duration: text with a unit, or a number of milliseconds. */
export type Duration = number | DurationText

/** A rate with its unit, for example `'30/s'`, `'600/m'`, `'100/h'`. */
export type RateText = `${number}/${'s' | 'm' | 'h'}`

/** A rate: text with a unit, or a number per second. */
export type Rate = number | RateText

/** A share of one in percent, for example `'1%'`. */
export type PercentText = `${number}%`

/** What a matcher accepts as the limit of a figure in unit `U`: a number in that unit, or text with a unit of that kind. */
export type Limit<U extends Unit = Unit> =
  | number
  | (U extends 'ms' ? DurationText : U extends '/s' ? RateText : U extends 'ratio' ? PercentText : never)

const MS_PER: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000, h: 3_600_000 }
const SECONDS_PER: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600 }
const NUMBER = String.raw`([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)`
const DURATION = new RegExp(String.raw`^${NUMBER}\s*(us|ms|s|m|h)$`, 'i')
const RATE = new RegExp(String.raw`^${NUMBER}\s*/\s*(s|m|h)$`, 'i')
const PERCENT = new RegExp(String.raw`^${NUMBER}\s*%$`)

/** What each unit accepts, in words, for error messages. */
export const ACCEPTED: Readonly<Record<Unit, string>> = {
  ms: "a number of milliseconds, or text such as '150us', '500ms', '30s', '2m', '1h'",
  '/s': "a number per second, or text such as '30/s', '600/m', '100/h'",
  ratio: "a number such as 0.01, or text such as '1%'",
  count: 'a number',
}

/** Milliseconds of a duration; undefined when it is none (the sign is not judged here). */
export function parseDuration(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const match = DURATION.exec(value.trim())
  return match ? tidy(Number(match[1]) * MS_PER[match[2]!.toLowerCase()]!) : undefined
}

/** Rate per second; undefined when it is none (the sign is not judged here). */
export function parseRate(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const match = RATE.exec(value.trim())
  return match ? tidy(Number(match[1]) / SECONDS_PER[match[2]!.toLowerCase()]!) : undefined
}

/** Share of one; undefined when it is none (the range is not judged here). */
export function parseRatio(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'string') return undefined
  const match = PERCENT.exec(value.trim())
  return match ? tidy(Number(match[1]) / 100) : undefined
}

/** A limit in the figure's own unit; undefined when it is of another kind, or not a finite number. */
export function parseLimit(unit: Unit, limit: unknown): number | undefined {
  if (unit === 'ms') return parseDuration(limit)
  if (unit === '/s') return parseRate(limit)
  if (unit === 'ratio') return parseRatio(limit)
  return typeof limit === 'number' && Number.isFinite(limit) ? limit : undefined
}

/** Three to four significant digits with the unit, as a person writes it: `51.3 ms`, `20 req/s` is `20/s`, `1.2 %`. */
export function formatValue(value: number, unit: Unit): string {
  if (unit === 'ratio') return `${trim(value * 100)} %`
  if (unit === '/s') return `${trim(value)}/s`
  if (unit === 'ms') return `${trim(value)} ms`
  return trim(value)
}

/** A number with three significant digits, all digits of a larger whole number, and no trailing zeros. */
export function trim(value: number): string {
  if (!Number.isFinite(value)) return String(value)
  const size = Math.abs(value)
  if (size >= 100 || value === 0) return String(Math.round(value * 10) / 10).replace(/\.\d$/, size >= 1000 ? '' : '$&')
  return String(Number(value.toPrecision(3)))
}

/** Removes the noise of decimal multiplication (0.15 s is 150 ms, not 150.00000000000003). */
function tidy(value: number): number {
  return Number(value.toPrecision(12))
}
