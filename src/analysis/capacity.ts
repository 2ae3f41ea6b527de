import type { ArrivalKind } from '../model/plan.ts'
import { type Hinge, hingeOf } from './hinge.ts'
import { type Queue, type QueueStep, type Random, simulateStep } from './queue.ts'

/** A sweep as it was offered, and the server's service times, for simulating it. */
export interface Sweep {
  readonly steps: readonly QueueStep[]
  readonly arrivals: ArrivalKind
  /** E2E of the lowest step, ms: equally likely service times, not empty. */
  readonly serviceMs: readonly number[]
  /** Replies that the service times are known from. */
  readonly replies: number
}

/** A capacity with what chance does to it, per second. */
export interface Capacity {
  readonly rate: number
  /** 95 %; the rate lies in it. */
  readonly interval: readonly [number, number]
}

/** Simulated sweeps behind a threshold or an interval: the 5 % quantiles rest on 10 of them. */
const REPLICAS = 200
/** Requests of one simulated sweep, which bound the cost: 200 sweeps take about 40 ms. */
const REQUESTS = 2000
/** Relative precision of service times, which come from histograms. */
const RESOLUTION = 0.001

/**
 * The gain of a hinge that a sweep without saturation reaches in 5 % of the runs: the 95 % quantile of the gain when
 * the sweep is simulated at a capacity of its highest offered rate, where the gain is largest. (Chi-square does not
 * serve: C lies on the border of what is possible.)
 */
export function gainThreshold(sweep: Sweep, highestOffered: number, random: Random): number {
  const gains = replicas(sweep, highestOffered, random).map((hinge) => hinge.gain)
  return quantile(gains, 0.95)
}

/**
 * The capacity behind a hinge's C, by a parametric bootstrap. The ratios r = C* / C of the hinges of sweeps simulated
 * at C tell how the hinge errs: the capacity is C / median(r), its 95 % interval C / r_0.975 to C / r_0.025.
 *
 * The ratios' distance from their median is widened by 1 + 1.2 / (n - 1), as Student's t is wider than the normal
 * distribution, since how much service times vary is known from n replies. The interval is no narrower than one reply
 * more or less in the window, or 0.1 %. It covers what arrivals and service times vary; not that the server is no such
 * queue.
 *
 * @see Davison, Hinkley, "Bootstrap Methods and their Application", 1997, 5.2 (basic interval, of log C)
 */
export function capacityOf(sweep: Sweep, hinge: number, random: Random): Capacity {
  const k = scaleOf(sweep)
  const oneReply = 1000 / Math.max(...sweep.steps.map(({ taper }) => taper.lengthMs))
  if (hinge === 0) return { rate: 0, interval: [0, oneReply] }
  // Replicas without a knee end at the highest offered rate: the sweep could not have told more.
  const highest = Math.max(...sweep.steps.map((step) => (step.requests / step.durationMs) * 1000))
  const errors = replicas(sweep, hinge, random).map(
    ({ capacity }) => Math.log(Math.max(oneReply, Math.min(capacity * k, highest)) / hinge) / Math.sqrt(k),
  )
  const median = quantile(errors, 0.5)
  const rate = hinge / Math.exp(median)
  const wider = 1 + 1.2 / Math.max(1, sweep.replies - 1)
  const bound = (p: number) => rate / Math.exp(wider * (quantile(errors, p) - median))
  const least = Math.max(oneReply, RESOLUTION * rate)
  return {
    rate,
    interval: [Math.max(0, Math.min(bound(0.975), rate - least)), Math.max(bound(0.025), rate + least)],
  }
}

/**
 * Hinges of sweeps simulated from empty as a G/G/c queue of a given capacity C (per second), by the same tapers.
 *
 * c = C x W servers (Little's law, W = mean service), at least 1; the service times are then scaled so that the
 * capacity is C exactly. Where the sweep has more than 2,000 requests, a k-th of the server is simulated under a k-th
 * of the load: rates and C are k times smaller, relative errors sqrt(k) times larger, and the gain, weighted by
 * 1 / lambda, stays the same.
 */
function replicas(sweep: Sweep, capacity: number, random: Random): Hinge[] {
  const { steps, arrivals, serviceMs } = sweep
  const k = scaleOf(sweep)
  const meanMs = serviceMs.reduce((sum, ms) => sum + ms, 0) / serviceMs.length
  const perMs = capacity / k / 1000
  const servers = Math.max(1, Math.round(perMs * meanMs))
  const stretch = servers / perMs / meanMs
  const queue: Queue = { servers, serviceMs: serviceMs.map((ms) => ms * stretch) }
  const scaled = steps.map((step) => ({ ...step, requests: Math.max(1, Math.round(step.requests / k)) }))
  return Array.from({ length: REPLICAS }, () =>
    hingeOf(scaled.map((step) => simulateStep(queue, step, arrivals, random))),
  )
}

/** k: how many times smaller the simulated server is. */
function scaleOf({ steps }: Sweep): number {
  return Math.max(1, steps.reduce((sum, step) => sum + step.requests, 0) / REQUESTS)
}

function quantile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)]!
}
