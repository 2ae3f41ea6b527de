/** The four answers to an assertion. */
export type Verdict = 'pass' | 'fail' | 'inconclusive' | 'invalid'

/** What a matcher compares with: the direction and the limits, in the figure's unit. */
export type Comparison =
  | { readonly kind: 'below' | 'at-most' | 'above' | 'at-least'; readonly limit: number }
  | { readonly kind: 'between' | 'outside'; readonly low: number; readonly high: number }

/** A verdict with the sentence that explains it. */
export interface Judgement {
  readonly verdict: Verdict
  /** What was measured, how sure it is, what was expected and, where there is one, what to do. */
  readonly message: string
}

/** One assertion's record, as reports keep it. */
export interface AssertionRecord {
  /** Full name of the test, without the file. */
  readonly test: string
  /** `p99 NTPOT at 20 req/s`. */
  readonly figure: string
  /** `below 40 ms`. */
  readonly expected: string
  readonly verdict: Verdict
  readonly message: string
}
