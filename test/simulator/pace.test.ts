import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/arrivals/random.ts'
import { lognormal, paceOf } from '../../src/simulator/pace.ts'

function offsets(options: Parameters<typeof paceOf>[0], request: number, tokens: number): number[] {
  const pace = paceOf(options)(request)
  return Array.from({ length: tokens }, (_, token) => pace(token))
}

describe('without jitter', () => {
  test.each([
    // ttft + k x itl
    [20, 5, [20, 25, 30, 35]],
    // below a millisecond, by multiplication: 0.3 is not 0.1 + 0.1 + 0.1
    [0, 0.1, [0, 0.1, 0.2, 3 * 0.1]],
    [7, 0, [7, 7, 7, 7]],
  ])('ttft %d ms and itl %d ms', (ttftMs, itlMs, expected) => {
    expect(offsets({ ttftMs, itlMs, jitter: 0, seed: 1 }, 0, 4)).toEqual(expected)
  })
})

describe('with jitter', () => {
  const options = { ttftMs: 20, itlMs: 5, jitter: 0.5, seed: 1 }

  test('the same seed and request give the same delays, others give others', () => {
    const reference = offsets(options, 3, 10)
    expect(offsets(options, 3, 10)).toEqual(reference)
    expect(offsets(options, 4, 10)).not.toEqual(reference)
    expect(offsets({ ...options, seed: 2 }, 3, 10)).not.toEqual(reference)
  })

  test('tokens stay in order, and a delay of 0 stays 0', () => {
    const all = offsets(options, 0, 1000)
    expect(all.every((offset, i) => offset > (all[i - 1] ?? 0))).toBe(true)
    expect(offsets({ ...options, itlMs: 0, ttftMs: 0 }, 0, 3)).toEqual([0, 0, 0])
  })
})

test.each([0.1, 0.5, 1])('a lognormal delay keeps its mean and has the coefficient of variation %d', (variation) => {
  const random = seededRandom(20_261_129)
  const n = 200_000
  const delays = Array.from({ length: n }, () => lognormal(20, variation, random))
  const mean = delays.reduce((sum, delay) => sum + delay, 0) / n
  const sd = Math.sqrt(delays.reduce((sum, delay) => sum + (delay - mean) ** 2, 0) / n)
  // Standard error of the mean: 20 x 1 / sqrt(200,000) = 0.045 at most; 0.2 is more than four of them.
  expect(Math.abs(mean - 20)).toBeLessThan(0.2)
  expect(Math.abs(sd / mean - variation)).toBeLessThan(0.05 * variation)
})
