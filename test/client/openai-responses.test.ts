import { describe, expect, test } from 'vitest'
import { wireFormat } from '../../src/client/formats.ts'
import { Reply } from '../../src/client/format.ts'
import { told, toldWhole } from './told-reply.ts'

const API = 'openai-responses'

const delta = (kind: string, delta: unknown = 'a') => ({ type: `response.${kind}.delta`, delta })
const added = (item: object) => ({ type: 'response.output_item.added', item })
const completed = (response: object) => ({ type: 'response.completed', response: { status: 'completed', ...response } })

describe('one event', () => {
  test.each<[string, object, number, boolean, boolean]>([
    ['text', delta('output_text'), 1, true, false],
    ['a space', delta('output_text', ' '), 1, true, false],
    ['a refusal', delta('refusal'), 1, true, false],
    ['reasoning', delta('reasoning_text'), 1, false, true],
    ['a summary of reasoning', delta('reasoning_summary_text'), 1, false, true],
    ['arguments of a function', delta('function_call_arguments'), 1, false, false],
    ['input of a tool', delta('custom_tool_call_input'), 1, false, false],
    ['arguments of a remote tool', delta('mcp_call_arguments'), 1, false, false],
    ['code', delta('code_interpreter_call_code'), 1, false, false],
    ['the name of a function', added({ type: 'function_call', name: 'f', arguments: '' }), 1, false, false],
    ['a message that begins', added({ type: 'message', content: [] }), 0, false, false],
    ['reasoning that begins', added({ type: 'reasoning', summary: [] }), 0, false, false],
    ['no item', { type: 'response.output_item.added' }, 0, false, false],
    ['empty text', delta('output_text', ''), 0, false, false],
    ['text that is none', delta('output_text', null), 0, false, false],
    ['sound', delta('audio'), 0, false, false],
    ['the text once more', { type: 'response.output_text.done', text: 'a' }, 0, false, false],
    [
      'the item once more',
      { type: 'response.output_item.done', item: { type: 'function_call', name: 'f' } },
      0,
      false,
      false,
    ],
    ['a beginning', { type: 'response.created', response: { status: 'in_progress', output: [] } }, 0, false, false],
    ['an event without a response', { type: 'response.completed' }, 0, false, false],
    ['an unknown event', { type: 'response.weather', delta: 'a' }, 0, false, false],
  ])('%s', (_what, event, events, visible, reasoned) => {
    const { reply, counts } = told(API, event)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ contentEvents: events, visible, reasoned, done: false, fault: null })
  })

  test('the type may stand beside the data alone', () => {
    const reply = new Reply()
    expect(wireFormat(API).event(reply, '{"delta":"a"}', 'response.output_text.delta')).toBe(1)
  })

  test.each<[string, object, string]>([
    ['an error event', { type: 'error', message: 'm', code: 'c' }, 'm'],
    ['an error event of another shape', { type: 'error', error: { message: 'm' } }, 'm'],
    ['a failed response', { type: 'response.failed', response: { status: 'failed', error: { message: 'm' } } }, 'm'],
    ['a failed response that says nothing', { type: 'response.failed', response: { status: 'failed' } }, '"failed"'],
    ['a cancelled response', completed({ status: 'cancelled' }), '"cancelled"'],
    ['a response without a status', completed({ status: undefined }), 'missing'],
  ])('%s is a stream-error', (_what, event, message) => {
    const { reply } = told(API, delta('output_text'), event)
    expect(reply.fault).toEqual({ kind: 'stream-error', message: expect.stringContaining(message) })
  })

  test('[DONE] says nothing', () => {
    expect(told(API, '[DONE]').reply).toEqual(new Reply())
  })
})

describe('the end of a stream', () => {
  const usage = { input_tokens: 9, output_tokens: 12, output_tokens_details: { reasoning_tokens: 8 } }

  test('brings the counts, and no more content', () => {
    const output = [{ type: 'message', content: [{ type: 'output_text', text: 'a' }] }]
    const { reply, counts } = told(API, delta('output_text'), completed({ output, usage }))
    expect(counts).toEqual([1, 0])
    expect(reply).toMatchObject({ done: true, inputTokens: 9, outputTokens: 12, unsentTokens: 8 })
  })

  test('reasoning that was sent is not unsent', () => {
    const { reply } = told(API, delta('reasoning_text'), delta('output_text'), completed({ usage }))
    expect(reply.unsentTokens).toBe(0)
  })

  test('is a success at the token limit', () => {
    const event = { type: 'response.incomplete', response: { status: 'incomplete', usage } }
    expect(told(API, delta('output_text'), event).reply).toMatchObject({ done: true, fault: null, outputTokens: 12 })
  })
})

describe('a document', () => {
  test.each<[string, object, boolean]>([
    ['text', { type: 'message', content: [{ type: 'output_text', text: 'a' }] }, true],
    ['a refusal', { type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }, true],
    ['a summary of reasoning', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'a' }] }, false],
    ['reasoning', { type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: 'a' }] }, false],
    ['secret reasoning', { type: 'reasoning', summary: [], encrypted_content: 'x' }, false],
    ['a call', { type: 'function_call', name: 'f', arguments: '{}' }, false],
  ])('with %s is weighed by its tokens', (_what, item, visible) => {
    const document = { status: 'incomplete', error: null, output: [item], usage: { input_tokens: 3, output_tokens: 7 } }
    const { reply, events } = toldWhole(API, document)
    expect(events).toBe(7)
    expect(reply).toMatchObject({ visible, done: true, fault: null, inputTokens: 3, outputTokens: 7 })
  })

  test('of reasoning and text is visible', () => {
    const output = [
      { type: 'reasoning', summary: [], encrypted_content: 'x' },
      { type: 'message', content: [null, { text: 'a' }] },
    ]
    expect(toldWhole(API, { status: 'completed', output }).reply).toMatchObject({ visible: true, contentEvents: 1 })
  })

  test.each<[string, object | string, string]>([
    ['without output', { status: 'completed' }, 'bad-payload'],
    ['that is no JSON', '<html>', 'bad-payload'],
    ['of a failure', { status: 'failed', error: { message: 'm' }, output: [] }, 'stream-error'],
    ['that is not there yet', { status: 'queued', error: null, output: [] }, 'stream-error'],
  ])('%s is a failure', (_what, document, kind) => {
    const { reply, events } = toldWhole(API, document)
    expect([events, reply.fault?.kind]).toEqual([0, kind])
  })
})

test('a request asks for output tokens by their name here', () => {
  const format = wireFormat(API)
  expect(format.fields({ model: 'm', prompt: 'p', outputTokens: 64, stream: true })).toEqual({
    model: 'm',
    input: 'p',
    max_output_tokens: 64,
    stream: true,
  })
  expect(format.headers('k')).toEqual({ authorization: 'Bearer k' })
})
