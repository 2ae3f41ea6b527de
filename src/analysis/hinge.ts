/** One step of a sweep as the hinge sees it: both per second, after the ramp, by one taper (`taper.ts`). */
export interface RatePoint {
  /** lambda: arrivals, one service time earlier than the replies. */
  readonly offered: number
  /** X: successful replies. */
  readonly achieved: number
}

/** The best hinge through the points of a sweep. */
export interface Hinge {
  /** C, per second: the rate at which achieved stops to follow offered. Infinite when every point is below it. */
  readonly capacity: number
  /** By how much the hinge fits better than the line X = lambda: the weighted sum of squares that it saves. */
  readonly gain: number
}

/**
 * The hinge X = min(lambda, C): C minimises sum w (X - min(lambda, C))^2 with w = 1 / lambda, the inverse of a rate's
 * variance. The slope below C is 1 by conservation: what a server carries, it completes.
 *
 * Exact: with the points sorted, each number of points above C gives one candidate, their weighted mean.
 * A server whose throughput falls beyond its capacity (preemption, swapping) makes C too low.
 *
 * @see Denning, Buzen, "The Operational Analysis of Queueing Network Models", 1978; Hinkley 1969
 */
export function hingeOf(points: readonly RatePoint[]): Hinge {
  const sorted = points.filter((point) => point.offered > 0).toSorted((a, b) => a.offered - b.offered)
  const line = misfit(sorted, Number.POSITIVE_INFINITY)
  let best: Hinge = { capacity: Number.POSITIVE_INFINITY, gain: 0 }
  for (let first = 0; first < sorted.length; first++) {
    const above = sorted.slice(first)
    const weight = above.reduce((sum, { offered }) => sum + 1 / offered, 0)
    const capacity = above.reduce((sum, { offered, achieved }) => sum + achieved / offered, 0) / weight
    const gain = line - misfit(sorted, capacity)
    if (capacity < sorted.at(-1)!.offered && gain > best.gain) best = { capacity, gain }
  }
  return best
}

function misfit(points: readonly RatePoint[], capacity: number): number {
  return points.reduce((sum, { offered, achieved }) => sum + (achieved - Math.min(offered, capacity)) ** 2 / offered, 0)
}
