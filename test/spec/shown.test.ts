import { expect, test } from 'vitest'
import { shown, shownDuration, shownUrl } from '../../src/spec/shown.ts'

test.each([
  ['fast', "'fast'"],
  // one line, whatever was given
  ["it's\n", String.raw`'it\'s\n'`],
  ['x'.repeat(100), `'${'x'.repeat(48)}...'`],
  [-0, '0'],
  [Number.NaN, 'NaN'],
  [null, 'null'],
  [5n, '5n'],
  [Symbol('s'), 'a symbol'],
  [[], 'an empty list'],
  [[1], 'a list'],
  [{ a: 1 }, 'an object'],
  [() => 1, 'a function'],
  ['http://me:pw@host/v1?key=1', "'http://***@host/v1?***'"],
])('%o is shown as %s', (value, text) => {
  expect(shown(value)).toBe(text)
})

test.each([
  ['host:8000/v1', "'host:8000/v1'"],
  // no scheme, and yet a password
  ['me:pw@host', "'***@host'"],
  // a password that holds the marks of a URL itself
  ['http://me:p@w/?#x@host/', "'http://***@host/'"],
  ['http://host/v1#token', "'http://host/v1?***'"],
  [undefined, 'undefined'],
])('%s as a URL is shown as %s', (value, text) => {
  expect(shownUrl(value)).toBe(text)
})

test.each([
  [30_000, "'30s'"],
  [166.7, "'166.7ms'"],
  [1500, "'1500ms'"],
])('%d ms is shown as %s', (ms, text) => {
  expect(shownDuration(ms)).toBe(text)
})
