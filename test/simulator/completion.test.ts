import { describe, expect, test } from 'vitest'
import { countWords, MAX_OUTPUT_TOKENS, parseCompletion } from '../../src/simulator/completion.ts'
import type { CompletionApi } from '../../src/simulator/completion.ts'
import { HttpError } from '../../src/simulator/http-error.ts'

const read = (api: CompletionApi, fields: unknown) => parseCompletion(api, Buffer.from(JSON.stringify(fields)), 'sim')

describe('what is asked', () => {
  test('the defaults: 16 tokens, no stream, the server’s model', () => {
    expect(read('text', { prompt: 'a b c' })).toEqual({
      api: 'text',
      model: 'sim',
      stream: false,
      includeUsage: false,
      promptTokens: 3,
      outputTokens: 16,
    })
  })

  test('everything given', () => {
    const fields = {
      model: 'llama',
      messages: [
        { role: 'system', content: 'be brief' },
        { role: 'user', content: [{ type: 'text', text: 'what is it' }, { type: 'image_url' }] },
        { role: 'assistant', content: null },
      ],
      stream: true,
      stream_options: { include_usage: true },
      max_tokens: 5,
      max_completion_tokens: 7,
    }
    expect(read('chat', fields)).toEqual({
      api: 'chat',
      model: 'llama',
      stream: true,
      includeUsage: true,
      promptTokens: 5,
      outputTokens: 7,
    })
  })

  test.each([
    ['token ids', [1, 2, 3, 4], 4],
    ['one prompt in a list', ['a b'], 2],
    ['one prompt of token ids in a list', [[1, 2, 3]], 3],
  ])('a prompt of %s', (_, prompt, tokens) => {
    expect(read('text', { prompt }).promptTokens).toBe(tokens)
  })
})

describe('what is refused with 400', () => {
  const messages = [{ role: 'user', content: 'a' }]
  test.each<[string, CompletionApi, string]>([
    ['no JSON', 'chat', '{'],
    ['an empty body', 'chat', ''],
    ['no object', 'chat', '[]'],
    ['no messages', 'chat', '{"prompt":"a"}'],
    ['an empty list of messages', 'chat', '{"messages":[]}'],
    ['a message that is none', 'chat', '{"messages":["a"]}'],
    ['no prompt', 'text', '{"messages":[]}'],
    ['two prompts', 'text', '{"prompt":["a","b"]}'],
    ['no token', 'chat', JSON.stringify({ messages, max_tokens: 0 })],
    ['half a token', 'chat', JSON.stringify({ messages, max_tokens: 1.5 })],
    ['too many tokens', 'chat', JSON.stringify({ messages, max_tokens: MAX_OUTPUT_TOKENS + 1 })],
    ['two choices', 'chat', JSON.stringify({ messages, n: 2 })],
    ['a model that is no name', 'chat', JSON.stringify({ messages, model: 1 })],
    ['a stream that is no boolean', 'chat', JSON.stringify({ messages, stream: 'yes' })],
  ])('%s', (_, api, body) => {
    expect(() => parseCompletion(api, Buffer.from(body), 'sim')).toThrow(
      expect.objectContaining({ constructor: HttpError, status: 400 }),
    )
  })
})

test.each([
  ['', 0],
  ['  \n ', 0],
  ['one', 1],
  ['  one \t two\nthree ', 3],
  // 4 characters a word: 4,000 words in 16,000 characters, counted in the first 8,192 (2,048 words)
  ['abc '.repeat(4000), 4000],
])('words of %j', (text, words) => {
  expect(countWords(text)).toBe(words)
})
