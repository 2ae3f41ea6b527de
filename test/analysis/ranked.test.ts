import { expect, test } from 'vitest'
import {
  breachesAbove,
  breachesBelow,
  percentileAbove,
  percentileBelow,
  percentileInterval,
  type Ranked,
  requestsOf,
} from '../../src/analysis/ranked.ts'
import { distributionOf, upTo } from './samples.ts'

/** Replies of 1, 2, ... ms, one sample each, and failures. */
function ranked(replies: number, failures = 0): Ranked {
  return { samples: distributionOf(upTo(replies)), replies, failures }
}

test.each<[number, number, number, number | null, number | null, string]>([
  // [replies, failures, percent, above, below, in words]
  [100, 0, 99, 99, 99, 'rank 99 of 100'],
  [100, 0, 99.9, 100, 100, 'rank 99.9 rounded up'],
  [1000, 0, 99.9, 999, 999, 'rank 999 exactly, not 1000'],
  [100, 0, 7, 7, 7, 'rank 7: 0.07 x 100 is 7.000000000000001 in floating point'],
  [1, 0, 50, 1, 1, 'the only reply'],
  [99, 1, 99, 99, 98, 'rank 99 of 100: the last reply, or with the failure below all the 98th'],
  [98, 2, 99, null, 97, 'rank 99 falls on a failure above'],
  [98, 2, 2, 2, null, 'rank 2 falls on a failure below'],
  [98, 2, 3, 3, 1, 'rank 3 is the first reply after two failures'],
  [0, 5, 50, null, null, 'no reply at all'],
  [100, 0, 0, 1, 1, 'min'],
  [100, 0, 100, 100, 100, 'max'],
  [99, 1, 100, null, 99, 'max does not exist where a request failed'],
  [99, 1, 0, 1, null, 'min does not exist for a lower limit where a request failed'],
])('of %d replies and %d failures p%d is %s above and %s below: %s', (replies, failures, percent, above, below) => {
  expect(percentileAbove(ranked(replies, failures), percent)).toBe(above)
  expect(percentileBelow(ranked(replies, failures), percent)).toBe(below)
})

test('many samples a reply: failures take their share of the ranks, as requests', () => {
  // 9 replies with 100 tokens each, one failure: f = 0.1, p50 is read at 0.5 / 0.9 of 900 samples, rank 500.
  const itl: Ranked = { samples: distributionOf(upTo(900)), replies: 9, failures: 1 }
  expect(requestsOf(itl)).toBe(10)
  expect(percentileAbove(itl, 50)).toBe(500)
  // Below: (0.5 - 0.1) / 0.9 of 900 = rank 400.
  expect(percentileBelow(itl, 50)).toBe(400)
  // 0.95 / 0.9 is more than 1.
  expect(percentileAbove(itl, 95)).toBeNull()
})

test('an interval end that falls among the failures is open', () => {
  // Ranks 589 and 599 of 600 requests.
  expect(percentileInterval(ranked(600), 99)).toEqual([589, 599])
  expect(percentileInterval(ranked(596, 4), 99)).toEqual([589, null])
  expect(percentileInterval(ranked(0, 600), 99)).toEqual([null, null])
})

test.each([
  [90, false, 10, 'replies of 91 to 100 ms'],
  [90, true, 11, 'and the one of 90 ms, where the limit itself is too much'],
  [100, false, 0, 'none'],
])('above %d ms (limit itself: %s) %d of 100 requests break the limit: %s', (limit, at, breaches) => {
  expect(breachesAbove(ranked(100), limit, at)).toBe(breaches)
  expect(breachesAbove(ranked(100, 3), limit, at)).toBe(breaches + 3)
})

test('below a lower limit failures are breaches too', () => {
  expect(breachesBelow(ranked(100, 3), 10, false)).toBe(9 + 3)
  expect(breachesBelow(ranked(100, 3), 10, true)).toBe(10 + 3)
})

test('of many samples a reply, the share beyond the limit counts as that share of the replies', () => {
  // 90 of 900 samples: 0.9 of 9 replies, down to 0, and the failure.
  expect(breachesAbove({ samples: distributionOf(upTo(900)), replies: 9, failures: 1 }, 810, false)).toBe(1)
  // 200 of 900: exactly two replies.
  expect(breachesAbove({ samples: distributionOf(upTo(900)), replies: 9, failures: 1 }, 700, false)).toBe(3)
})
