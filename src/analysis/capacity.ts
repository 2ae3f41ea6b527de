import type { ArrivalKind } from '../model/plan.ts'
import { hingeOf } from './hinge.ts'
import { type Queue, type QueueStep, type Random, simulateStep } from './queue.ts'

/** A sweep as it was offered, and the server's service times, for simulating it. */
export interface Sweep {
  readonly steps: readonly QueueStep[]
  readonly arrivals: ArrivalKind
  /** E2E of the lowest step, ms: equally likely service times, not empty. */
  readonly serviceMs: readonly number[]
}

/** Simulated sweeps behind a threshold or an interval: the 5 % quantiles rest on 10 of them. */
const REPLICAS = 200
/** Requests of one simulated sweep, which bound the cost: 200 sweeps take about 30 ms. */
const REQUESTS = 2000

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
 * 95 % interval of the capacity by a parametric bootstrap: the errors of the hinge's C in sweeps simulated at the
 * fitted capacity, per second. Covers what arrivals and service times vary; not that the server is no such queue.
 *
 * @see Davison, Hinkley, "Bootstrap Methods and their Application", 1997, 5.2 (basic interval)
 */
export function capacityInterval(sweep: Sweep, capacity: number, random: Random): readonly [number, number] {
  const shrink = scaleOf(sweep)
  // Replicas without a knee end at the highest offered rate: the sweep could not have told more.
  const highest = Math.max(...sweep.steps.map((step) => (step.requests / step.durationMs) * 1000))
  const errors = replicas(sweep, capacity, random).map(
    (hinge) => (Math.min(hinge.capacity * shrink, highest) - capacity) / Math.sqrt(shrink),
  )
  // The fitted capacity is part of it, also where simulated steps without any noise all err by the same.
  const [low, high] = [capacity - quantile(errors, 0.975), capacity - quantile(errors, 0.025)]
  return [Math.max(0, Math.min(low, capacity)), Math.max(high, capacity)]
}

/**
 * Hinges of sweeps simulated from empty as a G/G/c queue of a given capacity C (per second), over the same windows.
 *
 * c = C x W servers (Little's law, W = mean service), at least 1; the service times are then scaled so that the
 * capacity is C exactly. Where the sweep has more than 2,000 requests, a k-th of the server is simulated under a k-th
 * of the load: rates and C are k times smaller, relative errors sqrt(k) times larger, and the gain, weighted by
 * 1 / lambda, stays the same.
 */
function replicas({ steps, arrivals, serviceMs }: Sweep, capacity: number, random: Random) {
  const k = scaleOf({ steps, arrivals, serviceMs })
  const meanMs = serviceMs.reduce((sum, ms) => sum + ms, 0) / serviceMs.length
  const perMs = capacity / k / 1000
  const servers = Math.max(1, Math.round(perMs * meanMs))
  const stretch = servers / perMs / meanMs
  const queue: Queue = { servers, serviceMs: serviceMs.map((ms) => ms * stretch) }
  const scaled = steps.map((step) => ({ ...step, requests: Math.max(1, Math.round(step.requests / k)) }))
  return Array.from({ length: REPLICAS }, () =>
    hingeOf(
      scaled.map((step) => {
        const counted = simulateStep(queue, step, arrivals, random)
        const seconds = (step.toMs - step.fromMs) / 1000
        return { offered: counted.arrivals / seconds, achieved: counted.ends / seconds }
      }),
    ),
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
