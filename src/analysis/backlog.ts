import type { Bins, Window } from '../model/profile.ts'
import { incrementsDeviation, lineThrough } from './line.ts'

/** Growth of a backlog as a share of the arrivals, with its one-sided 95 % bounds. */
export interface Growth {
  /** Slope of the backlog / arrival rate: 0 for a steady server, 1 - C / lambda for one of capacity C < lambda. */
  readonly perArrival: number
  readonly low: number
  readonly high: number
}

/** Blocks of equal length that the window is cut into (chosen: enough for a noise estimate, few enough to average). */
const BLOCKS = 10

/**
 * One-sided 95 % quantile of (fitted - true slope) x sqrt(BLOCKS - 1) / sd(increments of the block means) for a random
 * walk with drift, which the backlog of a saturated server is. Free of the walk's rate and variance.
 * From `bench/backlog-thresholds.ts`.
 */
const WALK_QUANTILE = 2.43

/**
 * The backlog follows the arrivals when it strays from its line by less than this share of what the arrivals stray
 * from theirs (sums of squares). Under saturation the departures go at the server's own pace, so the share is 1 or
 * more in the mean, and below 0.5 in 5 % of the runs at most. From `bench/backlog-thresholds.ts`.
 */
const FOLLOWS = 0.5

/**
 * One-sided 95 % quantile of fitted slope / its least-squares standard error for the backlog of stable queues that
 * follows the arrivals: the largest of twelve, 1 to 64 servers at 0.3 to 0.85 of their capacity. (Student's t with 8
 * degrees of freedom, 1.86, is for independent blocks, which the blocks of a busy queue are not.)
 * From `bench/backlog-thresholds.ts`.
 */
const FOLLOWING_QUANTILE = 4.1

/**
 * How fast the backlog grows inside a window: the slope of the least-squares line through its ten block means.
 *
 * The backlog is L(t) = arrivals until t - lag, less ends until t. A lag of the unloaded E2E takes out the requests
 * that are merely being served, whose number goes up and down with the arrivals; the slope stays the same.
 *
 * Noise: a saturated server's backlog is a random walk with drift, whose variance is estimated from the increments of
 * its block means (so neither Poisson arrivals nor a service variance is assumed). That gives both bounds. A backlog
 * that follows the arrivals is no such walk, and has the much smaller error of scatter about a line: the upper bound
 * is then the lesser of both.
 *
 * Checked by simulation from empty with Poisson and constant arrivals, CV of service 0.1 to 1, 1 to 64 servers, 50 to
 * 1,000 requests, in 22 settings: saturated is said of 0.2 % of the steps at 0.85 of the capacity (1.5 % in the worst
 * setting) and of 0.8 % at 0.95 (5.5 %), stable of 1.4 % of those that grow by 5 % (4.5 %). The law in
 * test/laws/saturation.test.ts watches over it.
 *
 * Not to be trusted where E2E itself rises with the load until near capacity (a server that shares one processor among
 * all requests): such a backlog needs far longer than the ramp to become steady, and is called saturated too early,
 * from about 0.85 of the capacity on.
 *
 * @param lagMs shortened to the window's start where it is longer.
 * @returns null where the window has no arrival or fewer than ten time bins.
 * @see Loynes 1962, "The stability of a queue with non-independent inter-arrival and service times"
 */
export function growthOf(bins: Bins, window: Window, lagMs: number): Growth | null {
  const first = Math.round(window.fromMs / bins.widthMs)
  const to = Math.round(window.toMs / bins.widthMs)
  // Blocks of equal length: what is left over is taken off the beginning, next to the ramp.
  const perBlock = Math.floor((to - first) / BLOCKS)
  const from = to - BLOCKS * perBlock
  const arrived = cumulative(bins.arrivals, to)
  const ended = cumulative(bins.ends, to)
  const arrivalsPerBlock = (arrived[to]! - arrived[from]!) / BLOCKS
  if (perBlock === 0 || arrivalsPerBlock === 0) return null

  const lag = Math.min(first, Math.round(lagMs / bins.widthMs))
  const backlog = blockMeans(from, perBlock, (edge) => arrived[edge - lag]! - ended[edge]!)
  const line = lineThrough(backlog)
  const arrivals = lineThrough(blockMeans(from, perBlock, (edge) => arrived[edge]!))
  const walk = (WALK_QUANTILE * incrementsDeviation(backlog)) / Math.sqrt(BLOCKS - 1)
  const follows = line.scatter < FOLLOWS * arrivals.scatter
  const above = follows ? Math.min(walk, FOLLOWING_QUANTILE * line.slopeError) : walk
  return {
    perArrival: line.slope / arrivalsPerBlock,
    low: (line.slope - walk) / arrivalsPerBlock,
    high: (line.slope + above) / arrivalsPerBlock,
  }
}

/** Sums of the counts before each bin edge: `to + 1` numbers, the first 0. */
function cumulative(counts: readonly number[], to: number): number[] {
  const sums = [0]
  for (let bin = 0; bin < to; bin++) sums.push(sums[bin]! + (counts[bin] ?? 0))
  return sums
}

/** Means, over ten blocks of bins from `from` on, of a function of the edge at each bin's end. */
function blockMeans(from: number, perBlock: number, at: (edge: number) => number): number[] {
  return Array.from({ length: BLOCKS }, (_, block) => {
    let total = 0
    for (let bin = 0; bin < perBlock; bin++) total += at(from + block * perBlock + bin + 1)
    return total / perBlock
  })
}
