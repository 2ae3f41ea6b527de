import { binomialCdf, binomialTail } from './binomial.ts'

/** The confidence at which a limit is refuted, and that intervals have. */
export const CONFIDENCE = 0.95

/**
 * Requests needed so that a run without one breach shows, at 95 %, that at least a share `kept` of all requests keeps
 * the limit: the smallest n with kept^n <= 0.05, ln(0.05) / ln(kept) rounded up.
 *
 * `kept` is p for an upper limit on percentile p (5 for p50, 59 for p95, 299 for p99, 2,995 for p99.9), 1 - p for a
 * lower one, and 1 - r for a limit r on a share of failures. At least 1; at kept = 1 no number would do, and the
 * limit is judged as a count: 1.
 *
 * @see MLPerf inference rules, "Early Stopping"
 */
export function samplesNeeded(kept: number): number {
  if (kept <= 0 || kept >= 1) return 1
  // 1 - 0.95 is a little more than 0.05: without the tolerance, one sample too many would be asked for.
  return Math.max(1, Math.ceil(Math.log(1 - CONFIDENCE) / Math.log(kept) - 1e-9))
}

/**
 * Whether `breaches` of n requests refute, at 95 %, that at most a share `allowed` of all requests breach: as many or
 * more would come up in 5 % of the runs at most. Requests of one run are not independent, so with queueing the true
 * confidence is lower (docs/metrics.md).
 */
export function refutes(breaches: number, n: number, allowed: number): boolean {
  return binomialTail(breaches, n, allowed) <= 1 - CONFIDENCE + 1e-12
}

/**
 * Ranks (1..n, ascending) of the order statistics between which the p-quantile lies with 95 % confidence, whatever
 * the distribution: P(fewer than `low` samples lie below it) <= 2.5 %, and the same above. Null where no sample is low
 * or high enough.
 *
 * @see David, Nagaraja, "Order Statistics", 3rd edition, 7.1
 */
export function intervalRanks(p: number, n: number): readonly [low: number | null, high: number | null] {
  const tail = (1 - CONFIDENCE) / 2
  // Smallest k in 0..n with P(X <= k) above the tail: then low = k, since P(X < k) is at most the tail.
  const low = firstRank(n, (k) => binomialCdf(k, n, p) > tail)
  const high = firstRank(n, (k) => binomialCdf(k, n, p) >= 1 - tail) + 1
  return [low >= 1 ? low : null, high <= n ? high : null]
}

/** The smallest k in 0..n for which a condition holds that, once true, stays so; it holds at n. */
function firstRank(n: number, holds: (k: number) => boolean): number {
  let from = 0
  let to = n
  while (from < to) {
    const middle = (from + to) >>> 1
    if (holds(middle)) to = middle
    else from = middle + 1
  }
  return from
}
