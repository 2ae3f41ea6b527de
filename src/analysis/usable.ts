import type { StepProfile, Usable } from '../model/profile.ts'
import { formatValue, trim } from '../model/units.ts'
import { type OpenProfile, openSteps, voidClause } from './saturation.ts'

/**
 * The highest declared rate whose goodput ratio reaches the attainment, from the lowest open-loop step up to the first
 * that does not (point estimates: good / scheduled). Null without objectives or open-loop steps.
 *
 * All reach it: at least the highest; the lowest does not: less than it. `within` lies between `lastSustained`,
 * which is the rate given, and `firstSaturated`. Void steps are left out.
 */
export function usableOf(steps: readonly StepProfile[], attainment: number): Usable | null {
  const open = openSteps(steps)
  const valid = open.filter((step) => step.voids.length === 0 && step.record.counts.planned > 0)
  if (open.every((step) => step.record.good === null)) return null
  const voids = voidClause(open)
  const wanted = `a goodput ratio of ${formatValue(attainment, 'ratio')}`
  if (valid.length === 0) return none('unknown', `no open-loop step can be used${voids}`)

  const failing = valid.findIndex((step) => goodputRatio(step) < attainment)
  const lastSustained = valid.at(failing === -1 ? -1 : failing - 1)!.step.rate
  if (failing === -1) {
    return {
      rate: lastSustained,
      bound: 'at-least',
      lastSustained,
      firstSaturated: null,
      reached: 'not-reached',
      reason: `${wanted} is reached up to ${trim(lastSustained)} req/s${voids}`,
    }
  }
  const first = valid[failing]!
  const firstSaturated = first.step.rate
  const missed = `${first.label} has a goodput ratio of ${formatValue(goodputRatio(first), 'ratio')}, wanted is ${formatValue(attainment, 'ratio')}`
  if (failing === 0) {
    return {
      rate: firstSaturated,
      bound: 'at-most',
      lastSustained: null,
      firstSaturated,
      reached: 'already-passed',
      reason: `the lowest step: ${missed}${voids}`,
    }
  }
  return { rate: lastSustained, bound: null, lastSustained, firstSaturated, reached: 'within', reason: missed + voids }
}

function none(reached: Usable['reached'], reason: string): Usable {
  return { rate: null, bound: null, lastSustained: null, firstSaturated: null, reached, reason }
}

/** Good requests / scheduled requests of a step. */
function goodputRatio({ record }: OpenProfile): number {
  return (record.good ?? 0) / record.counts.planned
}
