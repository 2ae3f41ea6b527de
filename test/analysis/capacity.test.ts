import { describe, expect, test } from 'vitest'
import { capacityOf, gainThreshold, type Sweep } from '../../src/analysis/capacity.ts'
import { taperOf } from '../../src/analysis/taper.ts'
import { seededRandom } from '../../src/arrivals/random.ts'

const SECONDS = 10

/** Steps of 10 s without a ramp. */
function sweepOf(rates: readonly number[], serviceMs: readonly number[], given: Partial<Sweep> = {}): Sweep {
  const window = { fromMs: 0, toMs: 1000 * SECONDS, arrivals: 0, completions: 0, outputTokens: 0, inputTokens: 0 }
  const meanMs = serviceMs.reduce((sum, ms) => sum + ms, 0) / serviceMs.length
  return {
    steps: rates.map((rate) => ({
      requests: rate * SECONDS,
      durationMs: 1000 * SECONDS,
      taper: taperOf({ widthMs: 50 }, window, meanMs),
      lag: 0,
    })),
    arrivals: 'poisson',
    serviceMs,
    replies: 1000,
    ...given,
  }
}

const varied = Array.from({ length: 256 }, (_, i) => -200 * Math.log(1 - (i + 0.5) / 256))

describe('capacity', () => {
  test('lies in its interval, near the hinge; more services, less spread', () => {
    const few = capacityOf(sweepOf([5, 10, 40], varied), 20, seededRandom(1))
    const many = capacityOf(sweepOf([50, 100, 400], varied), 200, seededRandom(1))
    for (const { rate, interval } of [few, many]) {
      expect(interval[0]).toBeLessThan(rate)
      expect(interval[1]).toBeGreaterThan(rate)
    }
    expect(Math.abs(few.rate / 20 - 1)).toBeLessThan(0.1)
    expect(Math.abs(many.rate / 200 - 1)).toBeLessThan(0.05)
    // Ten times the replies: sqrt(10) = 3.2 times narrower.
    const spread = ({ rate, interval }: typeof few) => (interval[1] - interval[0]) / rate
    expect(spread(few) / spread(many)).toBeGreaterThan(2)
    expect(spread(few) / spread(many)).toBeLessThan(5)
  })

  test('what the simulated sweeps lack as well is given back', () => {
    // 40 servers of 4 s, filled within the first second: 40 ends about 4.5 s, which weigh 4/24, and 40 about 8.5 s,
    // which weigh 1.5/24. That is 9.2 of 10 per second.
    const { rate } = capacityOf(sweepOf([1, 2, 40], [4000]), 10, seededRandom(1))
    expect(rate / 10).toBeCloseTo(10 / 9.2, 1)
  })

  test('the interval is wider by 1 + 1.2 / (n - 1) where n replies tell how much services vary', () => {
    const [two, thousand] = [2, 1000].map((replies) =>
      capacityOf(sweepOf([5, 10, 40], varied, { replies }), 20, seededRandom(1)),
    )
    expect(two!.rate).toBe(thousand!.rate)
    const above = ({ rate, interval }: NonNullable<typeof two>) => Math.log(interval[1] / rate)
    expect(above(two!) / above(thousand!)).toBeCloseTo(2.2 / (1 + 1.2 / 999), 9)
  })

  test.each([
    [10, 1 / SECONDS, 'one reply more or less in 10 s'],
    [400, 400 / 1000, '0.1 %'],
  ])('of %d per second without any variance: the interval still is %d to either side (%s)', (capacity, margin) => {
    const rates = [0.5, 1, 2].map((share) => share * capacity)
    const { rate, interval } = capacityOf(sweepOf(rates, [100], { arrivals: 'constant' }), capacity, seededRandom(1))
    expect(rate - interval[0]).toBeCloseTo(margin, 3)
    expect(interval[1] - rate).toBeCloseTo(margin, 3)
  })

  test('simulated sweeps without a knee end at the highest rate that was offered', () => {
    const { rate, interval } = capacityOf(sweepOf([5, 10, 20], varied), 20, seededRandom(1))
    expect(rate).toBeGreaterThanOrEqual(20)
    expect(interval[0]).toBeGreaterThanOrEqual(19)
  })

  test('a server that carried nothing: from 0 to one reply', () => {
    expect(capacityOf(sweepOf([1, 2], [100]), 0, seededRandom(1))).toEqual({ rate: 0, interval: [0, 1 / SECONDS] })
  })

  test('numbers stay finite where simulated windows are empty', () => {
    const { rate, interval } = capacityOf(sweepOf([0.1, 0.2], varied, { replies: 1 }), 0.1, seededRandom(1))
    for (const value of [rate, ...interval]) expect(value).toBeGreaterThanOrEqual(0)
    for (const value of [rate, ...interval]) expect(value).toBeLessThan(100)
  })
})

test('the threshold of the gain: none without variance, more with it, the same for the same seed', () => {
  const even = sweepOf([5, 10], [100], { arrivals: 'constant' })
  expect(gainThreshold(even, 10, seededRandom(1))).toBeCloseTo(0, 3)
  const uneven = sweepOf([5, 10], varied)
  const threshold = gainThreshold(uneven, 10, seededRandom(1))
  expect(threshold).toBeGreaterThan(0.1)
  expect(gainThreshold(uneven, 10, seededRandom(1))).toBe(threshold)
})
