import { describe, expect, test } from 'vitest'
import { constantSchedule } from '../../src/arrivals/constant.ts'
import { poissonSchedule } from '../../src/arrivals/poisson.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import { schedule } from '../../src/arrivals/schedule.ts'
import { describeSchedule, openStep } from './describe-schedule.ts'

describeSchedule('constant', constantSchedule)
describeSchedule('poisson', poissonSchedule)

describe('constant', () => {
  test.each([
    { step: openStep(4, 1000), offsets: [0, 250, 500, 750] },
    { step: openStep(1, 1000), offsets: [0] },
    // 8 requests at 16/s.
    { step: openStep(8, 500), offsets: [0, 62.5, 125, 187.5, 250, 312.5, 375, 437.5] },
  ])('$step.requests in $step.durationMs ms', ({ step, offsets }) => {
    expect([...constantSchedule(step)]).toEqual(offsets)
  })
})

describe('poisson', () => {
  const requests = 5000
  const durationMs = 60_000
  /** Kolmogorov's critical value at 0.1 %: with fixed seeds the tests are decided once and for all. */
  const critical = 1.95 / Math.sqrt(requests)

  test.each([1, 2, 3, 4, 5])('instants of seed %i are uniform (Kolmogorov-Smirnov)', (seed) => {
    const offsets = poissonSchedule(openStep(requests, durationMs), seededRandom(seed))
    expect(distance([...offsets], (ms) => ms / durationMs)).toBeLessThan(critical)
  })

  test.each([1, 2, 3, 4, 5])('gaps of seed %i are exponential (Kolmogorov-Smirnov)', (seed) => {
    const offsets = poissonSchedule(openStep(requests, durationMs), seededRandom(seed))
    const gaps = [...offsets].map((offset, i) => offset - (i === 0 ? 0 : offsets[i - 1]!))
    expect(distance(gaps, (ms) => 1 - Math.exp((-ms * requests) / durationMs))).toBeLessThan(critical)
  })

  test('the test itself tells constant from exponential gaps', () => {
    const offsets = constantSchedule(openStep(requests, durationMs))
    const gaps = [...offsets].map((offset, i) => offset - (i === 0 ? 0 : offsets[i - 1]!))
    expect(distance(gaps, (ms) => 1 - Math.exp((-ms * requests) / durationMs))).toBeGreaterThan(critical)
  })
})

test('a kind names its schedule', () => {
  const step = openStep(100, 1000)
  expect(schedule(step, 'constant', seededRandom(1))).toEqual(constantSchedule(step))
  expect(schedule(step, 'poisson', seededRandom(1))).toEqual(poissonSchedule(step, seededRandom(1)))
})

/** Largest distance between the distribution of the samples and a theoretical one. */
function distance(samples: readonly number[], cumulative: (value: number) => number): number {
  const sorted = [...samples].sort((a, b) => a - b)
  return Math.max(
    ...sorted.map((value, i) => {
      const expected = cumulative(value)
      return Math.max((i + 1) / sorted.length - expected, expected - i / sorted.length)
    }),
  )
}
