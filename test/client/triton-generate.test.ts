import { describe, expect, test } from 'vitest'
import { wireFormat } from '../../src/client/formats.ts'
import { told, toldWhole } from './told-reply.ts'

const API = 'triton-generate'

const output = (text: unknown, more: object = {}) => ({
  model_name: 'm',
  model_version: '1',
  text_output: text,
  ...more,
})

describe('one event', () => {
  test.each<[string, object, number, boolean]>([
    ['text', output('a'), 1, true],
    ['a space', output(' '), 1, true],
    ['text in a list', output(['a']), 1, true],
    ['no text', output(''), 0, false],
    ['no text in a list', output(['']), 0, false],
    ['another output', { model_name: 'm', output_ids: [5] }, 0, false],
    ['counted tokens', output('a b', { num_output_tokens: 3 }), 3, true],
    ['counted tokens in a list', output('a b', { num_output_tokens: [3] }), 3, true],
    ['a counted token without text', output('', { num_output_tokens: 1 }), 1, false],
    ['text of tokens counted before', output('a', { num_output_tokens: 0 }), 0, true],
  ])('%s', (_what, event, events, visible) => {
    const { reply, counts } = told(API, event)
    expect(counts).toEqual([events])
    expect(reply).toMatchObject({ contentEvents: events, visible, complete: false, fault: null })
  })

  test('counts are of what an event brings, and add up', () => {
    const { reply, counts } = told(
      API,
      output('a', { num_output_tokens: 1, num_input_tokens: 6 }),
      output(' b c', { num_output_tokens: 4, num_input_tokens: 6 }),
    )
    expect(counts).toEqual([1, 4])
    expect(reply).toMatchObject({ outputTokens: 5, inputTokens: 6 })
  })

  test('an error is a failure', () => {
    expect(told(API, output('a'), { error: 'out of blocks' }).reply.fault).toEqual({
      kind: 'stream-error',
      message: 'out of blocks',
    })
  })
})

test('a reply that does not stream', () => {
  expect(toldWhole(API, output('a b')).reply).toMatchObject({ contentEvents: 1, visible: true, fault: null })
  expect(toldWhole(API, { outputs: [] }).reply.fault?.message).toBe('reply without text_output: {"outputs":[]}')
})

test.each([
  ['ensemble', true, '/models/ensemble/generate_stream'],
  ['ensemble', false, '/models/ensemble/generate'],
  ['a model/of mine?', true, '/models/a%20model%2Fof%20mine%3F/generate_stream'],
  [null, true, '/generate_stream'],
])('the path of model %s, streamed: %s', (model, stream, path) => {
  expect(wireFormat(API).path({ model, stream })).toBe(path)
})
