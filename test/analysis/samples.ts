import type { Distribution } from '../../src/model/profile.ts'

/** A distribution of exactly these samples, ms. */
export function distributionOf(values: Iterable<number>): Distribution {
  const sorted = Float64Array.from(values).sort()
  const count = sorted.length
  return {
    count,
    min: sorted[0] ?? null,
    max: sorted.at(-1) ?? null,
    mean: count === 0 ? null : sorted.reduce((sum, value) => sum + value, 0) / count,
    valueAtRank: (rank) => (Number.isInteger(rank) ? (sorted[rank - 1] ?? null) : null),
    countAbove: (limit) => sorted.filter((value) => value > limit).length,
    countBelow: (limit) => sorted.filter((value) => value < limit).length,
    encode: () => null,
  }
}

/** 1, 2, ..., n. */
export function upTo(n: number): number[] {
  return Array.from({ length: n }, (_, i) => i + 1)
}
