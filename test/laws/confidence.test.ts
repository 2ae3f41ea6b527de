import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { binomialCdf, binomialTail } from '../../src/analysis/binomial.ts'
import { intervalRanks, samplesNeeded } from '../../src/analysis/confidence.ts'
import { percentileAbove, percentileBelow } from '../../src/analysis/ranked.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import { distributionOf } from '../analysis/samples.ts'

const settings = { seed: 20261129, verbose: 1 } as const
const share = fc.double({ min: 0.001, max: 0.999, noNaN: true })

describe('binomial', () => {
  test('the distribution function is the sum of its terms', () => {
    const counts = fc
      .integer({ min: 1, max: 60 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })))
    fc.assert(
      fc.property(counts, share, ([n, k], p) => {
        let term = (1 - p) ** n
        let sum = term
        for (let i = 1; i <= k; i++) {
          term *= ((n - i + 1) / i) * (p / (1 - p))
          sum += term
        }
        expect(binomialCdf(k, n, p)).toBeCloseTo(sum, 9)
      }),
      settings,
    )
  })

  test('P(X <= k) and P(X >= k + 1) are all, up to ten million trials', () => {
    const counts = fc
      .integer({ min: 1, max: 10_000_000 })
      .chain((n) => fc.tuple(fc.constant(n), fc.integer({ min: 0, max: n })))
    fc.assert(
      fc.property(counts, share, ([n, k], p) => {
        expect(binomialCdf(k, n, p) + binomialTail(k + 1, n, p)).toBeCloseTo(1, 6)
      }),
      settings,
    )
  })
})

test('the samples needed are enough, and one less is not', () => {
  fc.assert(
    fc.property(share, (kept) => {
      const n = samplesNeeded(kept)
      expect(kept ** n).toBeLessThanOrEqual(0.05 + 1e-9)
      if (n > 1) expect(kept ** (n - 1)).toBeGreaterThan(0.05 - 1e-9)
    }),
    settings,
  )
})

test('percentiles are nearest rank in the list of all requests, failures at the end that does not help', () => {
  const whole = fc.integer({ min: 1, max: 99 })
  const replies = fc.array(fc.integer({ min: 1, max: 1000 }), { minLength: 1, maxLength: 300 })
  fc.assert(
    fc.property(replies, fc.integer({ min: 0, max: 30 }), whole, (values, failures, percent) => {
      const ranked = { samples: distributionOf(values), replies: values.length, failures }
      const n = values.length + failures
      const failed = Array.from({ length: failures }, () => null)
      const sorted = values.toSorted((a, b) => a - b)
      // ceil(percent x n / 100) in whole numbers.
      const rank = Math.floor((percent * n + 99) / 100)
      expect(percentileAbove(ranked, percent)).toBe([...sorted, ...failed][rank - 1])
      expect(percentileBelow(ranked, percent)).toBe([...failed, ...sorted][rank - 1])
    }),
    settings,
  )
})

test.each([
  [0.5, 60],
  [0.9, 200],
  [0.99, 1000],
])('the interval of quantile %d of %d samples covers it in 95 %% of 1,000 runs', (p, n) => {
  const random = seededRandom(20261129, n)
  const truth = -Math.log(1 - p)
  const [low, high] = intervalRanks(p, n)
  let covered = 0
  for (let run = 0; run < 1000; run++) {
    const sorted = Float64Array.from({ length: n }, () => -Math.log(1 - random())).sort()
    if (sorted[low! - 1]! <= truth && truth <= sorted[high! - 1]!) covered++
  }
  // At least 95 % in truth; three deviations of 0.7 % are left to chance.
  expect(covered).toBeGreaterThan(930)
})
