import { describe, expect, test } from 'vitest'
import { told, toldWhole } from './told-reply.ts'

const API = 'tgi-generate'

const token = (text: string, more: object = {}, special = false) => ({
  index: 1,
  token: { id: 5, text, logprob: -0.5, special },
  generated_text: null,
  details: null,
  ...more,
})
const details = { finish_reason: 'length', generated_tokens: 2, seed: null, input_length: 11 }

describe('one event', () => {
  test.each<[string, object, number, boolean]>([
    ['a token', token('a'), 1, true],
    ['a token with alternatives', token('a', { top_tokens: [{ id: 6, text: 'b' }] }), 1, true],
    ['a token without text', token(''), 1, false],
    ['a special token', token('</s>', {}, true), 1, false],
    ['no token', { index: 1, token: null }, 0, false],
    ['nothing', {}, 0, false],
  ])('%s', (_what, event, events, visible) => {
    const { reply, counts } = told(API, event)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ contentEvents: events, visible, complete: false, fault: null })
  })

  test.each<[string, object]>([
    ['with details', { generated_text: 'a b', details }],
    ['without details', { generated_text: 'a b' }],
    ['of no text', { generated_text: '' }],
  ])('the last %s brings its token and ends the reply', (_what, more) => {
    const { reply, counts } = told(API, token('a'), token(' b', more))
    expect(counts).toEqual([1, 1])
    expect(reply).toMatchObject({ done: true, contentEvents: 2, fault: null })
  })

  test('the server’s counts are in the last', () => {
    expect(told(API, token('a', { generated_text: 'a', details })).reply).toMatchObject({
      inputTokens: 11,
      outputTokens: 2,
    })
  })

  test.each([
    ['overloaded', 'Model is overloaded'],
    ['validation', 'Input validation error: `inputs` must have less than 1000 tokens'],
    ['generation', 'Request failed during generation: out of memory'],
  ])('an error of type %s is a failure', (error_type, error) => {
    expect(told(API, token('a'), { error, error_type }).reply).toMatchObject({
      fault: { kind: 'stream-error', message: error },
      complete: false,
    })
  })
})

describe('a reply that does not stream', () => {
  test.each<[string, object, number, object]>([
    ['weighs its tokens', { generated_text: 'a b', details }, 2, { visible: true, outputTokens: 2 }],
    ['without details is one event', { generated_text: 'a b' }, 1, { visible: true, outputTokens: null }],
    ['of special tokens alone has tokens', { generated_text: '', details }, 2, { visible: false, outputTokens: 2 }],
    ['of nothing has none', { generated_text: '' }, 0, { visible: false, outputTokens: null }],
  ])('%s', (_what, document, events, told) => {
    const { reply, events: brought } = toldWhole(API, document)
    expect(brought).toBe(events)
    expect(reply).toMatchObject({ done: true, fault: null, ...told })
  })

  test('of the older list is not understood', () => {
    expect(toldWhole(API, [{ generated_text: 'a' }]).reply.fault?.kind).toBe('bad-payload')
  })
})
