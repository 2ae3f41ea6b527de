import { describe, expect, test } from 'vitest'
import { BEGIN, END, withResults } from '../../bench/bias/document.ts'

describe('withResults', () => {
  test('replaces what is between the markers, and does so again', () => {
    const document = `# Title\n\n${BEGIN}\nold\n${END}\n\nRest.\n`
    const once = withResults(document, '\nnew $& text\n')
    expect(once).toBe(`# Title\n\n${BEGIN}\n\nnew $& text\n\n${END}\n\nRest.\n`)
    expect(withResults(once, 'new $& text')).toBe(once)
  })

  test.for(['no markers', BEGIN, `${END} ${BEGIN}`, `${BEGIN} ${BEGIN} ${END}`, `${BEGIN} ${END} ${END}`])(
    'refuses %j',
    (document) => expect(() => withResults(document, 'new')).toThrow('once each'),
  )
})
