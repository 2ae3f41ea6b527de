import { describe, expect, test } from 'vitest'
import { sseEvent } from '../../src/client/sse.ts'
import { readReply } from './read-reply.ts'
import { told, toldWhole } from './told-reply.ts'

const API = 'sglang-generate'

/** An event after which so many tokens have been generated. */
const event = (text: string | undefined, tokens?: number, reason: unknown = null) => ({
  text,
  meta_info: { id: 'x', finish_reason: reason, prompt_tokens: 9, completion_tokens: tokens },
})

describe('tokens are what the count grows by', () => {
  test.each<[string, object[], number[], boolean]>([
    ['text so far', [event('a', 1), event('a b', 2), event('a b c', 3)], [1, 1, 1], true],
    ['text that is new', [event('a', 1), event('b', 2), event('c', 3)], [1, 1, 1], true],
    ['several in an event', [event('a', 1), event('a b c', 5)], [1, 4], true],
    ['one without text', [event('', 1), event('a', 2)], [1, 1], true],
    ['the same event again', [event('a', 1), event('a', 1)], [1, 0], true],
    ['text of tokens before', [event('', 2), event('a', 2)], [2, 0], true],
    ['no text at all (skip_tokenizer_init)', [event(undefined, 1), event(undefined, 2)], [1, 1], false],
    ['none yet', [event('', 0)], [0], false],
  ])('%s', (_what, events, counts, visible) => {
    const { reply, counts: brought } = told(API, ...events)
    expect(brought).toEqual(counts)
    expect(reply).toMatchObject({ visible, inputTokens: 9, fault: null, complete: false })
  })

  test('without counts an event with text is one content event', () => {
    const { reply, counts } = told(API, event('a'), event('a b'), { text: '' }, {})
    expect(counts).toEqual([1, 1, 0, 0])
    expect(reply).toMatchObject({ contentEvents: 2, outputTokens: null })
  })

  test('a count after events without one weighs nothing', () => {
    const { reply, counts } = told(API, event('a'), event('a b', 5))
    expect(counts).toEqual([1, 1])
    expect(reply).toMatchObject({ contentEvents: 2, outputTokens: 5 })
  })
})

describe('the end', () => {
  test.each<[string, unknown]>([
    ['length', { type: 'length', length: 1 }],
    ['a stop', { type: 'stop', matched: 2 }],
    ['the reason as text', 'length'],
  ])('%s completes the reply', (_what, reason) => {
    expect(told(API, event('a', 1, reason)).reply).toMatchObject({ complete: true, fault: null })
  })

  test('[DONE] completes it too', () => {
    expect(told(API, event('a', 1), '[DONE]').reply).toMatchObject({ done: true, complete: true, fault: null })
  })

  test.each<[string, unknown, string]>([
    ['an abort with its message', { type: 'abort', message: 'queue is full', status_code: 503 }, 'queue is full'],
    ['an abort without one', { type: 'abort' }, "finish_reason is 'abort'"],
    ['an abort as text', 'abort', "finish_reason is 'abort'"],
  ])('%s is a failure', (_what, reason, message) => {
    expect(told(API, event('a', 1, reason)).reply.fault).toEqual({ kind: 'stream-error', message })
  })

  test.each<[string, string | object, string, string]>([
    ['an error', { error: { message: 'm', type: 'BadRequestError', code: 400 } }, 'stream-error', 'm'],
    ['no JSON', '{"text":', 'bad-payload', 'not a JSON object: {"text":'],
  ])('%s is a failure', (_what, data, kind, message) => {
    expect(told(API, data).reply.fault).toEqual({ kind, message })
  })
})

describe('a reply that does not stream', () => {
  test('weighs its tokens', () => {
    const { reply, events } = toldWhole(API, event('a b c', 3, { type: 'stop' }))
    expect(events).toBe(3)
    expect(reply).toMatchObject({ done: true, visible: true, inputTokens: 9, outputTokens: 3, fault: null })
  })

  test('of something else is not understood', () => {
    expect(toldWhole(API, { status: 'ok' }).reply.fault).toEqual({
      kind: 'bad-payload',
      message: 'reply without meta_info: {"status":"ok"}',
    })
  })
})

test('text that comes after its tokens is seen when it comes, and is no token', () => {
  const pieces = [event('', 2), event('a', 2), '[DONE]'].map((data) =>
    Buffer.from(sseEvent(typeof data === 'string' ? data : JSON.stringify(data))),
  )
  expect(readReply(API, pieces)).toMatchObject({
    failure: null,
    reads: [[1, 2]],
    firstToken: 1,
    firstVisible: 2,
    lastToken: 1,
    outputTokens: 2,
  })
})
