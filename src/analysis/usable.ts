import type { StepProfile, Usable } from '../model/profile.ts'
import { formatValue, trim } from '../model/units.ts'
import { openSteps, voidClause } from './saturation.ts'

/**
 * The highest declared rate whose goodput ratio reaches the attainment, from the lowest open-loop step up to the first
 * that does not (point estimates: good / scheduled). Null without objectives or open-loop steps.
 *
 * All reach it: at least the highest; the lowest does not: less than it. `within` lies between `lastSustained`,
 * which is the rate given, and `firstSaturated`. Void steps are left out.
 *
 * A step misses it that misses it less the client's own part too. One that misses it by that part alone ends
 * `lastSustained` and is no `firstSaturated`: the client may be why.
 */
export function usableOf(steps: readonly StepProfile[], attainment: number): Usable | null {
  const open = openSteps(steps)
  const valid = open.filter((step) => step.voids.length === 0 && step.record.counts.planned > 0)
  if (open.every((step) => step.record.good === null)) return null
  const voids = voidClause(open)
  const wanted = formatValue(attainment, 'ratio')
  if (valid.length === 0) return usable(null, null, `no open-loop step can be used${voids}`)

  const notSeen = valid.findIndex((step) => goodputRatio(step) < attainment)
  const failing = valid.find((step) => mightRatio(step) < attainment)
  const last = valid.at(notSeen === -1 ? -1 : notSeen - 1)!.step.rate
  const lastSustained = notSeen === 0 ? null : last
  const firstSaturated = failing?.step.rate ?? null
  if (notSeen === -1) {
    const reason = `a goodput ratio of ${wanted} is reached up to ${trim(last)} req/s${voids}`
    return usable(lastSustained, firstSaturated, reason)
  }
  const first = valid[notSeen]!
  const but = isTipped(first, attainment)
    ? `, ${formatValue(mightRatio(first), 'ratio')} less the client's own part`
    : ''
  const missed = `${first.label} has a goodput ratio of ${formatValue(goodputRatio(first), 'ratio')}${but}, wanted is ${wanted}`
  return usable(lastSustained, firstSaturated, (notSeen === 0 ? `the lowest step: ${missed}` : missed) + voids)
}

/** Whether a sound step misses the attainment by the client's own part alone. */
export function isTipped(step: StepProfile, attainment: number): boolean {
  if (step.voids.length > 0 || step.record.counts.planned === 0 || step.record.good === null) return false
  return goodputRatio(step) < attainment && mightRatio(step) >= attainment
}

function usable(lastSustained: number | null, firstSaturated: number | null, reason: string): Usable {
  const found = { lastSustained, firstSaturated, reason }
  if (lastSustained !== null) {
    return firstSaturated === null
      ? { ...found, rate: lastSustained, bound: 'at-least', reached: 'not-reached' }
      : { ...found, rate: lastSustained, bound: null, reached: 'within' }
  }
  return firstSaturated === null
    ? { ...found, rate: null, bound: null, reached: 'unknown' }
    : { ...found, rate: firstSaturated, bound: 'at-most', reached: 'already-passed' }
}

/** Good requests / scheduled requests of a step. */
function goodputRatio({ record }: StepProfile): number {
  return (record.good ?? 0) / record.counts.planned
}

/** The same with the client's own part taken off every latency. */
function mightRatio({ record }: StepProfile): number {
  return (record.goodLessClient ?? 0) / record.counts.planned
}
