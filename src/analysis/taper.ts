import type { Bins, Window } from '../model/profile.ts'

/** The taper rises over about this share of the window, and falls over as much (chosen: see the price below). */
const EDGE = 1 / 6

/** How much what happens in a time bin counts for the rate of a step. */
export interface Taper {
  readonly widthMs: number
  /** Length of the window. */
  readonly lengthMs: number
  /** By bin from the step's start, per second: the sum over events is their rate. None after the window's end. */
  readonly weights: Float64Array
}

/**
 * The taper of a window: the mean count per second over all spans of a whole number of service times that lie in it.
 *
 * With a span s and a window of length L, an event at t ms from the window's start and u from its end weighs
 * min(t, u, s, L - s) / (s x (L - s)). s is the multiple of the service time nearest to L / 6, at least one; a window
 * that is no longer than s is counted evenly, as in `Window`.
 *
 * Why not the plain count: a full server ends its requests in waves, one a service time, and an even window cuts a part
 * of a wave off. Every span of one service time holds as many ends as there are servers, wherever it begins, if service
 * times are alike; and edges that rise slowly make little of waves whose length is not known well (servers that become
 * slower under load). The price is the spread of the rate where there are no waves: 6 % more at s = L / 6, and
 * at most 15 % more, at s = L / 2.
 *
 * @param serviceMs mean service time; 0 when unknown.
 */
export function taperOf({ widthMs }: Pick<Bins, 'widthMs'>, window: Window, serviceMs: number): Taper {
  const from = Math.round(window.fromMs / widthMs)
  const to = Math.max(from + 1, Math.round(window.toMs / widthMs))
  const lengthMs = (to - from) * widthMs
  const span = spanOf(lengthMs, serviceMs)
  // Half a bin is where the first bin stands: a taper without edges.
  const edge = Math.max(widthMs / 2, Math.min(span, lengthMs - span))
  const weights = Float64Array.from({ length: to }, (_, bin) => {
    const at = (bin - from + 0.5) * widthMs
    return Math.max(0, Math.min(at, lengthMs - at, edge))
  })
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  return { widthMs, lengthMs, weights: weights.map((weight) => (weight * 1000) / (total * widthMs)) }
}

/** The rate of counts under a taper, per second; those of `lag` bins earlier. */
export function taperedRate(counts: readonly number[], { weights }: Taper, lag = 0): number {
  return weights.reduce((sum, weight, bin) => sum + weight * (counts[bin - lag] ?? 0), 0)
}

function spanOf(lengthMs: number, serviceMs: number): number {
  if (serviceMs <= 0) return EDGE * lengthMs
  return Math.min(lengthMs, serviceMs * Math.max(1, Math.round((EDGE * lengthMs) / serviceMs)))
}
