import { expect, test } from 'vitest'
import { intervalRanks, refutes, samplesNeeded } from '../../src/analysis/confidence.ts'

test.each([
  // ln(0.05) / ln(kept), rounded up
  [0.5, 5, 'p50: 4.3'],
  [0.95, 59, 'p95: 58.4'],
  [0.99, 299, 'p99, or a limit of 1 % on failures: 298.1'],
  [0.999, 2995, 'p99.9: 2994.2'],
  [1 - 0.95, 1, 'a lower limit on p95: 1, though 1 - 0.95 is a little more than 0.05'],
  [1 - 0.5, 5, 'a lower limit on p50'],
  [0, 1, 'a limit of 100 % on failures: any request shows it'],
  [1, 1, 'a limit of none: judged as a count'],
])('a share of %d needs %d requests without a breach (%s)', (kept, needed) => {
  expect(samplesNeeded(kept)).toBe(needed)
})

test.each([
  // P(X >= breaches) at the allowed share, against 5 %
  [3, 120, 0.01, false, '12.0 %'],
  [4, 120, 0.01, true, '3.3 %'],
  [1, 1, 0.01, true, '1 %: one request that failed already refutes p99'],
  [1, 10, 0.01, false, '9.6 %'],
  [0, 10, 0.01, false, '100 %'],
  [1, 1000, 0, true, '0: nothing is allowed'],
])('%d breaches of %d refute a share of %d: %s (%s)', (breaches, n, allowed, refuted) => {
  expect(refutes(breaches, n, allowed)).toBe(refuted)
})

test.each<[number, number, readonly [number | null, number | null], string]>([
  [0.5, 10, [2, 9], 'the median of ten: P(X < 2) = 1.1 %, P(X < 3) = 5.5 %'],
  [0.99, 600, [589, 599], 'P(X < 589) = 1.95 %, P(X < 590) = 4.2 %; P(X >= 599) = 1.7 %'],
  [0.99, 1000, [983, 997], 'p98.3 to p99.7'],
  [0.5, 5, [null, null], 'P(all above) = 3.1 % is more than 2.5 %'],
  [0.95, 59, [52, null], 'no sample is high enough: P(all below) = 4.8 %'],
])('the interval of quantile %d of %d samples has ranks %j (%s)', (p, n, ranks) => {
  expect(intervalRanks(p, n)).toEqual(ranks)
})
