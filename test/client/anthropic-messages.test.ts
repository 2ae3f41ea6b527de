import { describe, expect, test } from 'vitest'
import { Reply } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { told, toldWhole } from './told-reply.ts'

const API = 'anthropic-messages'

const delta = (fields: object) => ({ type: 'content_block_delta', index: 0, delta: fields })
const block = (fields: object) => ({ type: 'content_block_start', index: 0, content_block: fields })
const started = (usage?: object) => ({ type: 'message_start', message: { content: [], usage } })
const ended = (usage?: object, reason: string | null = 'end_turn') => ({
  type: 'message_delta',
  delta: { stop_reason: reason },
  usage,
})
const stopped = { type: 'message_stop' }
const text = delta({ type: 'text_delta', text: 'a' })

describe('one event', () => {
  test.each<[string, object, number, boolean, boolean]>([
    ['text', text, 1, true, false],
    ['a space', delta({ type: 'text_delta', text: ' ' }), 1, true, false],
    ['thinking', delta({ type: 'thinking_delta', thinking: 'a' }), 1, false, true],
    ['input of a tool', delta({ type: 'input_json_delta', partial_json: '{' }), 1, false, false],
    ['the name of a tool', block({ type: 'tool_use', id: 'x', name: 'f', input: {} }), 1, false, false],
    ['thoughts kept secret', block({ type: 'redacted_thinking', data: 'x' }), 1, false, true],
    ['empty text', delta({ type: 'text_delta', text: '' }), 0, false, false],
    ['empty input', delta({ type: 'input_json_delta', partial_json: '' }), 0, false, false],
    ['a signature', delta({ type: 'signature_delta', signature: 'x' }), 0, false, false],
    ['a citation', delta({ type: 'citations_delta', citation: { cited_text: 'a' } }), 0, false, false],
    ['a block that begins', block({ type: 'text', text: '' }), 0, false, false],
    ['thinking that begins', block({ type: 'thinking', thinking: '', signature: '' }), 0, false, false],
    ['the result of a tool', block({ type: 'web_search_tool_result', content: [{ title: 'a' }] }), 0, false, false],
    ['no delta', { type: 'content_block_delta' }, 0, false, false],
    ['the end of a block', { type: 'content_block_stop', index: 0 }, 0, false, false],
    ['a ping', { type: 'ping' }, 0, false, false],
    ['an unknown event', { type: 'weather', text: 'a' }, 0, false, false],
  ])('%s', (_what, event, events, visible, reasoned) => {
    const { reply, counts } = told(API, event)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ contentEvents: events, visible, reasoned, complete: false, fault: null })
  })

  test('a ping of any data, and [DONE], say nothing', () => {
    const reply = new Reply()
    wireFormat(API).event(reply, 'now', 'ping')
    wireFormat(API).event(reply, '[DONE]', undefined)
    expect(reply).toEqual(new Reply())
  })

  test.each<[string, string, string | undefined, string]>([
    ['an error', '{"type":"error","error":{"type":"overloaded_error","message":"m"}}', 'error', 'stream-error'],
    ['an error by its type alone', '{"type":"error","message":"m"}', undefined, 'stream-error'],
    ['an error in plain words', 'm', 'error', 'stream-error'],
    ['no JSON', '{', 'content_block_delta', 'bad-payload'],
  ])('%s is a failure', (_what, data, type, kind) => {
    const reply = new Reply()
    expect(wireFormat(API).event(reply, data, type)).toBe(0)
    expect(reply.fault?.kind).toBe(kind)
  })
})

describe('usage', () => {
  test.each<[string, object[], number | null, number | null]>([
    ['at the start is of the input', [started({ input_tokens: 10, output_tokens: 1 })], 10, null],
    [
      'counts what a cache took and gave as input',
      [started({ input_tokens: 10, cache_creation_input_tokens: 5, cache_read_input_tokens: 20 })],
      35,
      null,
    ],
    ['is cumulative: the last counts', [ended({ output_tokens: 5 }, null), ended({ output_tokens: 9 })], null, 9],
    [
      'at the end may repeat less',
      [started({ input_tokens: 10 }), ended({ input_tokens: 0, output_tokens: 2 })],
      10,
      2,
    ],
    ['at the end may know more', [started({ input_tokens: 0 }), ended({ input_tokens: 8, output_tokens: 2 })], 8, 2],
    ['with nulls', [ended({ input_tokens: null, cache_read_input_tokens: null, output_tokens: 2 })], null, 2],
    ['that is missing', [started(), ended()], null, null],
  ])('%s', (_what, events, inputTokens, outputTokens) => {
    expect(told(API, ...events).reply).toMatchObject({ inputTokens, outputTokens, fault: null })
  })

  test('thinking that was never sent is told', () => {
    const usage = { output_tokens: 12, output_tokens_details: { thinking_tokens: 8 } }
    expect(told(API, text, ended(usage)).reply.unsentTokens).toBe(8)
    expect(told(API, delta({ thinking: 'a' }), text, ended(usage)).reply.unsentTokens).toBe(0)
  })
})

test('a stop reason completes the reply, message_stop ends the stream', () => {
  expect(told(API, text, ended({}, null)).reply).toMatchObject({ complete: false, done: false })
  expect(told(API, text, ended({}, 'refusal')).reply).toMatchObject({ complete: true, done: false, fault: null })
  expect(told(API, text, ended(), stopped).reply).toMatchObject({ complete: true, done: true })
})

describe('a document', () => {
  const usage = { input_tokens: 3, cache_read_input_tokens: 4, output_tokens: 7 }

  test.each<[string, object[], number, boolean]>([
    ['text', [{ type: 'text', text: 'a' }], 7, true],
    [
      'thinking and text',
      [
        { type: 'thinking', thinking: 'a' },
        { type: 'text', text: 'a' },
      ],
      7,
      true,
    ],
    ['a call', [{ type: 'tool_use', name: 'f', input: {} }], 7, false],
    ['nothing', [], 0, false],
  ])('with %s is weighed by its tokens', (_what, content, expected, visible) => {
    const { reply, events } = toldWhole(API, { type: 'message', content, stop_reason: 'max_tokens', usage })
    expect(events).toBe(expected)
    expect(reply).toMatchObject({ visible, done: true, fault: null, inputTokens: 7, outputTokens: 7 })
  })

  test.each<[string, object | string, string]>([
    ['of an error', { type: 'error', error: { message: 'm' } }, 'stream-error'],
    ['without content', { type: 'message' }, 'bad-payload'],
    ['that is no JSON', '<html>', 'bad-payload'],
  ])('%s is a failure', (_what, document, kind) => {
    expect(toldWhole(API, document).reply.fault?.kind).toBe(kind)
  })
})

test('a request names the version, and the key in a header of its own', () => {
  const format = wireFormat(API)
  expect(format.fields({ model: null, prompt: 'p', outputTokens: 64, stream: false })).toEqual({
    messages: [{ role: 'user', content: 'p' }],
    max_tokens: 64,
    stream: false,
  })
  expect(format.headers('k')).toEqual({ 'anthropic-version': '2023-06-01', 'x-api-key': 'k' })
  expect(format.headers(null)).toEqual({ 'anthropic-version': '2023-06-01' })
})
