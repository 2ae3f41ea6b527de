import { expect, test } from 'vitest'
import { colorOf, paletteOf } from '../../src/report/color.ts'

test.each([
  ['a terminal', true, {}, true],
  ['a pipe', false, {}, false],
  ['a dumb terminal', true, { TERM: 'dumb' }, false],
  ['NO_COLOR on a terminal', true, { NO_COLOR: '1' }, false],
  // no-color.org: only when it is not an empty string.
  ['an empty NO_COLOR', true, { NO_COLOR: '' }, true],
  ['FORCE_COLOR in a pipe', false, { FORCE_COLOR: '1' }, true],
  ['an empty FORCE_COLOR in a pipe', false, { FORCE_COLOR: '' }, true],
  ['FORCE_COLOR=0 on a terminal', true, { FORCE_COLOR: '0' }, false],
  ['both', true, { NO_COLOR: '1', FORCE_COLOR: '1' }, false],
])('%s', (_, isTTY, env, color) => {
  expect(colorOf({ isTTY, env })).toBe(color)
})

test('the palette colours one text at a time, or not at all', () => {
  expect(['a', 'b'].map(paletteOf(true).verdict.fail)).toEqual(['\u001B[31ma\u001B[39m', '\u001B[31mb\u001B[39m'])
  expect(paletteOf(false).verdict.fail('a')).toBe('a')
})
