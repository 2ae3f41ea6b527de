import { behindQuantity, type Quantity } from '../model/quantity.ts'
import type { Ranked } from './ranked.ts'

/** What a figure was taken from: what bars it from being judged, and what its failures end with. */
export interface Scope {
  /** Breaches of the run, and void reasons of the steps that the figure is of: it is invalid. */
  readonly invalid: readonly string[]
  /** Why the figure says nothing, though it has a value: no reply at all, a merged sweep. */
  readonly silent: string | null
  /** `saturation not reached up to 20 req/s`; null in a closed loop. */
  readonly saturation: string | null
}

/** What a matcher needs to judge a figure; kept beside its quantity. */
export type Evidence =
  | PercentileEvidence
  | MeanEvidence
  | ShareEvidence
  | RateEvidence
  | CountEvidence
  | BoundsEvidence
  | PlainEvidence

/** A percentile of a latency; 0 is the minimum, 100 the maximum. */
export interface PercentileEvidence {
  readonly kind: 'percentile'
  readonly scope: Scope
  /** 0..100. */
  readonly percent: number
  readonly seen: Ranked
  /** What the server can have taken at least, the client's own part taken off; null where the client has none. */
  readonly least: Ranked | null
  /** What it can have taken at most, where a late client may also make it too short; else null. */
  readonly most: Ranked | null
}

/** Mean of a latency over replies. */
export interface MeanEvidence {
  readonly kind: 'mean'
  readonly scope: Scope
  readonly seen: Ranked
  readonly least: Ranked | null
  readonly most: Ranked | null
}

/** A share of all scheduled requests: those that have some property, as few and as many as they may truly be. */
export interface ShareEvidence {
  readonly kind: 'share'
  readonly scope: Scope
  readonly requests: number
  readonly least: number
  readonly most: number
}

/** Something per second. */
export interface RateEvidence {
  readonly kind: 'rate'
  readonly scope: Scope
  /** Arrivals that it rests on. */
  readonly requests: number
  /** As seen, per second; null when there was no window, or none is declared. */
  readonly seen: number | null
  /** What it may have been without the client's own part. */
  readonly most: number | null
  /** Share of the sent requests that were sent on time; null where lateness does not matter. */
  readonly onTime: number | null
}

/** A number of requests. */
export interface CountEvidence {
  readonly kind: 'count'
  readonly scope: Scope
  readonly requests: number
  readonly count: number
}

/** A figure that may only be known to lie in [least, most]. */
export interface BoundsEvidence {
  readonly kind: 'bounds'
  readonly scope: Scope
  readonly least: number
  readonly most: number
  /** Why it is not known better. */
  readonly reason: string
  /** Whether the client was in the way: void steps are why, or its own part is. */
  readonly client: boolean
}

/** A figure that is judged as it is: the instrument's own, declared rates. */
export interface PlainEvidence {
  readonly kind: 'plain'
  readonly scope: Scope
  readonly value: number | null
  /** Why there is no value. */
  readonly reason: string
}

/** Bars nothing. */
export const OPEN_SCOPE: Scope = { invalid: [], silent: null, saturation: null }

/** The evidence kept beside a quantity; a quantity without any is judged by its value alone. */
export function evidenceOf(quantity: Quantity): Evidence {
  const behind = behindQuantity(quantity)
  if (isEvidence(behind)) return behind
  return { kind: 'plain', scope: OPEN_SCOPE, value: quantity.value, reason: 'it has no value' }
}

function isEvidence(behind: unknown): behind is Evidence {
  return typeof behind === 'object' && behind !== null && 'kind' in behind && 'scope' in behind
}
