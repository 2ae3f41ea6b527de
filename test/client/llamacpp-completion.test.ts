import { describe, expect, test } from 'vitest'
import { Reply } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { told, toldWhole } from './told-reply.ts'

const API = 'llamacpp-completion'

/** An event after which so many tokens have been generated. */
const event = (content: string, tokens?: number, more: object = {}) => ({
  index: 0,
  content,
  stop: false,
  tokens_predicted: tokens,
  tokens_evaluated: 42,
  ...more,
})

describe('tokens are what the count grows by', () => {
  test.each<[string, object[], number[], boolean]>([
    ['one an event', [event('a', 1), event('b', 2)], [1, 1], true],
    ['half a character held back', [event('a', 1), event('b', 3)], [1, 2], true],
    ['a drafted batch', [event('a', 3), event('b', 3), event('c', 3), event('d', 4)], [3, 0, 0, 1], true],
    ['progress of the prompt', [event('', 0, { prompt_progress: { total: 42, processed: 8 } })], [0], false],
    ['the end token', [event('a', 1), event('', 2, { stop: true, stop_type: 'eos' })], [1, 1], true],
    ['the end by the limit', [event('a', 1), event('', 1, { stop: true, stop_type: 'limit' })], [1, 0], true],
  ])('%s', (_what, events, counts, visible) => {
    const { reply, counts: brought } = told(API, ...events)
    expect(brought).toEqual(counts)
    expect(reply).toMatchObject({ visible, inputTokens: 42, fault: null })
  })

  test.each<[string, object, number, boolean]>([
    ['text', { content: 'a', stop: false }, 1, true],
    ['reasoning', { content: '', reasoning_content: 'a', stop: false }, 1, false],
    ['no text', { content: '', stop: false }, 0, false],
  ])('without counts %s', (_what, fields, events, visible) => {
    const { reply, counts } = told(API, fields)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ visible, outputTokens: null })
  })
})

test('stop ends the reply, and nothing else does', () => {
  expect(told(API, event('a', 1)).reply.complete).toBe(false)
  expect(told(API, event('a', 1), event('', 1, { stop: true })).reply.done).toBe(true)
})

test.each<[string, string | undefined]>([
  ['{"error":{"code":500,"message":"m","type":"server_error"}}', undefined],
  // what an `error:` field becomes
  ['{"code":500,"message":"m","type":"server_error"}', 'error'],
])('the error %s of type %s is a failure', (data, type) => {
  const reply = new Reply()
  expect(wireFormat(API).event(reply, data, type)).toBe(0)
  expect(reply.fault).toEqual({ kind: 'stream-error', message: 'm' })
})

test('a reply that does not stream weighs its tokens', () => {
  const { reply, events } = toldWhole(API, event('a b', 7, { stop: true }))
  expect(events).toBe(7)
  expect(reply).toMatchObject({ done: true, visible: true, outputTokens: 7, inputTokens: 42, fault: null })
  expect(toldWhole(API, { slots: 4 }).reply.fault?.message).toBe('reply without content: {"slots":4}')
})
