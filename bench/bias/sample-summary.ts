/** Mean and 99th percentile of latencies, ms; null without samples. */
export interface SampleSummary {
  readonly meanMs: number | null
  readonly p99Ms: number | null
}

/** Mean, and p99 by nearest rank. */
export function summaryOf(samples: readonly number[]): SampleSummary {
  if (samples.length === 0) return { meanMs: null, p99Ms: null }
  const sum = samples.reduce((total, value) => total + value, 0)
  const p99 = samples.toSorted((a, b) => a - b)[Math.ceil(0.99 * samples.length) - 1]!
  return { meanMs: sum / samples.length, p99Ms: p99 }
}
