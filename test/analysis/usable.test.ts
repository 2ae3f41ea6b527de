import { expect, test } from 'vitest'
import { usableOf } from '../../src/analysis/usable.ts'
import { closedStep, countsOf, openStep, recordOf, stepProfileOf } from './records.ts'

/** A step of 100 requests, so many of them good. */
function step(rate: number, good: number | null, voids: readonly string[] = []) {
  return stepProfileOf(openStep(rate), {
    record: recordOf({ counts: countsOf(100), good, goodFromSent: good }),
    voids: voids.map((message) => ({ check: 'stall', message })),
  })
}

test.each([
  [
    'all reach it',
    [step(20, 100), step(40, 99)],
    { rate: 40, bound: 'at-least', lastSustained: 40, firstSaturated: null, reached: 'not-reached' },
  ],
  ['exactly the attainment reaches it', [step(20, 99)], { rate: 20, bound: 'at-least', reached: 'not-reached' }],
  [
    'the second misses it',
    [step(20, 100), step(40, 98)],
    { rate: 20, bound: null, lastSustained: 20, firstSaturated: 40, reached: 'within' },
  ],
  [
    'the lowest misses it',
    [step(20, 90), step(40, 80)],
    { rate: 20, bound: 'at-most', lastSustained: null, firstSaturated: 20, reached: 'already-passed' },
  ],
  [
    'a higher one that reaches it again does not count',
    [step(80, 100), step(20, 100), step(40, 90)],
    { rate: 20, firstSaturated: 40 },
  ],
  [
    'a void step is left out',
    [step(20, 100), step(40, 10, ['it stalled']), step(80, 90)],
    { rate: 20, firstSaturated: 80 },
  ],
  ['all void', [step(20, 100, ['it stalled'])], { rate: null, reached: 'unknown' }],
])('%s', (_, steps, expected) => {
  expect(usableOf(steps, 0.99)).toMatchObject(expected)
})

test('the reason names the step, its ratio and what is wanted', () => {
  expect(usableOf([step(20, 100), step(40, 90)], 0.99)?.reason).toBe(
    '40 req/s has a goodput ratio of 90 %, wanted is 99 %',
  )
  expect(usableOf([step(20, 100)], 0.99)?.reason).toBe('a goodput ratio of 99 % is reached up to 20 req/s')
})

test.each([
  ['without objectives', [step(20, null)]],
  ['in a closed loop', [stepProfileOf(closedStep(4))]],
])('there is none %s', (_, steps) => {
  expect(usableOf(steps, 0.99)).toBeNull()
})
