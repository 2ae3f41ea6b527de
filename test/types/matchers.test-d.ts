import { expectTypeOf, test } from 'vitest'
import { expect, type Quantity, type Report } from '../../src/index.ts'

declare const ntpot: Quantity<'ms'>
declare const rate: Quantity<'/s'>
declare const ratio: Quantity<'ratio'>
declare const count: Quantity<'count'>
declare const any: Quantity

test('a limit is a number, or text with a unit of the figure', () => {
  expect(ntpot).toBeBelow(40)
  expect(ntpot).toBeBelow('40ms')
  expect(ntpot).toBeAtMost('1.5s')
  expect(ntpot).toBeBetween('150us', 40)
  expect(rate).toBeAtLeast(30)
  expect(rate).toBeAtLeast('30/s')
  expect(rate).toBeAbove('600/m')
  expect(ratio).toBeAtMost(0.01)
  expect(ratio).toBeAtMost('1%')
  expect(count).toBeAtMost(0)
})

test('text with another unit is a type error', () => {
  // @ts-expect-error -- a rate for a duration
  expect(ntpot).toBeBelow('40/s')
  // @ts-expect-error -- a percentage for a duration
  expect(ntpot).toBeAtMost('40%')
  // @ts-expect-error -- no unit
  expect(ntpot).toBeAbove('40')
  // @ts-expect-error -- no such unit
  expect(ntpot).toBeAtLeast('40sec')
  // @ts-expect-error -- the second limit is a rate
  expect(ntpot).toBeBetween(10, '40/s')
  // @ts-expect-error -- a duration for a rate
  expect(rate).toBeAtLeast('30ms')
  // @ts-expect-error -- a rate for a ratio
  expect(ratio).toBeAtMost('1/s')
  // @ts-expect-error -- a count has no unit
  expect(count).toBeAtMost('1%')
})

test('the number of limits is checked', () => {
  // @ts-expect-error -- none
  expect(ntpot).toBeBelow()
  // @ts-expect-error -- one of two
  expect(ntpot).toBeBetween(1)
  // @ts-expect-error -- two of one
  expect(ntpot).toBeBelow(1, 2)
})

test('not, soft and poll know the unit too', async () => {
  expect(ntpot).not.toBeBelow('40ms')
  // @ts-expect-error -- a rate for a duration
  expect(ntpot).not.toBeBelow('40/s')
  expect.soft(ntpot).toBeBelow('40ms')
  // @ts-expect-error -- a rate for a duration
  expect.soft(ntpot).toBeBelow('40/s')
  await expect.poll(() => ntpot).toBeBelow('40ms')
  // @ts-expect-error -- a rate for a duration
  await expect.poll(() => ntpot).toBeBelow('40/s')
})

test('a figure of any unit takes every limit', () => {
  expect(any).toBeBelow(40)
  expect(any).toBeBelow('40ms')
  expect(any).toBeBelow('40/s')
})

test('plain numbers take numbers', () => {
  expect(3).toBeBelow(4)
  expect(3).toBeBetween(1, 4)
  // @ts-expect-error -- a number has no unit
  expect(3).toBeBelow('4ms')
})

test('what is neither a figure nor a number has no limit', () => {
  // @ts-expect-error -- text
  expect('3').toBeBelow(4)
  // @ts-expect-error -- a record of figures: one of them is missing
  expect({ ntpot }).toBeBelow(4)
  // @ts-expect-error -- a report is no figure
  expect({} as Report).toBeBelow(4)
})

test('asymmetric matchers take every limit', () => {
  expect({ ntpot, rate }).toEqual({ ntpot: expect.toBeBelow('40ms'), rate: expect.toBeAtLeast(30) })
  expect({ ratio }).toEqual({ ratio: expect.not.toBeBetween(0, '1%') })
  // @ts-expect-error -- no such unit
  expect.toBeBelow('40sec')
})

test("Vitest's own matchers are still there", () => {
  expect(3).toBe(3)
  expect(ntpot.value).toBeNull()
  expectTypeOf(expect(3).toBeBelow(4)).toEqualTypeOf<void>()
})
