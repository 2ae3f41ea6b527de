import type { Bins, Distribution } from '../model/profile.ts'
import { refutes } from './confidence.ts'

/**
 * Margin on the expected share of ends: servers are faster while they are still empty, so that a healthy one may end
 * more than its mean E2E explains. Chosen by simulation of servers whose E2E doubles with load.
 */
const FASTER_WHILE_EMPTY = 1.25

/**
 * Whether a growing backlog cannot be the mere filling of a server that began empty (for steps that are short against
 * their E2E, where a healthy server's backlog grows too).
 *
 * If it were, each request that arrived until T would be over by then with probability
 * p = 1/T x integral of F(u) du from 0 to T, F the distribution of the step's own E2E: requests that take long end
 * late. A saturated server ends requests at its own even pace from early on, more than that; E2E is then long
 * because of the queue. Refuted when as many ends as there were by T have a probability of at most 5 % at 1.25 p.
 */
export function startupRefuted(bins: Bins, e2e: Distribution, untilMs: number): boolean {
  const until = Math.round(untilMs / bins.widthMs)
  const sum = (counts: readonly number[]) => counts.slice(0, until).reduce((total, count) => total + count, 0)
  const times = quantilesOf(e2e, 200)
  const untilEdge = until * bins.widthMs
  if (times.length === 0 || untilEdge === 0) return false
  const over = times.reduce((total, ms) => total + Math.max(0, 1 - ms / untilEdge), 0) / times.length
  return refutes(sum(bins.ends), sum(bins.arrivals), Math.min(1, FASTER_WHILE_EMPTY * over))
}

/** Samples at the middles of `size` equal shares of a distribution, ms ascending; none where there are none. */
export function quantilesOf(samples: Distribution, size: number): number[] {
  return Array.from({ length: size }, (_, i) =>
    samples.valueAtRank(Math.ceil(((i + 0.5) * samples.count) / size)),
  ).filter((value) => value !== null)
}
