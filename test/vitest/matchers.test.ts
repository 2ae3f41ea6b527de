import { chai, describe, expect, test } from 'vitest'
import { InconclusiveError } from '../../src/model/errors.ts'
import { quantity } from '../../src/model/quantity.ts'
import '../../src/vitest/matchers.ts'

const ttft = quantity({ metric: 'TTFT', statistic: 'p99', value: 40, unit: 'ms', samples: 1000 })
const achieved = quantity({ metric: 'achieved rate', statistic: 'value', value: 30, unit: '/s', samples: 1000 })
const errors = quantity({ metric: 'error ratio', statistic: 'value', value: 0.01, unit: 'ratio', samples: 1000 })
const nothing = quantity({ metric: 'TTFT', statistic: 'p99', value: null, unit: 'ms', samples: 0 })

/** What an assertion throws; null when it holds. */
function thrown(assert: () => void): unknown {
  try {
    assert()
    return null
  } catch (error) {
    return error
  }
}

describe('a figure and a limit', () => {
  test.each([
    ['40 below 41', () => expect(ttft).toBeBelow(41), true],
    ['40 below 40: the limit itself is out', () => expect(ttft).toBeBelow(40), false],
    ['40 at most 40: the limit itself is in', () => expect(ttft).toBeAtMost(40), true],
    ['40 at most 39', () => expect(ttft).toBeAtMost(39), false],
    ['40 above 39', () => expect(ttft).toBeAbove(39), true],
    ['40 above 40', () => expect(ttft).toBeAbove(40), false],
    ['40 at least 40', () => expect(ttft).toBeAtLeast(40), true],
    ['40 at least 41', () => expect(ttft).toBeAtLeast(41), false],
    ['40 between 40 and 50: both ends are in', () => expect(ttft).toBeBetween(40, 50), true],
    ['40 between 30 and 40', () => expect(ttft).toBeBetween(30, 40), true],
    ['40 between 41 and 50', () => expect(ttft).toBeBetween(41, 50), false],
    ['40 ms below 0.041 s', () => expect(ttft).toBeBelow('0.041s'), true],
    ['40 ms below 40000 us', () => expect(ttft).toBeBelow('40000us'), false],
    ['30/s at least 1800/m', () => expect(achieved).toBeAtLeast('1800/m'), true],
    ['30/s above 1800/m', () => expect(achieved).toBeAbove('1800/m'), false],
    ['0.01 at most 1 %', () => expect(errors).toBeAtMost('1%'), true],
    ['0.01 below 1 %', () => expect(errors).toBeBelow('1%'), false],
    ['not: 40 not below 40', () => expect(ttft).not.toBeBelow(40), true],
    ['not: 40 not below 41', () => expect(ttft).not.toBeBelow(41), false],
    ['not: 40 not between 41 and 50', () => expect(ttft).not.toBeBetween(41, 50), true],
    ['not: 40 not between 40 and 50', () => expect(ttft).not.toBeBetween(40, 50), false],
    ["Vitest's names: 40 less than 41", () => expect(ttft).toBeLessThan(41), true],
    ["Vitest's names: 40 less than 40", () => expect(ttft).toBeLessThan(40), false],
    ["Vitest's names: 40 less than or equal 40", () => expect(ttft).toBeLessThanOrEqual(40), true],
    ["Vitest's names: 40 greater than 39", () => expect(ttft).toBeGreaterThan(39), true],
    ["Vitest's names: 40 greater than or equal 41", () => expect(ttft).toBeGreaterThanOrEqual(41), false],
    ["Vitest's names: 40 not greater than 40", () => expect(ttft).not.toBeGreaterThan(40), true],
    ['a plain number: 3 below 4', () => expect(3).toBeBelow(4), true],
    ['a plain number: 3 below 3', () => expect(3).toBeBelow(3), false],
    ['a plain number: 3 not below 3', () => expect(3).not.toBeBelow(3), true],
    ['a plain number: 3 between 3 and 3', () => expect(3).toBeBetween(3, 3), true],
    ["a plain number under Vitest's name: 3 less than 4", () => expect(3).toBeLessThan(4), true],
    ["a plain number under Vitest's name: 3 less than 3", () => expect(3).toBeLessThan(3), false],
    ['a plain number under toBe', () => expect(3).toBe(3), true],
    ['NaN is below nothing', () => expect(Number.NaN).toBeBelow(1), false],
    ['NaN is not below nothing either', () => expect(Number.NaN).not.toBeBelow(1), false],
  ])('%s', (_, assert, holds) => {
    const error = thrown(assert)
    if (holds) expect(error).toBeNull()
    else expect(error).toBeInstanceOf(chai.AssertionError)
  })

  test('a failure is told in one sentence, without a diff', () => {
    const error = thrown(() => expect(ttft).toBeBelow(40))
    expect(error).toHaveProperty('message', 'p99 TTFT was 40 ms, expected below 40 ms')
    expect(error).not.toHaveProperty('actual')
    expect(error).not.toHaveProperty('expected')
  })

  test.each([
    ['toBeBelow', () => expect(ttft).toBeBelow(40)],
    ['toBeLessThan', () => expect(ttft).toBeLessThan(40)],
    ['toBe', () => expect(ttft).toBe(40)],
    ['a wrong limit', () => expect(ttft).toBeBelow('40/s' as never)],
  ])('%s: the stack of its error leads to the line of the author, not into this package', (_, assert) => {
    const { stack } = thrown(assert) as Error
    expect(stack).toContain('test/vitest/matchers.test.ts')
    expect(stack).not.toContain('src/vitest/matchers.ts')
  })
})

describe('a figure without a value is inconclusive', () => {
  test.each([
    ['toBeBelow', () => expect(nothing).toBeBelow(1)],
    ['not.toBeBelow', () => expect(nothing).not.toBeBelow(1)],
    ['toBeLessThan', () => expect(nothing).toBeLessThan(1)],
    ['toBeBetween', () => expect(nothing).toBeBetween(0, 1)],
    ['asymmetric', () => expect({ ttft: nothing }).toEqual({ ttft: expect.toBeBelow(1) })],
    ['asymmetric, not', () => expect({ ttft: nothing }).not.toEqual({ ttft: expect.toBeBelow(1) })],
    ['asymmetric not', () => expect({ ttft: nothing }).toEqual({ ttft: expect.not.toBeBelow(1) })],
  ])('%s', (_, assert) => {
    expect(thrown(assert)).toBeInstanceOf(InconclusiveError)
  })
})

test('asymmetric matchers answer for their surroundings', () => {
  expect({ ttft, errors }).toEqual({ ttft: expect.toBeBelow('41ms'), errors: expect.toBeAtMost('1%') })
  expect({ ttft }).not.toEqual({ ttft: expect.toBeBelow(40) })
  expect({ ttft }).toEqual({ ttft: expect.not.toBeBelow(40) })
  expect([3, 4]).toEqual([expect.toBeBelow(4), expect.toBeBetween(4, 5)])
})

describe('a mistake is a TypeError that says what is accepted', () => {
  test.each([
    [
      'a rate for a duration',
      () => expect(ttft).toBeBelow('40/s' as never),
      "toBeBelow(\"40/s\"): p99 TTFT is of unit ms; accepted is a number of milliseconds, or text such as '150us', '500ms', '30s', '2m', '1h'",
    ],
    [
      'a duration for a ratio',
      () => expect(errors).toBeAtMost('1ms' as never),
      'toBeAtMost("1ms"): error ratio is of unit ratio; accepted is a number such as 0.01, or text such as \'1%\'',
    ],
    [
      'a percentage for a rate',
      () => expect(achieved).toBeAtLeast('1%' as never),
      "toBeAtLeast(\"1%\"): achieved rate is of unit /s; accepted is a number per second, or text such as '30/s', '600/m', '100/h'",
    ],
    [
      'text for a number',
      () => expect(3).toBeBelow('4ms' as never),
      'toBeBelow("4ms"): a number was received; accepted is a number',
    ],
    [
      'NaN',
      () => expect(ttft).toBeBelow(Number.NaN),
      "toBeBelow(NaN): p99 TTFT is of unit ms; accepted is a number of milliseconds, or text such as '150us', '500ms', '30s', '2m', '1h'",
    ],
    ['no limit', () => expect(ttft).toBeBelow(...([] as unknown as [number])), 'toBeBelow needs 1 limit'],
    [
      'one limit of two',
      () => expect(ttft).toBeBetween(...([1] as unknown as [number, number])),
      'toBeBetween needs 2 limits',
    ],
    [
      'two limits in the wrong order',
      () => expect(ttft).toBeBetween('2s', 1),
      'toBeBetween("2s", 1): the first limit is above the second',
    ],
    [
      'a latency record instead of a figure',
      () => expect<unknown>({ ttft }).toBeBelow(1),
      'toBeBelow judges a Quantity or a number, not [object Object]',
    ],
    [
      'nothing',
      () => expect<unknown>(undefined).toBeBelow(1),
      'toBeBelow judges a Quantity or a number, not undefined',
    ],
    [
      'toBe',
      () => expect(ttft).toBe(40),
      'toBe(40) compares exactly, and p99 TTFT 40 ms (n = 1000) is a measured figure: use toBeBelow, toBeAtMost, toBeAbove, toBeAtLeast or toBeBetween, or take its .value',
    ],
    [
      'toEqual',
      () => expect(ttft).toEqual(40),
      'toEqual(40) compares exactly, and p99 TTFT 40 ms (n = 1000) is a measured figure: use toBeBelow, toBeAtMost, toBeAbove, toBeAtLeast or toBeBetween, or take its .value',
    ],
    [
      'not.toBe',
      () => expect(ttft).not.toBe(0),
      'toBe(0) compares exactly, and p99 TTFT 40 ms (n = 1000) is a measured figure: use toBeBelow, toBeAtMost, toBeAbove, toBeAtLeast or toBeBetween, or take its .value',
    ],
  ])('%s', (_, assert, message) => {
    const error = thrown(assert)
    expect(error).toBeInstanceOf(TypeError)
    expect(error).toHaveProperty('message', message)
  })
})

test('figures are still equal to themselves, and their values to numbers', () => {
  expect(ttft).toBe(ttft)
  expect(ttft).toEqual(quantity({ metric: 'TTFT', statistic: 'p99', value: 40, unit: 'ms', samples: 1000 }))
  expect(ttft.value).toBe(40)
})
