import type { Saturation } from '../model/profile.ts'
import type { Quantity } from '../model/quantity.ts'
import { formatValue, trim, type Unit } from '../model/units.ts'
import type { Evidence } from './evidence.ts'
import { requestsOf } from './ranked.ts'

/**
 * What was measured, as a message begins:
 * `p99 NTPOT was 51.3 ms (95 % interval 47.9 to 56.0, n = 600) at 20 req/s`.
 */
export function figureText(quantity: Quantity, evidence: Evidence): string {
  const { metric, statistic, value, unit, interval, bound, samples, step } = quantity
  const name = statistic === 'value' ? metric : `${statistic} ${metric}`
  const at = step === undefined ? '' : ` at ${step}`
  const notes: string[] = []
  if (value !== null && interval !== undefined) notes.push(`95 % interval ${intervalText(interval, value, unit)}`)
  if (evidence.kind !== 'bounds' && evidence.kind !== 'plain') notes.push(`n = ${samples}`)
  const noted = notes.length === 0 ? '' : ` (${notes.join(', ')})`
  if (value === null) return `${name} does not exist${missingReplies(evidence)}${noted}${at}`
  const bounded = bound === undefined ? '' : `${bound.replace('-', ' ')} `
  return `${name} was ${bounded}${formatValue(value, unit)}${noted}${at}`
}

/** `: 2.3 % of the requests got no reply`, where that is why a percentile does not exist. */
function missingReplies(evidence: Evidence): string {
  if (evidence.kind !== 'percentile' && evidence.kind !== 'mean') return ''
  const requests = requestsOf(evidence.seen)
  if (evidence.seen.failures === 0) return ''
  return `: ${formatValue(evidence.seen.failures / requests, 'ratio')} of the requests got no reply`
}

/** `47.9 to 56.0`: both ends with the decimals that three digits of the value have. */
function intervalText([low, high]: readonly [number | null, number | null], value: number, unit: Unit): string {
  const scale = unit === 'ratio' ? 100 : 1
  const size = Math.abs(value * scale)
  const decimals = size === 0 ? 0 : Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(size))))
  const end = (bound: number | null) => (bound === null ? 'no bound' : (bound * scale).toFixed(decimals))
  return `${end(low)} to ${end(high)}`
}

/** `saturation not reached up to 20 req/s`: how a failure of a latency ends; null where nothing is known. */
export function saturationClause(saturation: Saturation | null): string | null {
  if (saturation === null || saturation.rate === null) return null
  const { rate, interval, reached, firstSaturated } = saturation
  switch (reached) {
    case 'not-reached':
      return `saturation not reached up to ${trim(rate)} req/s`
    case 'already-passed':
      return `saturated already at ${trim(firstSaturated ?? rate)} req/s, the lowest step`
    case 'within': {
      const range = interval === null ? '' : ` (95 % interval ${intervalText(interval, rate, '/s')})`
      return `saturation at ${trim(rate)} req/s${range}`
    }
    case 'unknown':
      return null
  }
}
