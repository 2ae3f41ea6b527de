import { describe, expect, test } from 'vitest'
import { told, toldWhole } from './told-reply.ts'

const API = 'openai-chat'

/** A chunk of one output, with the tokens that it says there are so far. */
function chunk(content: string | null, tokens: number | null, more: object = {}) {
  const usage = tokens === null ? null : { prompt_tokens: 12, completion_tokens: tokens }
  return { choices: [{ index: 0, delta: { content }, ...more }], usage }
}

const usageOnly = (usage: object) => ({ choices: [], usage })

describe('weights of chunks', () => {
  test.each<[string, object[], number[]]>([
    ['are 1 without counts', [chunk('', null), chunk('a', null), chunk('b', null)], [0, 1, 1]],
    ['are what the count has grown by', [chunk('', 0), chunk('a', 1), chunk('b', 4)], [0, 1, 3]],
    ['count tokens without text', [chunk('', 0), chunk('', 1), chunk('', 1), chunk('a', 3)], [0, 1, 0, 2]],
    [
      'count the token for the end of text',
      [chunk('', 0), chunk('a', 1), chunk('', 2, { finish_reason: 'stop' })],
      [0, 1, 1],
    ],
    // A role chunk may count the token that comes after it.
    ['take no role for a token', [chunk('', 1), chunk('a', 1), chunk('b', 2)], [0, 1, 1]],
    // DeepSeek, Mistral and OpenRouter: the total comes with the finish reason, or beside it.
    [
      'need a count in each chunk',
      [chunk('', null), chunk('a', null), chunk('', 9, { finish_reason: 'stop' })],
      [0, 1, 0],
    ],
    ['take no total for a token', [chunk('', null), chunk('', 9, { finish_reason: 'stop' })], [0, 0]],
    ['are 1 where counts stand still', [chunk('', 0), chunk('a', 0), chunk('b', 0), chunk('', 9)], [0, 1, 1, 0]],
    ['are 1 where counts lag behind', [chunk('a', 1), chunk('b', 1), chunk('c', 2), chunk('', 3)], [1, 1, 1, 0]],
    [
      'leave out a chunk without choices',
      [chunk('', 0), chunk('a', 1), usageOnly({ completion_tokens: 2 })],
      [0, 1, 0],
    ],
    [
      'are 1 with several outputs, whose counts are each its own',
      [chunk('', 0), chunk('a', 1), chunk('b', 1, { index: 1 }), chunk('c', 4), chunk('', 5, { index: 1 })],
      [0, 1, 1, 1, 0],
    ],
  ])('%s', (_what, events, counts) => {
    expect(told(API, ...events).counts).toEqual(counts)
  })
})

describe('reasoning that the server counts', () => {
  const details = usageOnly({ completion_tokens: 12, completion_tokens_details: { reasoning_tokens: 8 } })
  const reasoning = { choices: [{ delta: { reasoning: 'a' } }] }

  test.each<[string, object[], number]>([
    ['and does not send is unsent', [chunk('a', null), details], 8],
    ['and sends is not', [reasoning, chunk('a', null), details], 0],
    [
      'may stand beside the other counts',
      [chunk('a', null), usageOnly({ completion_tokens: 9, reasoning_tokens: 3 })],
      3,
    ],
    // The first count holds the reasoning before it.
    ['in each chunk is weighed already', [chunk('', 0), chunk('a', 9), details], 0],
    ['may be none', [chunk('a', null), usageOnly({ completion_tokens: 9, completion_tokens_details: null })], 0],
  ])('%s', (_what, events, unsent) => {
    expect(told(API, ...events).reply.unsentTokens).toBe(unsent)
  })
})

describe('outputs', () => {
  test.each(['error', 'abort', 'timeout', 'cancelled', 'insufficient_system_resource'])(
    'that end with %s are a stream-error',
    (finish_reason) => {
      const { reply } = told(API, chunk('a', null), chunk('', null, { finish_reason }))
      expect(reply.fault).toEqual({ kind: 'stream-error', message: `finish_reason is '${finish_reason}'` })
    },
  )

  test.each(['stop', 'length', 'tool_calls', 'function_call', 'content_filter', 'eos_token', 'model_length'])(
    'that end with %s are whole',
    (finish_reason) => {
      const { reply } = told(API, chunk('a', null), chunk('', null, { finish_reason }))
      expect(reply).toMatchObject({ complete: true, fault: null })
    },
  )
})

describe('what servers add', () => {
  const thinking = (thinking: unknown) => ({ choices: [{ delta: { content: [{ type: 'thinking', thinking }] } }] })

  test.each<[string, object, number]>([
    ['thinking in parts of a part', thinking([{ type: 'text', text: 'a' }]), 1],
    ['thinking as text', thinking('a'), 1],
    ['empty thinking', thinking([{ type: 'text', text: '' }]), 0],
    ['results of a prompt filter', { choices: [], prompt_filter_results: [{ prompt_index: 0 }] }, 0],
    ['results of a content filter', { choices: [{ index: 0, content_filter_results: {}, finish_reason: null }] }, 0],
    ['progress of the prompt', { choices: [{ delta: {} }], prompt_progress: { total: 9, processed: 4 } }, 0],
    ['padding', { ...chunk('', null), obfuscation: 'x'.repeat(40) }, 0],
  ])('%s', (_what, event, events) => {
    const { reply, counts } = told(API, event)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ visible: false, reasoned: events > 0, fault: null })
  })

  test('usage and errors of Groq', () => {
    const usage = { prompt_tokens: 3, completion_tokens: 5 }
    expect(told(API, { ...chunk('', null), x_groq: { usage } }).reply).toMatchObject({
      inputTokens: 3,
      outputTokens: 5,
    })
    expect(told(API, { ...chunk('', null), x_groq: { error: 'm' } }).reply.fault).toEqual({
      kind: 'stream-error',
      message: 'm',
    })
  })
})

describe('a document', () => {
  test('is weighed by its tokens, whatever it has of outputs', () => {
    const message = { role: 'assistant', content: 'a' }
    const usage = { prompt_tokens: 3, completion_tokens: 7 }
    const one = { choices: [{ index: 0, message, finish_reason: 'stop' }], usage }
    expect(toldWhole(API, one)).toMatchObject({ events: 7, reply: { done: true, outputTokens: 7, visible: true } })
    const two = { choices: [0, 1].map((index) => ({ index, message, finish_reason: 'stop' })), usage }
    expect(toldWhole(API, two)).toMatchObject({ events: 2, reply: { done: true, outputTokens: 7 } })
  })
})
