import { describe, expect, test } from 'vitest'
import { Reply, tokenEvents } from '../../src/client/format.ts'
import { createNdjsonReader } from '../../src/client/ndjson.ts'
import { createSseReader } from '../../src/client/sse.ts'
import { API_NAMES, wireFormat } from '../../src/client/formats.ts'

/** Content events and visibility of one chat event with that delta. */
function chat(delta: unknown, more: object = {}) {
  const reply = new Reply()
  const events = wireFormat('openai-chat').event(
    reply,
    JSON.stringify({ choices: [{ index: 0, delta, finish_reason: null }], ...more }),
    undefined,
  )
  return [events, reply.visible, reply.fault?.kind ?? null]
}

describe('one event of openai-chat', () => {
  test.each<[string, unknown, number, boolean]>([
    ['text', { content: 'a' }, 1, true],
    ['a space', { content: ' ' }, 1, true],
    ['a refusal', { refusal: 'I cannot' }, 1, true],
    ['structured text', { content: [{ type: 'text', text: 'a' }] }, 1, true],
    ['reasoning', { reasoning: 'a' }, 1, false],
    ['reasoning beside empty content', { content: '', reasoning_content: 'a' }, 1, false],
    ['reasoning in parts', { reasoning_details: [{ type: 'reasoning.encrypted', data: 'x' }] }, 1, false],
    ['text and reasoning together', { content: 'a', reasoning: 'b' }, 1, true],
    ['a called name', { tool_calls: [{ index: 0, function: { name: 'f', arguments: '' } }] }, 1, false],
    ['a piece of arguments', { tool_calls: [{ index: 0, function: { arguments: '{' } }] }, 1, false],
    ['an older function call', { function_call: { arguments: '{' } }, 1, false],
    ['a role', { role: 'assistant' }, 0, false],
    ['a role with empty content', { role: 'assistant', content: '' }, 0, false],
    ['a role with null content', { role: 'assistant', content: null, refusal: null, tool_calls: null }, 0, false],
    ['a call without name or arguments', { tool_calls: [{ index: 0, id: 'x' }, null] }, 0, false],
    ['empty structured text', { content: [] }, 0, false],
    ['no delta', undefined, 0, false],
    ['a null delta', null, 0, false],
  ])('%s', (_what, delta, events, visible) => {
    expect(chat(delta)).toEqual([events, visible, null])
  })

  test.each<[string, object]>([
    ['an error object', { error: { message: 'm' } }],
    ['an error text', { error: 'overloaded' }],
    ['an error beside choices', { error: { code: 1 } }],
  ])('%s is a stream-error', (_what, more) => {
    expect(chat({ content: 'a' }, more)).toEqual([0, false, 'stream-error'])
  })

  test('error: null is none', () => {
    expect(chat({ content: 'a' }, { error: null })).toEqual([1, true, null])
  })

  test.each(['x', '"text"', '[1]', '{', 'NaN', 'null'])('%s is a bad payload', (data) => {
    const reply = new Reply()
    expect(wireFormat('openai-chat').event(reply, data, undefined)).toBe(0)
    expect(reply.fault?.kind).toBe('bad-payload')
  })

  test.each(['', '{}', '{"choices":null}', '{"choices":[null,7]}', '{"choices":[],"usage":null}', '{"ping":1}'])(
    '%s says nothing',
    (data) => {
      const reply = new Reply()
      expect(wireFormat('openai-chat').event(reply, data, undefined)).toBe(0)
      expect(reply).toEqual(new Reply())
    },
  )

  test.each(['[DONE]', '[DONE] '])('%j ends the stream', (data) => {
    const reply = new Reply()
    wireFormat('openai-chat').event(reply, data, undefined)
    expect(reply.done).toBe(true)
  })

  // JSON has no infinity, but numbers beyond the range become one.
  test.each(['-1', '1e999', '"5"', 'null'])('%s output tokens are no count', (count) => {
    const reply = new Reply()
    wireFormat('openai-chat').event(reply, `{"choices":[],"usage":{"completion_tokens":${count}}}`, undefined)
    expect(reply).toEqual(new Reply())
  })

  test('several choices in one event are as many content events', () => {
    const reply = new Reply()
    const choices = [1, 0].map((index) => ({ index, delta: { content: 'a' } }))
    expect(wireFormat('openai-chat').event(reply, JSON.stringify({ choices }), undefined)).toBe(2)
  })

  test('the first fault stays', () => {
    const reply = new Reply()
    wireFormat('openai-chat').event(reply, '{"error":"first"}', undefined)
    wireFormat('openai-chat').event(reply, 'second', undefined)
    expect(reply.fault).toEqual({ kind: 'stream-error', message: 'first' })
  })

  test.each(['error', 'abort'])('finish_reason %s is a stream-error', (reason) => {
    const reply = new Reply()
    const choices = [{ index: 0, delta: {}, finish_reason: reason }]
    wireFormat('openai-chat').event(reply, JSON.stringify({ choices }), undefined)
    expect(reply.fault?.kind).toBe('stream-error')
  })
})

const MODEL_APIS = API_NAMES.filter((api) => wireFormat(api).framing !== 'none')

test.each(MODEL_APIS)('the sample reply of %s is complete and has its tokens', (api) => {
  const format = wireFormat(api)
  const reply = new Reply()
  const sample = format.sample(5)
  const events: number[] = []
  const create = format.framing === 'sse' ? createSseReader : createNdjsonReader
  const reader = create((data, type) => events.push(format.event(reply, data, type)))
  reader.feed(Buffer.from([...sample.before, ...tokenEvents(sample, 5), ...sample.after].join('')))
  reader.end()
  expect(events.filter((count) => count > 0)).toEqual([1, 1, 1, 1, 1])
  expect(reply).toMatchObject({ contentEvents: 5, fault: null })
  // Triton has no counts, and ends with its body.
  expect(reply.outputTokens ?? 5).toBe(5)
  expect(reply.complete).toBe(!format.endsWithBody)
})

test('formats are found by name, with the path that completes a base URL', () => {
  const route = { model: null, stream: true }
  expect(wireFormat('openai-chat').path(route)).toBe('/chat/completions')
  expect(wireFormat('openai-completions').path(route)).toBe('/completions')
  expect(() => wireFormat('openai')).toThrow(`unknown api 'openai': expected one of ${API_NAMES.join(', ')}`)
})
