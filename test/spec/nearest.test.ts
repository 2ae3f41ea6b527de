import { expect, test } from 'vitest'
import { nearestName } from '../../src/spec/nearest.ts'

const NAMES = ['rate', 'to', 'duration', 'firstByte', 'maxInFlight']

test.each([
  // one letter replaced, inserted, left out; two neighbours swapped
  ['rade', 'rate'],
  ['ratee', 'rate'],
  ['rat', 'rate'],
  ['duratoin', 'duration'],
  // two edits
  ['durtoin', 'duration'],
  // case and word marks are none
  ['firstbyte', 'firstByte'],
  ['max_in-flight', 'maxInFlight'],
  // three edits are too many, and two of three letters leave nothing of the word
  ['durxxxon', undefined],
  ['rps', undefined],
  ['', undefined],
  ['x'.repeat(1e6), undefined],
])('%.20s is near %s', (given, name) => {
  expect(nearestName(given, NAMES)).toBe(name)
})
