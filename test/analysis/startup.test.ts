import { expect, test } from 'vitest'
import { quantilesOf, startupRefuted } from '../../src/analysis/startup.ts'
import { binsOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

const each = (length: number, count: number) => Array.from({ length }, () => count)

test.each([
  // 20 bins of 100 ms; what has ended by 1 s of the 100 that arrived until then.
  [
    'a healthy server of 1.5 s has ended nothing by 1 s',
    { arrivals: each(20, 10), ends: [...each(15, 0), ...each(5, 10)] },
    each(200, 1500),
    false,
  ],
  [
    'E2E even from 0 to 2 s explains 25 of 100 ends by 1 s; 28 are no surprise',
    { arrivals: each(20, 10), ends: [...each(2, 0), ...each(7, 4), 0] },
    upTo(200).map((n) => 10 * n),
    false,
  ],
  [
    'the same E2E out of a queue at half its arrivals: 50 ends by 1 s, not explained',
    { arrivals: each(20, 10), ends: each(20, 5) },
    upTo(200).map((n) => 10 * n),
    true,
  ],
  ['no reply tells nothing', { arrivals: each(20, 10), ends: each(20, 5) }, [], false],
])('%s', (_, bins, e2e, refuted) => {
  expect(startupRefuted(binsOf(100, bins), distributionOf(e2e), 1000)).toBe(refuted)
})

test('quantiles stand in the middles of equal shares', () => {
  // Ranks 12.5, 37.5, 62.5, 87.5 of 100, rounded up.
  expect(quantilesOf(distributionOf(upTo(100)), 4)).toEqual([13, 38, 63, 88])
  expect(quantilesOf(distributionOf([]), 4)).toEqual([])
})
