import { describe, expect, test } from 'vitest'
import { Bodies } from '../../src/client/bodies.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { WORDS } from '../../src/client/words.ts'
import type { Target } from '../../src/model/plan.ts'

const TARGET: Target = {
  api: 'openai-chat',
  method: 'POST',
  url: 'http://127.0.0.1/',
  model: 'llama',
  headers: {},
  body: {},
  stream: true,
  ignoreEos: false,
  status: null,
  embedded: false,
}

function bodyOf(prompt: number, { inputTokens = 16, seed = 7, api = 'openai-chat', target = {} } = {}) {
  const prompts = { kind: 'synthetic', inputTokens, outputTokens: 32 } as const
  const bodies = new Bodies(wireFormat(api), { ...TARGET, ...target }, prompts, seed)
  const body = bodies.create()!
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

test('the author’s objects are laid over those of the same name', () => {
  const body = { stream_options: { continuous_usage_stats: true }, metadata: { team: 'a' } }
  expect(bodyOf(0, { target: { body } })).toMatchObject({
    stream_options: { include_usage: true, continuous_usage_stats: true },
    metadata: { team: 'a' },
  })
  const parameters = { temperature: 0.5, stop: ['.'] }
  const tgi = bodyOf(0, { api: 'tgi-generate', target: { body: { parameters } } })
  expect(tgi.parameters).toEqual({ max_new_tokens: 32, details: true, ...parameters })
  // What is no object replaces, and is replaced.
  expect(bodyOf(0, { target: { body: { stream_options: null, max_tokens: { a: 1 } } } })).toMatchObject({
    stream_options: null,
    max_tokens: { a: 1 },
  })
})

describe('the body of each format asks for the tokens, in its own words', () => {
  const prompt = expect.stringMatching(/^([a-z]{4} ){15}[a-z]{4}$/)

  test.each([
    [
      'sglang-generate',
      { model: 'llama', text: prompt, sampling_params: { max_new_tokens: 32 }, stream: true },
      { sampling_params: { max_new_tokens: 32, ignore_eos: true } },
    ],
    ['tgi-generate', { model: 'llama', inputs: prompt, parameters: { max_new_tokens: 32, details: true } }, {}],
    ['triton-generate', { text_input: prompt, max_tokens: 32, stream: true }, {}],
    ['llamacpp-completion', { model: 'llama', prompt, n_predict: 32, stream: true }, { ignore_eos: true }],
    ['ollama-generate', { model: 'llama', prompt, options: { num_predict: 32 }, stream: true }, {}],
    [
      'ollama-chat',
      { model: 'llama', messages: [{ role: 'user', content: prompt }], options: { num_predict: 32 }, stream: true },
      {},
    ],
  ])('%s', (api, body, withoutEnd) => {
    expect(bodyOf(0, { api })).toEqual(body)
    expect(bodyOf(0, { api, target: { ignoreEos: true } })).toEqual({ ...body, ...withoutEnd })
  })

  test.each(['openai-chat', 'openai-completions'])('%s ends no reply early when it is asked so', (api) => {
    expect(bodyOf(0, { api })).not.toHaveProperty('ignore_eos')
    expect(bodyOf(0, { api, target: { ignoreEos: true } })).toMatchObject({ ignore_eos: true, min_tokens: 32 })
  })

  test('http has the author’s body, or none', () => {
    expect(bodyOf(0, { api: 'http', target: { body: { a: [1] } } })).toEqual({ a: [1] })
    const target = { ...TARGET, api: 'http', body: null }
    const prompts = { kind: 'synthetic', inputTokens: 16, outputTokens: 1 } as const
    expect(new Bodies(wireFormat('http'), target, prompts, 7).create()).toBeNull()
  })
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
  const [used, fresh] = [bodies.create()!, bodies.create()!]
  bodies.write(used, 123)
  bodies.write(used, 456)
  bodies.write(fresh, 456)
  expect(used.equals(fresh)).toBe(true)
})

test('there are 256 different words, of one length', () => {
  expect(new Set(WORDS).size).toBe(256)
  expect(WORDS.filter((word) => !/^[a-z]{4}$/.test(word))).toEqual([])
})
