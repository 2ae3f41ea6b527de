import { describe, expect, test } from 'vitest'
import { ErrorField } from '../../src/client/error-field.ts'

function rewritten(...pieces: readonly string[]): string {
  const field = new ErrorField()
  return pieces.map((piece) => field.rewrite(piece)).join('')
}

const EVENT = 'event: error\ndata: {"code":1}\n\n'

describe('a line that begins with error:', () => {
  test.each([
    ['alone', 'error: {"code":1}\n\n', EVENT],
    ['after an event', 'data: 1\n\nerror: {"code":1}\n\n', `data: 1\n\n${EVENT}`],
    ['after a carriage return', 'data: 1\r\rerror: {"code":1}\n\n', `data: 1\r\r${EVENT}`],
    ['twice', 'error: 1\nerror: 2\n', 'event: error\ndata: 1\nevent: error\ndata: 2\n'],
  ])('%s becomes an event of that type', (_what, text, expected) => {
    expect(rewritten(text)).toBe(expected)
    // cut at every place, and into single characters
    for (let cut = 0; cut <= text.length; cut++) expect(rewritten(text.slice(0, cut), text.slice(cut))).toBe(expected)
    expect(rewritten(...text)).toBe(expected)
  })
})

describe('anything else stays as it is', () => {
  test.each([
    'data: error: 1\n\n',
    'event: error\ndata: 1\n\n',
    'errors: 1\n',
    ' error: 1\n',
    ': error: 1\n',
    'data: {"a":"\\nerror: 1"}\n\n',
    'error',
    'e\nerr\n',
  ])('%j', (text) => {
    for (let cut = 0; cut <= text.length; cut++) {
      // What is the beginning of the field may still wait at the end.
      expect(rewritten(text.slice(0, cut), text.slice(cut), '\n')).toBe(`${text}\n`)
    }
  })
})

test('another stream begins at the start of a line, without what waited', () => {
  const field = new ErrorField()
  expect(field.rewrite('data: 1\nerr')).toBe('data: 1\n')
  field.reset()
  expect(field.rewrite('or: 1\n')).toBe('or: 1\n')
  expect(field.rewrite('data: ')).toBe('data: ')
  field.reset()
  expect(field.rewrite('error: 1\n')).toBe('event: error\ndata: 1\n')
})
