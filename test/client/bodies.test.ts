import { describe, expect, test } from 'vitest'
import { Bodies } from '../../src/client/bodies.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { WORDS } from '../../src/client/words.ts'
import type { Target } from '../../src/model/plan.ts'

const TARGET: Target = {
  api: 'openai-chat',
  url: 'http://127.0.0.1/',
  model: 'llama',
  headers: {},
  body: {},
  stream: true,
  embedded: false,
}

function bodyOf(prompt: number, { inputTokens = 16, seed = 7, api = 'openai-chat', target = {} } = {}) {
  const prompts = { kind: 'synthetic', inputTokens, outputTokens: 32 } as const
  const bodies = new Bodies(wireFormat(api), { ...TARGET, ...target }, prompts, seed)
  const body = bodies.create()
  bodies.write(body, prompt)
  return JSON.parse(body.toString())
}

describe('a chat body', () => {
  test('asks in one message of as many words as input tokens', () => {
    const { messages, ...rest } = bodyOf(0)
    expect(rest).toEqual({ model: 'llama', max_tokens: 32, stream: true, stream_options: { include_usage: true } })
    expect(messages).toEqual([{ role: 'user', content: expect.stringMatching(/^([a-z]{4} ){15}[a-z]{4}$/) }])
  })

  test.each([1, 3, 8, 9, 2000])('has %i words for that many input tokens', (inputTokens) => {
    const words = bodyOf(5, { inputTokens }).messages[0].content.split(' ')
    expect(words).toHaveLength(inputTokens)
    expect(words.filter((word: string) => !WORDS.includes(word))).toEqual([])
  })

  test('is the same for the same seed and number, and begins differently for others', () => {
    const first = (prompt: number, seed: number) => bodyOf(prompt, { seed }).messages[0].content.slice(0, 39)
    expect(first(3, 1)).toBe(first(3, 1))
    expect(new Set([first(3, 1), first(4, 1), first(3, 2), first(4, 2)]).size).toBe(4)
  })

  test('without streaming asks for no usage chunk', () => {
    expect(bodyOf(0, { target: { stream: false } })).toMatchObject({ stream: false })
    expect(bodyOf(0, { target: { stream: false } })).not.toHaveProperty('stream_options')
  })

  test('without a model names none', () => {
    expect(bodyOf(0, { target: { model: null } })).not.toHaveProperty('model')
  })
})

test('the author’s fields win; undefined removes one', () => {
  const body = { temperature: 0, max_tokens: undefined, max_completion_tokens: 9 }
  expect(bodyOf(0, { target: { body } })).toMatchObject({ temperature: 0, max_completion_tokens: 9, model: 'llama' })
  expect(bodyOf(0, { target: { body } })).not.toHaveProperty('max_tokens')
})

test('a prompt of the author’s own stays as it is', () => {
  const messages = [{ role: 'user', content: 'always the same' }]
  expect(bodyOf(9, { target: { body: { messages } } }).messages).toEqual(messages)
})

test('a completion asks in its prompt', () => {
  expect(bodyOf(0, { api: 'openai-completions' }).prompt).toMatch(/^([a-z]{4} ){15}[a-z]{4}$/)
})

test('writing a prompt leaves nothing of the one before', () => {
  const bodies = new Bodies(
    wireFormat('openai-chat'),
    TARGET,
    { kind: 'synthetic', inputTokens: 16, outputTokens: 1 },
    7,
  )
  const [used, fresh] = [bodies.create(), bodies.create()]
  bodies.write(used, 123)
  bodies.write(used, 456)
  bodies.write(fresh, 456)
  expect(used.equals(fresh)).toBe(true)
})

test('there are 256 different words, of one length', () => {
  expect(new Set(WORDS).size).toBe(256)
  expect(WORDS.filter((word) => !/^[a-z]{4}$/.test(word))).toEqual([])
})
