import { expect, test } from 'vitest'
import { clip, columnsOf, printable, wrap } from '../../src/report/text.ts'

test.each([
  // A server's message must not repaint the terminal.
  ['\u001B[31mred\u001B[0m', '[31mred [0m'],
  ['two\r\nlines', 'two lines'],
  // A right-to-left override would show the rest backwards.
  ['a\u202Eb', 'a b'],
  ['  spaces   run together ', 'spaces run together'],
  ['héllo 漢字', 'héllo 漢字'],
])('%j is shown as %j', (text, shown) => {
  expect(printable(text)).toBe(shown)
})

test('a character beyond ASCII counts as two columns', () => {
  expect(columnsOf('ab漢')).toBe(4)
  expect(columnsOf('🚀')).toBe(2)
})

test('clip says that something is missing', () => {
  expect(clip('saturation', 10)).toBe('saturation')
  expect(clip('saturation', 6)).toBe('satu..')
  expect(clip('漢字漢字', 5)).toBe('漢..')
  expect(clip('abc', 1)).toBe('.')
  expect(clip('abc', 0)).toBe('')
})

test('wrap breaks at spaces, and inside a word only when it must', () => {
  expect(wrap('the step must last 38 s', 10)).toEqual(['the step', 'must last', '38 s'])
  expect(wrap('see http://127.0.0.1', 8)).toEqual(['see', 'http://1', '27.0.0.1'])
  expect(wrap('', 10)).toEqual([''])
})
