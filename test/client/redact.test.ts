import { describe, expect, test } from 'vitest'
import { redact, secretsOf } from '../../src/client/redact.ts'

const URL_WITHOUT = 'http://127.0.0.1:8000/v1/chat/completions'

describe('secretsOf', () => {
  test.each([
    ['a key and its scheme', { authorization: 'Bearer sk-123456' }, ['Bearer sk-123456', 'sk-123456']],
    ['an API key', { 'x-api-key': 'abcdef' }, ['abcdef']],
    ['any header of the author’s', { 'x-tenant': 'acme-gmbh' }, ['acme-gmbh']],
    [
      'each cookie',
      { cookie: 'sid=123456; t=%C3%A4bcdef' },
      ['sid=123456; t=%C3%A4bcdef', 'sid=123456; t=äbcdef', '%C3%A4bcdef', '123456', 'äbcdef'],
    ],
    ['no header that names a format', { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }, []],
    ['nothing too short to be a key', { 'x-tier': 'gold' }, []],
  ])('%s', (_what, headers, secrets) => {
    expect(secretsOf({ url: URL_WITHOUT, headers })).toEqual(secrets)
  })

  test('user info and query values of the URL, as written and decoded', () => {
    const url = 'http://someone:p%40ssword@127.0.0.1/v1?api-key=k%2Fey-123&v=1'
    expect(secretsOf({ url, headers: {} }).sort()).toEqual([
      'k%2Fey-123',
      'k/ey-123',
      'p%40ssword',
      'p@ssword',
      'someone',
    ])
  })
})

describe('redact', () => {
  test('replaces every occurrence', () => {
    expect(redact('key abcdef: abcdef is wrong', ['abcdef'])).toBe('key [redacted]: [redacted] is wrong')
  })

  test('a secret inside another leaves nothing of the longer one', () => {
    const secrets = secretsOf({ url: URL_WITHOUT, headers: { a: 'abcdef-and-more', b: 'abcdef' } })
    expect(redact('abcdef-and-more', secrets)).toBe('[redacted]')
  })

  test.each([
    ['in its middle', 'the key abcabcabc', 'the key [redacted]'],
    ['after its first six characters', 'the key abcabc', 'the key [redacted]'],
    ['after fewer, which nobody can use', 'the key abcab', 'the key abcab'],
    ['not at all, with an ordinary word at the end', 'the key abcabcabd', 'the key abcabcabd'],
  ])('what is left of a secret cut off %s', (_where, text, shown) => {
    expect(redact(text, ['abcabcabc-123'])).toBe(shown)
  })

  test('a secret that looks like a pattern is taken literally', () => {
    expect(redact('a.c$&c a+c', ['a.c$&c'])).toBe('[redacted] a+c')
  })
})
