import { describe, expect, test } from 'vitest'
import { growthOf } from '../../src/analysis/backlog.ts'
import { incrementsDeviation, lineThrough } from '../../src/analysis/line.ts'
import type { Bins } from '../../src/model/profile.ts'
import { windowOf } from '../../src/analysis/window.ts'
import { binsOf, openStep, runOf } from './records.ts'

/** A hundred bins of 100 ms. */
function series(count: (bin: number) => number): number[] {
  return Array.from({ length: 100 }, (_, bin) => count(bin))
}

function growth(bins: Bins, { rampMs = 0, lagMs = 0, durationMs = 10_000 } = {}) {
  return growthOf(bins, windowOf(runOf(openStep(1, durationMs), { bins }), rampMs), lagMs)
}

test.each([
  // [arrivals a bin, ends a bin, growth, in words]
  [10, 10, 0, 'all that arrives ends'],
  [10, 5, 0.5, 'twice the capacity: half of what arrives stays'],
  [10, 0, 1, 'nothing ends'],
  [10, 12, -0.2, 'an old backlog shrinks'],
])('%d arrivals and %d ends a bin: growth %d, without noise exactly (%s)', (arrivals, ends, expected) => {
  const found = growth(binsOf(100, { arrivals: series(() => arrivals), ends: series(() => ends) }))
  expect(found?.perArrival).toBeCloseTo(expected, 12)
  expect(found?.low).toBeCloseTo(expected, 12)
  expect(found?.high).toBeCloseTo(expected, 12)
})

test('only what is inside the window counts', () => {
  // The first half grows by all arrivals, the second half is steady.
  const bins = binsOf(100, { arrivals: series(() => 10), ends: series((bin) => (bin < 50 ? 0 : 10)) })
  expect(growth(bins)!.perArrival).toBeGreaterThan(0.4)
  expect(growth(bins, { rampMs: 5000 })!.perArrival).toBeCloseTo(0, 12)
})

describe('the lag', () => {
  // Bursts of arrivals that all end 300 ms later: what is in flight goes up and down with them.
  const arrivals = series((bin) => ((bin * 7) % 11) + ((bin * 3) % 5))
  const bins = binsOf(100, { arrivals, ends: series((bin) => arrivals[bin - 3] ?? 0) })

  test('of the unloaded E2E takes out what is merely being served', () => {
    const found = growth(bins, { rampMs: 1000, lagMs: 300 })
    expect(found).toEqual({ perArrival: 0, low: 0, high: 0 })
    const without = growth(bins, { rampMs: 1000 })!
    expect(without.low).toBeLessThan(0)
    expect(without.high).toBeGreaterThan(0)
  })

  test('is no longer than the ramp: nothing is known from before the start', () => {
    expect(growth(bins, { rampMs: 1000, lagMs: 5000 })).toEqual(growth(bins, { rampMs: 1000, lagMs: 1000 }))
  })
})

describe('under arrivals that come in waves of five seconds', () => {
  const waves = series((bin) => 20 + Math.round(15 * Math.sin(bin / 8)))

  test('a backlog that is deaf to them is a walk: the bounds are as far on both sides', () => {
    const walk = growth(binsOf(100, { arrivals: waves, ends: series(() => 20) }))!
    expect(walk.high - walk.perArrival).toBeCloseTo(walk.perArrival - walk.low, 12)
    expect(walk.high).toBeGreaterThan(0.2)
  })

  test('a backlog that follows them strays little: the upper bound is closer', () => {
    const following = growth(binsOf(100, { arrivals: waves, ends: series((bin) => waves[bin - 5] ?? 20) }))!
    expect(following.high - following.perArrival).toBeLessThan(0.8 * (following.perArrival - following.low))
  })
})

test.each([
  ['fewer than ten bins', binsOf(100, { arrivals: [1, 1, 1, 1, 1, 1, 1, 1, 1] }), 900],
  ['no arrival in the window', binsOf(100, { arrivals: series(() => 0) }), 10_000],
])('there is no growth with %s', (_, bins, durationMs) => {
  expect(growth(bins, { durationMs })).toBeNull()
})

test('a line through 1, 3, 2, 4: slope 0.8, squares 1.8', () => {
  // Middle 1.5, mean 2.5; slope = (-1.5 x 1 - 0.5 x 3 + 0.5 x 2 + 1.5 x 4) / 5 = 0.8; residuals -0.3, 0.9, -0.9, 0.3.
  const line = lineThrough([1, 3, 2, 4])
  expect(line.slope).toBeCloseTo(0.8, 12)
  expect(line.scatter).toBeCloseTo(1.8, 12)
  expect(line.slopeError).toBeCloseTo(Math.sqrt(1.8 / 2 / 5), 12)
})

test('the increments of 1, 3, 2, 4 are 2, -1, 2: mean 1, deviation sqrt(3)', () => {
  expect(incrementsDeviation([1, 3, 2, 4])).toBeCloseTo(Math.sqrt(3), 12)
})
