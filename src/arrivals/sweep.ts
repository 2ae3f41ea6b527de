/** Arrival rates of a sweep, per second. */
export interface SweepRange {
  /** Rate of the first step; above 0 for geometric spacing. */
  readonly from: number
  /** Rate of the last step. */
  readonly to: number
  /** Number of steps, at least 1; one step has the rate `from`. */
  readonly count: number
  readonly spacing: 'linear' | 'geometric'
}

/**
 * The rates of a sweep in order, per second: equal differences (linear) or equal ratios (geometric). The first and
 * the last are exact; those between are rounded to six significant digits, as step labels show them, so that
 * `at(40)` finds 40 and not 39.99999999999999.
 */
export function sweepRates({ from, to, count, spacing }: SweepRange): number[] {
  return Array.from({ length: count }, (_, i) => {
    if (i === 0) return from
    if (i === count - 1) return to
    const part = i / (count - 1)
    const rate = spacing === 'linear' ? from + (to - from) * part : from * (to / from) ** part
    return Number(rate.toPrecision(6))
  })
}
