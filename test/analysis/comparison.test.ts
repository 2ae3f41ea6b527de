import { expect, test } from 'vitest'
import { comparisonText, meets, negate, sidesOf } from '../../src/analysis/comparison.ts'
import type { Comparison } from '../../src/model/verdict.ts'

const limit = (kind: 'below' | 'at-most' | 'above' | 'at-least'): Comparison => ({ kind, limit: 40 })
const range = (kind: 'between' | 'outside'): Comparison => ({ kind, low: 10, high: 20 })

test.each([
  [limit('below'), limit('at-least'), 'below 40 ms'],
  [limit('at-most'), limit('above'), 'at most 40 ms'],
  [limit('above'), limit('at-most'), 'above 40 ms'],
  [limit('at-least'), limit('below'), 'at least 40 ms'],
  [range('between'), range('outside'), 'between 10 ms and 20 ms'],
  [range('outside'), range('between'), 'outside 10 ms and 20 ms'],
])('%j is the opposite of %j and reads "%s"', (comparison, opposite, text) => {
  expect(negate(comparison)).toEqual(opposite)
  expect(comparisonText(comparison, 'ms')).toBe(text)
})

test('limits are written in their unit', () => {
  expect(comparisonText({ kind: 'at-least', limit: 0.99 }, 'ratio')).toBe('at least 99 %')
  expect(comparisonText({ kind: 'below', limit: 30 }, '/s')).toBe('below 30/s')
  expect(comparisonText({ kind: 'at-most', limit: 3 }, 'count')).toBe('at most 3')
  expect(comparisonText({ kind: 'below', limit: 40.25 })).toBe('below 40.25')
})

test.each([
  // [comparison, below, at the low or only limit, at the high limit, above]
  [limit('below'), [true, false, false, false]],
  [limit('at-most'), [true, true, true, false]],
  [limit('above'), [false, false, false, true]],
  [limit('at-least'), [false, true, true, true]],
  [range('between'), [false, true, true, false]],
  [range('outside'), [true, false, false, true]],
])('%j holds below, at and above its limits: %j', (comparison, expected) => {
  const values = 'limit' in comparison ? [39, 40, 40, 41] : [9, 10, 20, 21]
  const { sides, need } = sidesOf(comparison)
  const holds = (value: number) =>
    need === 'all' ? sides.every((side) => meets(value, side)) : sides.some((side) => meets(value, side))
  expect(values.map(holds)).toEqual(expected)
  expect(holds(Number.NaN)).toBe(false)
})
