import { describe, expect, test } from 'vitest'
import { Reply } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { told, toldWhole } from './told-reply.ts'

const API = 'gemini'

const chunk = (parts: unknown, more: object = {}, usageMetadata?: object) => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...more }],
  usageMetadata,
})
const stop = { finishReason: 'STOP' }

describe('one event', () => {
  test.each<[string, unknown, number, boolean, boolean]>([
    ['text', [{ text: 'a' }], 1, true, false],
    ['several parts are one event', [{ text: 'a' }, { text: 'b' }], 1, true, false],
    ['a thought', [{ text: 'a', thought: true }], 1, false, true],
    ['a thought and text', [{ text: 'a', thought: true }, { text: 'b' }], 1, true, false],
    ['a call', [{ functionCall: { name: 'f', args: {} } }], 1, false, false],
    ['code to run', [{ executableCode: { language: 'PYTHON', code: '1' } }], 1, false, false],
    ['a picture', [{ inlineData: { mimeType: 'image/png', data: 'x' } }], 1, true, false],
    ['the result of code', [{ codeExecutionResult: { output: '1' } }], 0, false, false],
    ['a signature', [{ text: '', thoughtSignature: 'x' }], 0, false, false],
    ['no part', [], 0, false, false],
    ['parts that are none', [null, 7], 0, false, false],
    ['no parts', undefined, 0, false, false],
  ])('%s', (_what, parts, events, visible, reasoned) => {
    const { reply, counts } = told(API, chunk(parts))
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ contentEvents: events, visible, reasoned, complete: false, fault: null })
  })

  test.each(['', '[DONE]', '{}', '{"candidates":null}', '{"candidates":[null]}', '{"usageMetadata":null}', '[]'])(
    '%s says nothing',
    (data) => {
      expect(told(API, data).reply).toEqual(new Reply())
    },
  )

  test.each<[string, object, string]>([
    ['an error', { error: { code: 503, message: 'm', status: 'UNAVAILABLE' } }, 'm'],
    ['an error in an array', [{ error: { code: 503, message: 'm' } }], 'm'],
    ['an answer broken off', chunk([], { finishReason: 'RECITATION' }), "finishReason is 'RECITATION'"],
    [
      'one with a word on it',
      chunk([], { finishReason: 'OTHER', finishMessage: 'why' }),
      "finishReason is 'OTHER': why",
    ],
    ['a call that is none', chunk([], { finishReason: 'MALFORMED_FUNCTION_CALL' }), 'MALFORMED_FUNCTION_CALL'],
    ['a blocked prompt', { promptFeedback: { blockReason: 'SAFETY' } }, "prompt is blocked, blockReason is 'SAFETY'"],
  ])('%s is a stream-error', (_what, event, message) => {
    const { reply } = told(API, chunk([{ text: 'a' }]), event)
    expect(reply.fault).toEqual({ kind: 'stream-error', message: expect.stringContaining(message) })
  })

  test.each(['x', '"text"', '[1]', '{', '[{'])('%s is a bad payload', (data) => {
    expect(told(API, data).reply.fault?.kind).toBe('bad-payload')
  })
})

describe('the end of a reply', () => {
  test.each(['STOP', 'MAX_TOKENS'])('%s is a success', (finishReason) => {
    const { reply } = told(API, chunk([{ text: 'a' }], { finishReason }))
    expect(reply).toMatchObject({ complete: true, done: false, fault: null })
  })

  test('values that stand for none are none', () => {
    const { reply } = told(API, {
      ...chunk([{ text: 'a' }], { finishReason: 'FINISH_REASON_UNSPECIFIED' }),
      promptFeedback: { blockReason: 'BLOCKED_REASON_UNSPECIFIED' },
    })
    expect(reply).toMatchObject({ complete: false, fault: null })
  })

  test('is that of every candidate which has begun', () => {
    const second = { ...stop, index: 1 }
    const events = [chunk([{ text: 'a' }]), chunk([{ text: 'b' }], second), chunk([], stop)]
    expect(told(API, ...events.slice(0, 2)).reply.complete).toBe(false)
    expect(told(API, ...events).reply.complete).toBe(true)
  })
})

describe('counts', () => {
  test('thoughts are output, too, and chunks are weighed where each has a count', () => {
    const { reply, counts } = told(
      API,
      chunk([{ text: 'a' }], {}, { promptTokenCount: 8, candidatesTokenCount: 2, thoughtsTokenCount: 30 }),
      chunk([{ text: 'b' }], stop, { promptTokenCount: 8, candidatesTokenCount: 5, thoughtsTokenCount: 30 }),
    )
    expect(counts).toEqual([32, 3])
    // The first chunk's weight holds the thoughts already.
    expect(reply).toMatchObject({ inputTokens: 8, outputTokens: 35, unsentTokens: 0 })
  })

  test('a count that comes with the last chunk only weighs none', () => {
    const last = { promptTokenCount: 7, candidatesTokenCount: 5, thoughtsTokenCount: 30 }
    const { reply, counts } = told(
      API,
      chunk([{ text: 'a' }], {}, { promptTokenCount: 8 }),
      chunk([{ text: 'b' }], stop, last),
    )
    expect(counts).toEqual([1, 1])
    expect(reply).toMatchObject({ inputTokens: 7, outputTokens: 35, unsentTokens: 30 })
  })
})

describe('a document', () => {
  const whole = chunk([{ text: 'a' }], stop, { promptTokenCount: 3, candidatesTokenCount: 7 })

  test('is weighed by its tokens', () => {
    const { reply, events } = toldWhole(API, whole)
    expect(events).toBe(7)
    expect(reply).toMatchObject({ complete: true, visible: true, fault: null, inputTokens: 3, outputTokens: 7 })
  })

  test('may be an array of chunks: a streamed reply without alt=sse', () => {
    const { reply, events } = toldWhole(API, [chunk([{ text: 'a' }]), whole])
    expect(events).toBe(2)
    expect(reply).toMatchObject({ complete: true, fault: null, outputTokens: 7 })
  })

  test.each<[string, object | string, string]>([
    ['of an error', { error: { message: 'm' } }, 'stream-error'],
    ['of an error in an array', [{ error: { message: 'm' } }], 'stream-error'],
    ['of a blocked prompt', { promptFeedback: { blockReason: 'OTHER' } }, 'stream-error'],
    ['without candidates', {}, 'bad-payload'],
    ['whose candidate has not ended', chunk([{ text: 'a' }]), 'bad-payload'],
    ['that is no JSON', '<html>', 'bad-payload'],
  ])('%s is a failure', (_what, document, kind) => {
    expect(toldWhole(API, document).reply.fault?.kind).toBe(kind)
  })
})

describe('a request', () => {
  const format = wireFormat(API)

  test.each<[string | null, boolean, string]>([
    ['gemini-2.5-flash', true, '/models/gemini-2.5-flash:streamGenerateContent?alt=sse'],
    ['gemini-2.5-flash', false, '/models/gemini-2.5-flash:generateContent'],
    ['models/gemini-2.5-flash', false, '/models/gemini-2.5-flash:generateContent'],
    ['tunedModels/mine', false, '/tunedModels/mine:generateContent'],
    ['a b?c#d', false, '/models/a%20b%3Fc%23d:generateContent'],
    [null, true, ':streamGenerateContent?alt=sse'],
  ])('for model %s, streamed %s, goes to %s', (model, stream, path) => {
    expect(format.path({ model, stream })).toBe(path)
  })

  test('has the model in its path alone, and the key in a header of its own', () => {
    expect(format.fields({ model: 'm', prompt: 'p', outputTokens: 64, stream: true })).toEqual({
      contents: [{ role: 'user', parts: [{ text: 'p' }] }],
      generationConfig: { maxOutputTokens: 64 },
    })
    expect(format.headers('k')).toEqual({ 'x-goog-api-key': 'k' })
    expect(format.headers(null)).toEqual({})
  })
})
