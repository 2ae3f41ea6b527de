import { expect, test } from 'vitest'
import { sweepRates } from '../../src/arrivals/sweep.ts'

test.each([
  // Equal differences of 15.
  { from: 5, to: 80, count: 6, spacing: 'linear', rates: [5, 20, 35, 50, 65, 80] },
  // Doubling: 40 is 40, not 39.99999999999999.
  { from: 5, to: 80, count: 5, spacing: 'geometric', rates: [5, 10, 20, 40, 80] },
  { from: 1, to: 1000, count: 4, spacing: 'geometric', rates: [1, 10, 100, 1000] },
  // Differences of a third, to six digits.
  { from: 1, to: 2, count: 4, spacing: 'linear', rates: [1, 1.33333, 1.66667, 2] },
  // 0.1 + 0.2 is 0.3 here.
  { from: 0.1, to: 0.4, count: 4, spacing: 'linear', rates: [0.1, 0.2, 0.3, 0.4] },
  // Ends are the author's own figures, all digits of them.
  { from: 1.23456789, to: 9.87654321, count: 2, spacing: 'geometric', rates: [1.23456789, 9.87654321] },
  { from: 5, to: 80, count: 1, spacing: 'geometric', rates: [5] },
  // Downwards.
  { from: 80, to: 20, count: 3, spacing: 'geometric', rates: [80, 40, 20] },
] as const)('$count $spacing rates from $from to $to', ({ rates, ...range }) => {
  expect(sweepRates(range)).toEqual(rates)
})
