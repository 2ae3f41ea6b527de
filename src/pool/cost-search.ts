import { SIZING_RHO } from '../model/plan.ts'
import type { CostSample } from './cost-sample.ts'

/** Around the utilisation that a pool is sized for, costs still count as read there. */
const LEAST_RHO = 0.35
const MOST_RHO = 0.65

/** Cost of an event in a closed loop at full speed over its cost in an open loop that is half busy, about. */
const CLOSED_COST = 0.6
/** Most that one step may raise or lower the rate by. */
const STRIDE = 3

/** Cost of an event, and whether it is only an upper bound of what a half-busy loop needs. */
export interface HalfBusyCost {
  readonly ms: number
  readonly limited: boolean
}

/**
 * Rate of the next step, requests per second: the one at which the loop should be half busy by what the last step
 * cost, or half the last rate after one that was not sound.
 *
 * @param full rate at which a closed loop was full: where the search begins
 */
export function nextRate(full: number, samples: readonly CostSample[]): number {
  const last = samples.at(-1)
  if (last === undefined) return full * CLOSED_COST * SIZING_RHO
  if (last.fault !== null) return last.rate / 2
  const wanted = (1000 * SIZING_RHO) / last.replyMs
  return Math.min(last.rate * STRIDE, Math.max(last.rate / STRIDE, wanted))
}

/**
 * Cost of the event at a loop that is half busy, ms: the median of the sound steps whose rho is 0.35 to 0.65. Costs are
 * higher there than at full speed, where a turn of the loop serves many events, and lower than on an idle loop, which
 * wakes for each.
 *
 * Where no sound step came there it is `limited`, and made of the one that came nearest from below; where all were
 * busier, of the dearest. Rates made of it promise too little rather than too much. Null when no step was sound.
 */
export function costAtHalf(samples: readonly CostSample[]): HalfBusyCost | null {
  const sound = samples.filter((sample) => sample.fault === null)
  const near = sound.filter(({ rho }) => rho >= LEAST_RHO && rho <= MOST_RHO)
  if (near.length > 0) return { ms: median(near.map((sample) => sample.eventMs)), limited: false }
  const below = sound.filter(({ rho }) => rho < LEAST_RHO).toSorted((a, b) => b.rho - a.rho)
  const [best] = [...below, ...sound.toSorted((a, b) => b.eventMs - a.eventMs)]
  return best === undefined ? null : { ms: best.eventMs, limited: true }
}

/** The middle one; of an even number the higher of the two. */
function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}
