import type { ArrivalKind } from '../model/plan.ts'
import type { Saturation, StepProfile } from '../model/profile.ts'
import type { OpenStep } from '../model/step.ts'
import { trim } from '../model/units.ts'
import { capacityOf, gainThreshold, type Sweep } from './capacity.ts'
import { hingeOf, type RatePoint } from './hinge.ts'
import type { QueueStep, Random } from './queue.ts'
import { quantilesOf } from './startup.ts'
import { clientLimitClause } from './client-bound.ts'
import { isLate } from './punctuality.ts'
import { taperedRate, taperOf } from './taper.ts'

/** Share by which C must be below the highest offered rate to be a knee by itself: how precisely a rate is told. */
const KNEE = 0.05

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
 *   would give and lies at least 5 % below the highest offered rate: the hinge's C less its bias, with a bootstrap
 *   interval, no less than the last sustained rate and no more than the first saturated one;
 * - *not-reached*: at least the highest stable step's declared rate;
 * - *already-passed*: the lowest step is saturated: at most what it carried, its successful replies (by conservation
 *   lambda - beta, the arrivals less the backlog's growth, and less what it shed);
 * - *unknown*: no step is stable and none saturated, or they contradict each other.
 *
 * Undecided steps take part in the fit, save those with too many requests sent late, and are never `lastSustained`. Void steps take part in nothing: a client that
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
      rate: carriedBy(saturated),
      bound: 'at-most',
      interval: null,
      ...found,
      reached: 'already-passed',
      reason: `the lowest step: ${why}${voids}`,
    }
  }

  // Where too many requests were sent late, what fell behind may be the client. A step that sheds is saturated all the same.
  const fitted = valid.filter((step) => step.sustain?.state === 'saturated' || !isLate(step.record))
  const sweep = sweepOf(fitted, arrivals)
  const points = fitted.map((step, i) => pointOf(step, sweep.steps[i]!))
  const { capacity, gain } = hingeOf(points)
  const highestOffered = Math.max(...points.map(({ offered }) => offered))
  // Where no step's state is known all of them may be too short, and what they carried be chance.
  const bends = stable.length > 0 && fitted.length > 1 && capacity < (1 - KNEE) * highestOffered
  if (saturated !== undefined || (bends && gain > gainThreshold(sweep, highestOffered, random))) {
    const why = saturated
      ? `${saturated.label} is saturated: ${saturated.sustain!.reason}`
      : 'successful replies fall behind the arrivals by more than chance'
    // A server that collapses beyond its capacity draws C below what it carried; such a fit has no bias to be corrected.
    const within = (rate: number) =>
      Math.min(Math.max(rate, lastSustained ?? 0), firstSaturated ?? Number.POSITIVE_INFINITY)
    const point = within(capacity)
    const estimate = capacityOf(sweep, point, random)
    const rate = point === capacity ? within(estimate.rate) : point
    const [low, high] = estimate.interval
    return {
      rate,
      bound: null,
      interval: [Math.min(low, rate), Math.max(high, rate)],
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

/**
 * Rates of a step after its ramp, per second. By a taper, and arrivals a service time earlier than replies: so they may
 * differ a little from `rate.offered` and `rate.achieved`, which are plain counts.
 */
function pointOf({ bins }: StepProfile, { taper, lag }: QueueStep): RatePoint {
  return { offered: taperedRate(bins.arrivals, taper, lag), achieved: taperedRate(bins.completions, taper) }
}

/** Successful replies per second of a saturated step. Most of its E2E is queue, so its least is taken for the service time. */
function carriedBy({ bins, window, record }: StepProfile): number {
  return taperedRate(bins.completions, taperOf(bins, window, record.latency.e2e.min ?? 0))
}

/** The sweep as it was offered; service times are the E2E of the lowest step that had a reply. */
function sweepOf(valid: readonly OpenProfile[], arrivals: ArrivalKind): Sweep {
  const e2e = valid.find((step) => step.record.latency.e2e.count > 0)?.record.latency.e2e
  const meanMs = e2e?.mean ?? 0
  return {
    steps: valid.map(({ step, durationMs, bins, window }) => ({
      requests: step.requests,
      durationMs,
      taper: taperOf(bins, window, meanMs),
      lag: Math.round(Math.min(window.fromMs, meanMs) / bins.widthMs),
    })),
    arrivals,
    serviceMs: e2e === undefined ? [1] : quantilesOf(e2e, 256),
    replies: e2e?.count ?? 0,
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
