import { expect, test } from 'vitest'
import { counted, digits, percent } from '../../src/report/digits.ts'

test.each([
  // No figure is not 0.
  [null, '-'],
  [Number.NaN, '-'],
  [Number.POSITIVE_INFINITY, '-'],
  [0, '0'],
  // Too small for two decimals, but not nothing.
  [0.0049, '<0.01'],
  [0.005, '0.01'],
  [0.412, '0.41'],
  [5, '5.00'],
  // Rounding carries into the next power of ten: still three digits.
  [9.994, '9.99'],
  [9.996, '10.0'],
  [48.12, '48.1'],
  [99.96, '100'],
  [412.4, '412'],
  // Whole numbers keep all their digits.
  [1238.4, '1238'],
  [57_600, '57600'],
  [-2.5, '-2.50'],
])('%d is shown as %s', (value, shown) => {
  expect(digits(value)).toBe(shown)
})

test.each([
  [null, '-'],
  [0, '0%'],
  [0.00001, '<0.01%'],
  [0.005, '0.50%'],
  [0.1214, '12.1%'],
  [1, '100%'],
])('a share of %d is shown as %s', (ratio, shown) => {
  expect(percent(ratio)).toBe(shown)
})

test('counts are grouped and agree with their noun', () => {
  expect(counted(1, 'load process', 'load processes')).toBe('1 load process')
  expect(counted(0, 'error')).toBe('0 errors')
  expect(counted(57_600, 'output token')).toBe('57,600 output tokens')
})
