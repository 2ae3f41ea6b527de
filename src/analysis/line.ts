/** A straight line through a series of values. */
export interface Line {
  /** Per place in the series. */
  readonly slope: number
  /** Sum of the squared distances from the line. */
  readonly scatter: number
  /** Standard error of the slope, were the distances independent. */
  readonly slopeError: number
}

/** The least-squares line through values at 0, 1, 2, ...; of at least three. */
export function lineThrough(values: readonly number[]): Line {
  const n = values.length
  const middle = (n - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  const spread = (n * (n * n - 1)) / 12
  const slope = values.reduce((sum, value, i) => sum + (i - middle) * value, 0) / spread
  const scatter = values.reduce((sum, value, i) => sum + (value - mean - slope * (i - middle)) ** 2, 0)
  return { slope, scatter, slopeError: Math.sqrt(scatter / (n - 2) / spread) }
}

/** Standard deviation of the increments between neighbours; of at least three values. */
export function incrementsDeviation(values: readonly number[]): number {
  const increments = values.slice(1).map((value, i) => value - values[i]!)
  const mean = increments.reduce((sum, value) => sum + value, 0) / increments.length
  return Math.sqrt(increments.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (increments.length - 1))
}
