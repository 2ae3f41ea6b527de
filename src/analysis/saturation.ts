import type { ArrivalKind } from '../model/plan.ts'
import type { Saturation, StepProfile } from '../model/profile.ts'
import type { OpenStep } from '../model/step.ts'
import { trim } from '../model/units.ts'
import { capacityInterval, gainThreshold, type Sweep } from './capacity.ts'
import { hingeOf } from './hinge.ts'
import type { Random } from './queue.ts'
import { quantilesOf } from './startup.ts'
import { clientLimitClause } from './client-bound.ts'
import { windowSeconds } from './window.ts'

/** A step of the open loop. */
export type OpenProfile = StepProfile & { readonly step: OpenStep }

/** The open-loop steps, by declared rate, ascending. */
export function openSteps(steps: readonly StepProfile[]): OpenProfile[] {
  return steps
    .filter((step): step is OpenProfile => step.step.kind === 'open')
    .toSorted((a, b) => a.step.rate - b.step.rate)
}

/**
 * The highest arrival rate that the server carries, as far as the open-loop steps show it. Null without any.
 *
 * - *within*: a step is saturated while a lower one is not, or one is stable and the hinge through all gains more than chance
 *   would give: the hinge's C with a bootstrap interval, no less than the last sustained rate and no more than the
 *   first saturated one;
 * - *not-reached*: at least the highest stable step's declared rate;
 * - *already-passed*: the lowest step is saturated: at most what it carried, its successful replies (by conservation
 *   lambda - beta, the arrivals less the backlog's growth, and less what it shed);
 * - *unknown*: no step is stable and none saturated, or they contradict each other.
 *
 * Undecided steps take part in the fit and are never `lastSustained`. Void steps take part in nothing: a client that
 * was too slow is no saturation, and the reason names the rate at which it ends. `lastSustained` and `firstSaturated` are declared rates.
 *
 * The bootstrap assumes a first-come-first-served queue of constant capacity; see `growthOf` for servers whose E2E
 * rises with load.
 */
export function saturationOf(
  steps: readonly StepProfile[],
  arrivals: ArrivalKind,
  random: Random,
  clientLimit: number | null = null,
): Saturation | null {
  const open = openSteps(steps)
  if (open.length === 0) return null
  const valid = open.filter((step) => step.voids.length === 0 && step.window.arrivals > 0)
  const voids = voidClause(open, clientLimit)
  const unknown = (reason: string): Saturation => ({
    rate: null,
    bound: null,
    interval: null,
    lastSustained: null,
    firstSaturated: null,
    reached: 'unknown',
    reason: reason + voids,
  })
  if (valid.length === 0) return unknown('no open-loop step can be used')
  if (valid.every((step) => step.record.counts.completed === 0)) return unknown('no request got a successful reply')

  const states = (state: string) => valid.filter((step) => step.sustain?.state === state)
  const saturated = states('saturated')[0]
  const stable = states('stable').filter((step) => saturated === undefined || step.step.rate < saturated.step.rate)
  const lastSustained = stable.at(-1)?.step.rate ?? null
  const firstSaturated = saturated?.step.rate ?? null
  const found = { lastSustained, firstSaturated }

  if (saturated !== undefined && saturated === valid[0]) {
    const contradicting = states('stable')[0]
    const why = `${saturated.label} is saturated: ${saturated.sustain!.reason}`
    if (contradicting) return { ...unknown(`${why}; yet ${contradicting.label} is stable`), ...found }
    return {
      rate: pointOf(saturated).achieved,
      bound: 'at-most',
      interval: null,
      ...found,
      reached: 'already-passed',
      reason: `the lowest step: ${why}${voids}`,
    }
  }

  const sweep = sweepOf(valid, arrivals)
  const { capacity, gain } = hingeOf(valid.map(pointOf))
  const highestOffered = Math.max(...valid.map((step) => pointOf(step).offered))
  // Where no step's state is known all of them may be too short, and what they carried be chance.
  const bends = stable.length > 0 && gain > 0 && valid.length > 1
  if (saturated !== undefined || (bends && gain > gainThreshold(sweep, highestOffered, random))) {
    const why = saturated
      ? `${saturated.label} is saturated: ${saturated.sustain!.reason}`
      : 'successful replies fall behind the arrivals by more than chance'
    // A server that collapses beyond its capacity draws C below what it carried.
    const rate = Math.min(Math.max(capacity, lastSustained ?? 0), firstSaturated ?? Number.POSITIVE_INFINITY)
    return {
      rate,
      bound: null,
      interval: capacityInterval(sweep, rate, random),
      ...found,
      reached: 'within',
      reason: why + voids,
    }
  }
  const highest = valid.at(-1)!
  const undecided =
    highest.sustain?.state === 'undecided' ? `; ${highest.label} is undecided: ${highest.sustain.reason}` : ''
  if (lastSustained === null) return { ...unknown(`no step is known to be carried${undecided}`), ...found }
  return {
    rate: lastSustained,
    bound: 'at-least',
    interval: null,
    ...found,
    reached: 'not-reached',
    reason: `not reached up to ${trim(lastSustained)} req/s${undecided}${voids}`,
  }
}

/** Rates of a step after its ramp, per second. */
function pointOf({ window }: StepProfile) {
  const seconds = windowSeconds(window)
  return { offered: window.arrivals / seconds, achieved: window.completions / seconds }
}

/** The sweep for the bootstrap; service times are the E2E of the lowest step that had a reply. */
function sweepOf(valid: readonly OpenProfile[], arrivals: ArrivalKind): Sweep {
  const lowest = valid.find((step) => step.record.latency.e2e.count > 0)
  return {
    steps: valid.map(({ step, durationMs, window }) => ({
      requests: step.requests,
      durationMs,
      fromMs: window.fromMs,
      toMs: window.toMs,
    })),
    arrivals,
    serviceMs: lowest === undefined ? [1] : quantilesOf(lowest.record.latency.e2e, 256),
  }
}

/**
 * `; the client's own limit is about 1900 req/s; void and left out: 20 req/s, 40 req/s (why the first is)`, empty where
 * no step is void.
 */
export function voidClause(open: readonly OpenProfile[], clientLimit: number | null = null): string {
  const voids = open.filter((step) => step.voids.length > 0)
  if (voids.length === 0) return ''
  const limit = clientLimitClause(voids, clientLimit)
  return `${limit}; void and left out: ${voids.map((step) => step.label).join(', ')} (${voids[0]!.voids[0]!.message})`
}
