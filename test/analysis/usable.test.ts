import { describe, expect, test } from 'vitest'
import { figuresOf } from '../../src/analysis/figures.ts'
import { judge } from '../../src/analysis/judge.ts'
import { usableOf } from '../../src/analysis/usable.ts'
import type { StepProfile, Usable } from '../../src/model/profile.ts'
import type { Verdict } from '../../src/model/verdict.ts'
import { closedStep, countsOf, openStep, profileWith, recordOf, stepProfileOf } from './records.ts'

/** A step of 100 requests, so many of them good as seen, and less the client's own part. */
function step(rate: number, good: number | null, voids: readonly string[] = [], goodLessClient = good) {
  return stepProfileOf(openStep(rate), {
    record: recordOf({ counts: countsOf(100), good, goodLessClient }),
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

describe('a step that misses it by the client’s own part alone', () => {
  const tipped = (rate: number) => step(rate, 95, [], 99)

  test.each<[string, readonly StepProfile[], Partial<Usable>]>([
    [
      'ends what is sustained, and saturates nothing',
      [step(20, 100), tipped(40)],
      { rate: 20, bound: 'at-least', lastSustained: 20, firstSaturated: null, reached: 'not-reached' },
    ],
    [
      'below one that misses it in any case',
      [step(20, 100), tipped(40), step(80, 90)],
      { rate: 20, bound: null, lastSustained: 20, firstSaturated: 80, reached: 'within' },
    ],
    [
      'as the lowest: nothing is known of it',
      [tipped(20)],
      { rate: null, bound: null, lastSustained: null, firstSaturated: null, reached: 'unknown' },
    ],
    [
      'as the lowest below one that misses it in any case',
      [tipped(20), step(40, 90)],
      { rate: 40, bound: 'at-most', lastSustained: null, firstSaturated: 40, reached: 'already-passed' },
    ],
  ])('%s', (_, steps, expected) => {
    expect(usableOf(steps, 0.99)).toMatchObject(expected)
  })

  test('is named with both ratios', () => {
    expect(usableOf([step(20, 100), tipped(40)], 0.99)?.reason).toBe(
      "40 req/s has a goodput ratio of 95 %, 99 % less the client's own part, wanted is 99 %",
    )
  })

  test.each<[string, readonly StepProfile[], number, Verdict]>([
    // Sustained at 20; 40 is tipped, 80 misses it in any case.
    ['what is sustained passes', [step(20, 100), tipped(40), step(80, 90)], 20, 'pass'],
    ['the client may be why', [step(20, 100), tipped(40), step(80, 90)], 40, 'invalid'],
    ['beyond what misses it in any case it fails', [step(20, 100), tipped(40), step(80, 90)], 80, 'fail'],
    ['with nothing above, all higher rates may be usable', [step(20, 100), tipped(40)], 1000, 'invalid'],
    ['without a tipped step it is only not known', [step(20, 100), step(80, 90)], 40, 'inconclusive'],
    ['one above the first that misses it is not asked', [step(20, 100), step(80, 90), tipped(160)], 40, 'inconclusive'],
    [
      'a void one tips nothing, and is in the way all the same',
      [step(20, 100), step(40, 95, ['x'], 99)],
      40,
      'invalid',
    ],
  ])('at least a rate: %s', (_, steps, limit, verdict) => {
    const { usable } = figuresOf(profileWith(steps, { objectives: true, usable: usableOf(steps, 0.99) }))
    expect(judge(usable.rate, { kind: 'at-least', limit }).verdict).toBe(verdict)
  })
})
