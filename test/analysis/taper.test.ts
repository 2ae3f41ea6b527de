import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { taperedRate, taperOf } from '../../src/analysis/taper.ts'

/** A window of bins of 1 s. */
function windowOf(from: number, to: number) {
  return { fromMs: from * 1000, toMs: to * 1000, arrivals: 0, completions: 0, outputTokens: 0, inputTokens: 0 }
}

function weightsOf(from: number, to: number, serviceMs: number): number[] {
  return [...taperOf({ widthMs: 1000 }, windowOf(from, to), serviceMs).weights]
}

test.each([
  // [from, to, service in ms, weights before they are made to add up to 1, in words]
  [0, 6, 2000, [0.5, 1.5, 2, 2, 1.5, 0.5], 'rises over a service time, and falls over one'],
  [2, 8, 2000, [0, 0, 0.5, 1.5, 2, 2, 1.5, 0.5], 'nothing before the window'],
  [0, 6, 3000, [0.5, 1.5, 2.5, 2.5, 1.5, 0.5], 'half the window: a triangle'],
  [0, 6, 4000, [0.5, 1.5, 2, 2, 1.5, 0.5], 'spans of 4 s have 2 s to move in'],
  [0, 6, 6000, [1, 1, 1, 1, 1, 1], 'as long as the window: evenly'],
  [0, 6, 60_000, [1, 1, 1, 1, 1, 1], 'longer than the window: evenly'],
  [0, 12, 1000, [0.5, 1.5, 2, 2, 2, 2, 2, 2, 2, 2, 1.5, 0.5], 'short services: as many as a sixth of the window'],
  [0, 12, 1300, [0.5, 1.5, 2.5, 2.6, 2.6, 2.6, 2.6, 2.6, 2.6, 2.5, 1.5, 0.5], 'and a whole number of them: 2 x 1.3 s'],
  [0, 12, 0, [0.5, 1.5, 2, 2, 2, 2, 2, 2, 2, 2, 1.5, 0.5], 'of no known service time: a sixth of the window'],
])('a window from %d to %d s, services of %d ms: %j (%s)', (from, to, serviceMs, weights) => {
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const found = weightsOf(from, to, serviceMs)
  expect(found).toHaveLength(weights.length)
  found.forEach((weight, bin) => expect(weight).toBeCloseTo(weights[bin]! / total, 12))
})

test('the rate is per second, of the counts so many bins earlier', () => {
  const taper = taperOf({ widthMs: 500 }, { ...windowOf(1, 3), fromMs: 1000 }, 60_000)
  // Evenly over bins 2 to 5, 2 s: 3 + 4 + 5 + 6 in them, 2 + 3 + 4 + 5 one bin before.
  const counts = [1, 2, 3, 4, 5, 6, 7]
  expect(taperedRate(counts, taper)).toBeCloseTo(9, 12)
  expect(taperedRate(counts, taper, 1)).toBeCloseTo(7, 12)
  expect(taperedRate([1, 2, 3], taper)).toBeCloseTo(1.5, 12)
})

describe('laws', () => {
  const BINS = 2000

  test('an even stream has its own rate under every taper', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 1000 }),
        fc.integer({ min: 1, max: 1000 }),
        fc.double({ min: 0, max: 3000, noNaN: true }),
        fc.double({ min: 0, max: 100, noNaN: true }),
        (from, bins, serviceMs, perBin) => {
          const window = { ...windowOf(0, 0), fromMs: from, toMs: from + bins }
          const taper = taperOf({ widthMs: 1 }, window, serviceMs)
          const counts = Array.from({ length: BINS }, () => perBin)
          expect(taperedRate(counts, taper)).toBeCloseTo(1000 * perBin, 6)
        },
      ),
      { seed: 1 },
    )
  })

  test('a full server has servers / service time, however its ends are spread and wherever the window begins', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 20, max: 600, noNaN: true }),
        fc.array(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 0, max: 1000 }),
        fc.double({ min: 1.6, max: 30, noNaN: true }),
        (serviceMs, phases, from, services) => {
          const to = Math.min(BINS, Math.round(from + services * serviceMs))
          fc.pre(to - from > 1.5 * serviceMs)
          const counts = Array.from({ length: BINS }, () => 0)
          for (const phase of phases) {
            for (let end = phase * serviceMs; end < BINS; end += serviceMs) counts[Math.floor(end)]!++
          }
          const window = { ...windowOf(0, 0), fromMs: from, toMs: to }
          const rate = taperedRate(counts, taperOf({ widthMs: 1 }, window, serviceMs))
          // Where in its bin of 1 ms an end lies is not known: it moves by 0.5 ms along edges as steep as 1 / (s (L - s)),
          // (edge + service time) / service time of them a server and edge, which is 4 ms a service time at most.
          const share = rate / ((1000 * phases.length) / serviceMs)
          expect(Math.abs(share - 1)).toBeLessThan(4 / serviceMs)
        },
      ),
      { seed: 1, numRuns: 500 },
    )
  })
})
