import { refutes, samplesNeeded } from './confidence.ts'
import type { Side } from './comparison.ts'
import type { Evidence, MeanEvidence, PercentileEvidence, RateEvidence, ShareEvidence } from './evidence.ts'
import { ON_TIME } from './punctuality.ts'
import { breachesAbove, breachesBelow, percentileAbove, percentileBelow, type Ranked, requestsOf } from './ranked.ts'

/** Requests that a mean or a rate needs to pass (chosen: the usual bound for the normal approximation). */
const NEEDED_BY_MEAN = 30
/** Share of failures above which a mean of the replies says nothing. */
const MEAN_FAILURES = 0.01

/**
 * Between what values the true figure lies, as far as the client's lateness could have moved it or it is only bounded:
 * `least` to `most`, infinite where it does not exist for this side. For one side of one comparison.
 */
export interface Span {
  readonly least: number
  readonly most: number
  /** Requests there are, and needed to pass. */
  readonly have: number
  readonly needed: number
  /** Whether the requests there are, too few as they may be, refute the limit at 95 % whatever the client did. */
  readonly refuted: boolean
  /** What it is when the limit lies inside the span, and why. */
  readonly inside: { readonly verdict: 'invalid' | 'inconclusive'; readonly reason: string }
}

const CLIENT_IN_THE_WAY =
  "the client's own delay could have tipped it: use more workers, a machine with more cores, or a lower rate"

/**
 * The span of a figure for one side of a comparison, or a sentence where there is nothing to judge.
 *
 * Latencies: from the figure less the client's own part, request by request, to the measured one; differences of two
 * stamps (TPOT, ITL, ICL) to the figure plus that part. Failures stand on the side that does not help. Goodput: counted
 * by latencies as measured and less the client's part. Rates: without bound above where less than 99 % of the requests
 * were sent on time; in a closed loop up to rate x (1 + mean client delay / the server's own mean E2E).
 */
export function spanOf(evidence: Evidence, side: Side): Span | string {
  switch (evidence.kind) {
    case 'percentile':
      return percentileSpan(evidence, side)
    case 'mean':
      return meanSpan(evidence)
    case 'share':
      return shareSpan(evidence, side)
    case 'rate':
      return rateSpan(evidence)
    case 'count':
      return evidence.requests === 0 ? 'nothing was scheduled' : exactly(evidence.count, evidence.requests)
    case 'bounds': {
      const { least, most, reason, client } = evidence
      return { ...exactly(least, 1), most, inside: { verdict: client ? 'invalid' : 'inconclusive', reason } }
    }
    case 'plain':
      return evidence.value === null ? evidence.reason : exactly(evidence.value, 1)
  }
}

function percentileSpan({ percent, seen, ...bounds }: PercentileEvidence, side: Side): Span | string {
  const have = requestsOf(seen)
  if (have === 0) return 'there is no request to which it applies'
  const { least, most } = { least: bounds.least ?? seen, most: bounds.most ?? seen }
  const upper = side.direction === 'upper'
  const read = (ranked: Ranked) =>
    upper
      ? (percentileAbove(ranked, percent) ?? Number.POSITIVE_INFINITY)
      : (percentileBelow(ranked, percent) ?? Number.NEGATIVE_INFINITY)
  const extreme = percent === 0 || percent === 100
  const kept = upper ? percent / 100 : 1 - percent / 100
  const breaches = upper ? breachesAbove(least, side.limit, side.strict) : breachesBelow(most, side.limit, side.strict)
  return {
    least: read(least),
    most: read(most),
    have,
    needed: extreme ? 1 : samplesNeeded(kept),
    refuted: !extreme && refutes(breaches, have, 1 - kept),
    inside: { verdict: 'invalid', reason: CLIENT_IN_THE_WAY },
  }
}

function meanSpan({ seen, least, most }: MeanEvidence): Span | string {
  const mean = seen.samples.mean
  const have = requestsOf(seen)
  if (have === 0) return 'there is no request to which it applies'
  if (mean === null || seen.failures > MEAN_FAILURES * have) {
    return 'it is a mean of the replies alone, and more than 1 % of the requests got none: use a percentile'
  }
  return {
    least: least?.samples.mean ?? mean,
    most: most?.samples.mean ?? mean,
    have,
    needed: NEEDED_BY_MEAN,
    refuted: false,
    inside: { verdict: 'invalid', reason: CLIENT_IN_THE_WAY },
  }
}

function shareSpan({ requests, least, most }: ShareEvidence, { direction, limit }: Side): Span | string {
  if (requests === 0) return 'nothing was scheduled'
  const upper = direction === 'upper'
  return {
    least: least / requests,
    most: most / requests,
    have: requests,
    needed: samplesNeeded(upper ? 1 - limit : limit),
    refuted: upper ? refutes(least, requests, limit) : refutes(requests - most, requests, 1 - limit),
    inside: { verdict: 'invalid', reason: CLIENT_IN_THE_WAY },
  }
}

function rateSpan({ seen, most, requests, onTime }: RateEvidence): Span | string {
  if (seen === null) return 'there is no such rate: nothing was scheduled after the ramp, or none is declared'
  const late = onTime !== null && onTime < ON_TIME
  const reason = late
    ? `only ${Math.floor(onTime * 1000) / 10} % of the requests were sent on time, 99 % must be before the server is blamed: use more workers, a machine with more cores, or a lower rate`
    : CLIENT_IN_THE_WAY
  return {
    least: seen,
    most: late ? Number.POSITIVE_INFINITY : (most ?? seen),
    have: requests,
    needed: NEEDED_BY_MEAN,
    refuted: false,
    inside: { verdict: 'invalid', reason },
  }
}

function exactly(value: number, requests: number): Span {
  return {
    least: value,
    most: value,
    have: requests,
    needed: 1,
    refuted: false,
    inside: { verdict: 'inconclusive', reason: 'it is only bounded' },
  }
}
