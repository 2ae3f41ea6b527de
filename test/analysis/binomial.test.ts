import { expect, test } from 'vitest'
import { binomialCdf, binomialTail } from '../../src/analysis/binomial.ts'

test.each([
  // [k, n, p, P(X <= k), how it was found]
  [1, 3, 0.5, 0.5, 'no or one head of three: (1 + 3) / 8'],
  [0, 299, 0.01, 0.99 ** 299, 'no breach of 299: 0.99^299'],
  [0, 1, 0.3, 0.7, 'one trial that fails'],
  [2, 4, 0.5, 11 / 16, '(1 + 4 + 6) / 16'],
  [-1, 5, 0.5, 0, 'fewer than none'],
  [5, 5, 0.5, 1, 'all'],
  [3, 5, 0, 1, 'nothing ever succeeds'],
  [3, 5, 1, 0, 'all five succeed'],
  [5_000_000, 10_000_000, 0.5, 0.500126157, '1/2 + half of P(X = n/2) = 1 / sqrt(pi n / 2)'],
])('P(X <= %d) of %d at %d is %d: %s', (k, n, p, expected) => {
  expect(binomialCdf(k, n, p)).toBeCloseTo(expected, 7)
})

test.each([
  [1, 1, 0.01, 0.01, 'the one trial succeeds'],
  [1, 10, 0.01, 1 - 0.99 ** 10, 'not all ten fail'],
  [3, 4, 0.5, 5 / 16, '(4 + 1) / 16'],
  [0, 4, 0.5, 1, 'none or more'],
  [5, 4, 0.5, 0, 'more than all'],
  [1, 4, 0, 0, 'nothing ever succeeds'],
  [4, 4, 1, 1, 'all succeed'],
])('P(X >= %d) of %d at %d is %d: %s', (k, n, p, expected) => {
  expect(binomialTail(k, n, p)).toBeCloseTo(expected, 10)
})

test('a small tail keeps its digits: 1 - cdf would be 0', () => {
  // All of 200 heads: 2^-200 = 6.2e-61.
  expect(binomialTail(200, 200, 0.5) / 2 ** -200).toBeCloseTo(1, 8)
})
