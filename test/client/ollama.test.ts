import { describe, expect, test } from 'vitest'
import { told, toldWhole } from './told-reply.ts'

const message = (fields: object) => ({ model: 'm', message: { role: 'assistant', ...fields }, done: false })
const call = { function: { name: 'tide', arguments: { port: 'Brest' } } }
const counts = { done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 5 }

describe('one line', () => {
  test.each<[string, string, object, number, boolean]>([
    ['ollama-generate', 'text', { response: 'a', done: false }, 1, true],
    ['ollama-generate', 'thinking', { response: '', thinking: 'a', done: false }, 1, false],
    ['ollama-generate', 'a call', { response: '', tool_calls: [call], done: false }, 1, false],
    ['ollama-generate', 'no text', { response: '', done: false }, 0, false],
    ['ollama-generate', 'no output', { done: false }, 0, false],
    ['ollama-chat', 'text', message({ content: 'a' }), 1, true],
    ['ollama-chat', 'text beside thinking', message({ content: 'a', thinking: 'b' }), 1, true],
    ['ollama-chat', 'thinking', message({ content: '', thinking: 'a' }), 1, false],
    ['ollama-chat', 'a call', message({ content: '', tool_calls: [call] }), 1, false],
    ['ollama-chat', 'no call', message({ content: '', tool_calls: [] }), 0, false],
    ['ollama-chat', 'no text', message({ content: '' }), 0, false],
    ['ollama-chat', 'no message', { done: false }, 0, false],
  ])('%s: %s', (api, _what, line, events, visible) => {
    const { reply, counts } = told(api, line)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ visible, complete: false, fault: null })
  })

  test.each(['ollama-generate', 'ollama-chat'])('%s: the last has the counts, and no token', (api) => {
    const text = api === 'ollama-chat' ? message({ content: 'a' }) : { response: 'a', done: false }
    const { reply, counts: brought } = told(api, text, { ...message({ content: '' }), response: '', ...counts })
    expect(brought).toEqual([1, 0])
    expect(reply).toMatchObject({ done: true, inputTokens: 26, outputTokens: 5, fault: null })
  })

  test.each(['ollama-generate', 'ollama-chat'])('%s: an error is a failure', (api) => {
    expect(told(api, { error: 'model requires more system memory' }).reply.fault).toEqual({
      kind: 'stream-error',
      message: 'model requires more system memory',
    })
  })
})

describe('a reply that does not stream', () => {
  test.each<[string, object]>([
    ['ollama-generate', { response: 'a b', ...counts }],
    ['ollama-chat', { ...message({ content: 'a b' }), ...counts }],
  ])('%s weighs its tokens', (api, document) => {
    const { reply, events } = toldWhole(api, document)
    expect(events).toBe(5)
    expect(reply).toMatchObject({ done: true, visible: true, inputTokens: 26, outputTokens: 5 })
  })

  test.each([
    ['ollama-generate', 'response'],
    ['ollama-chat', 'message'],
  ])('%s without %s is not understood', (api, field) => {
    expect(toldWhole(api, { models: [] }).reply.fault?.message).toBe(`reply without ${field}: {"models":[]}`)
  })
})
