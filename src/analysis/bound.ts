import type { Quantity } from '../model/quantity.ts'
import { evidenceOf } from './evidence.ts'
import { percentileAbove } from './ranked.ts'

/**
 * What a latency's figure would be at least, or at most, without the client's own part, in its unit. Null where it is
 * no latency, has no such bound, or does not exist.
 */
export function boundOf(quantity: Quantity, side: 'least' | 'most'): number | null {
  const evidence = evidenceOf(quantity)
  if (evidence.kind !== 'percentile' && evidence.kind !== 'mean') return null
  const ranked = evidence[side]
  if (ranked === null) return null
  return evidence.kind === 'mean' ? ranked.samples.mean : percentileAbove(ranked, evidence.percent)
}
