import { expect, test } from 'vitest'
import { isLate, onTimeShare } from '../../src/analysis/punctuality.ts'
import { countsOf, recordOf } from './records.ts'

test.each([
  [1000, 1000, 1, false],
  [1000, 990, 0.99, false],
  [1000, 989, 0.989, true],
  [1000, 0, 0, true],
  // Nobody sent nothing late.
  [0, 0, null, false],
])('of %d sent %d on time: share %s, late: %s', (sent, onTime, share, late) => {
  const record = recordOf({ counts: countsOf(sent), onTime })
  expect([onTimeShare(record), isLate(record)]).toEqual([share, late])
})

test('what was not sent is not asked to be on time', () => {
  expect(onTimeShare(recordOf({ counts: countsOf(1000, { unsent: 500 }), onTime: 500 }))).toBe(1)
})
