import type { Distribution } from '../model/profile.ts'
import { intervalRanks } from './confidence.ts'

/** Samples of a metric, and the requests that they are of. */
export interface Ranked {
  readonly samples: Distribution
  /** Replies to which the metric applies: as many as samples, save for ITL and ICL, of which a reply has many. */
  readonly replies: number
  /** Requests without a successful reply. They have no sample: they only take ranks. */
  readonly failures: number
}

/** Requests that a percentile is over: replies to which the metric applies, and failures. */
export function requestsOf({ replies, failures }: Ranked): number {
  return replies + failures
}

/**
 * Percentile by nearest rank, ms, with failures ranked above every reply: what an upper limit is compared with.
 *
 * Rank = ceil(p n s / m): n requests, m replies, s samples, p = percent / 100. With one sample a reply that is
 * ceil(p n); for ITL and ICL it is percentile p / (1 - f) of the samples, f the share of failures. Rank 0 (`min`) is 1.
 *
 * @returns null where the rank falls on a failure, or there is no sample: the percentile does not exist.
 */
export function percentileAbove(ranked: Ranked, percent: number): number | null {
  const { samples, replies } = ranked
  if (replies === 0) return null
  const [part, whole] = shareOf(percent)
  const rank = ceilDivide(part * BigInt(requestsOf(ranked)) * BigInt(samples.count), whole * BigInt(replies))
  return samples.valueAtRank(Math.max(1, rank))
}

/**
 * Percentile by nearest rank, ms, with failures ranked below every reply: what a lower limit is compared with.
 * Rank = ceil((p n - f) s / m), f failures.
 *
 * @returns null where the rank falls on a failure, or there is no sample.
 */
export function percentileBelow(ranked: Ranked, percent: number): number | null {
  const { samples, replies, failures } = ranked
  if (replies === 0) return null
  const [part, whole] = shareOf(percent)
  const above = part * BigInt(requestsOf(ranked)) - whole * BigInt(failures)
  const rank = ceilDivide(above * BigInt(samples.count), whole * BigInt(replies))
  return samples.valueAtRank(failures === 0 ? Math.max(1, rank) : rank)
}

/**
 * 95 % interval of a percentile by order statistics, ms, with failures ranked above every reply. An end is null where
 * there are too few requests for it or it falls on a failure. Assumes independent requests: with queueing it is too
 * narrow.
 */
export function percentileInterval(ranked: Ranked, percent: number): readonly [number | null, number | null] {
  const { samples, replies } = ranked
  if (replies === 0) return [null, null]
  const [low, high] = intervalRanks(percent / 100, requestsOf(ranked))
  const at = (rank: number | null) =>
    rank === null || rank > replies ? null : samples.valueAtRank(Math.ceil((rank * samples.count) / replies))
  return [at(low), at(high)]
}

/**
 * Requests that break a limit: failures, and of the replies the share of samples beyond it. `at` is whether a sample
 * equal to the limit breaks it.
 */
export function breachesAbove({ samples, replies, failures }: Ranked, limitMs: number, at: boolean): number {
  const beyond = at ? samples.count - samples.countBelow(limitMs) : samples.countAbove(limitMs)
  return failures + shareOfReplies(beyond, samples.count, replies)
}

/** The same below a lower limit. */
export function breachesBelow({ samples, replies, failures }: Ranked, limitMs: number, at: boolean): number {
  const beyond = at ? samples.count - samples.countAbove(limitMs) : samples.countBelow(limitMs)
  return failures + shareOfReplies(beyond, samples.count, replies)
}

function shareOfReplies(beyond: number, count: number, replies: number): number {
  return count === 0 ? 0 : Math.floor((beyond * replies) / count)
}

/** percent / 100 as a fraction of whole numbers, exact to 12 decimals: ranks must not move with 0.07 x 100 = 7.000000000000001. */
function shareOf(percent: number): readonly [bigint, bigint] {
  return [BigInt(percent.toFixed(12).replace('.', '')), 10n ** 14n]
}

/** The quotient rounded up; the divisor is positive. */
function ceilDivide(a: bigint, b: bigint): number {
  const quotient = a / b
  return Number(a > 0n && a % b !== 0n ? quotient + 1n : quotient)
}
