import { describe, expect, test } from 'vitest'
import type { WireFormat } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { ReplyReader } from '../../src/client/reply-reader.ts'
import { ScratchTrace } from '../../src/client/trace.ts'
import { readNext, readReply, sampleEvents } from './read-reply.ts'

interface Piece {
  readonly read: number
  readonly at: number
  readonly delay: number
  readonly text: string
}

/** Reads a reply in these pieces. */
function traceOf(type: string, pieces: readonly Piece[]): ScratchTrace {
  const reader = new ReplyReader(wireFormat('openai-chat'))
  const trace = new ScratchTrace()
  trace.begin(0, 0, 0, 0)
  reader.begin(trace)
  reader.head(200, { 'content-type': type })
  for (const { text, read, at, delay } of pieces) reader.body(Buffer.from(text), read, at, delay)
  expect(reader.end()).toBeNull()
  reader.finish(8)
  return trace
}

/** What a trace says of each of its reads. */
function ofReads(trace: ScratchTrace, what: 'readAt' | 'readEvents' | 'readDelay'): number[] {
  return Array.from(trace[what].subarray(0, trace.reads))
}

const event = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`
const ROLE = event({ delta: { role: 'assistant', content: '' } })
const THOUGHT = event({ delta: { reasoning_content: 'Hm' } })
const WORD = event({ delta: { content: 'word' } })
const END = `${event({ delta: {}, finish_reason: 'stop' })}data: [DONE]\n\n`

describe('how late the reads of a reply may have been', () => {
  test('first token, first visible text and last token each have the delay of the read that brought them', () => {
    const trace = traceOf('text/event-stream', [
      { read: 1, at: 10, delay: 9, text: ROLE },
      { read: 2, at: 20, delay: 2, text: THOUGHT },
      { read: 3, at: 30, delay: 0, text: THOUGHT },
      { read: 4, at: 40, delay: 4, text: WORD },
      { read: 5, at: 50, delay: 5, text: WORD },
      { read: 6, at: 60, delay: 60, text: END },
    ])
    expect([trace.firstToken, trace.firstVisible, trace.lastToken]).toEqual([20, 40, 50])
    expect(ofReads(trace, 'readAt')).toEqual([20, 30, 40, 50])
    expect(ofReads(trace, 'readDelay')).toEqual([2, 0, 4, 5])
    expect(trace.firstVisibleDelay).toBe(4)
  })

  test('HTTP chunks and events that came with one read share its delay', () => {
    const trace = traceOf('text/event-stream', [
      { read: 1, at: 10, delay: 3, text: ROLE + WORD },
      { read: 1, at: 10, delay: 3, text: WORD + WORD },
      { read: 2, at: 20, delay: 1, text: WORD + END },
    ])
    expect(ofReads(trace, 'readEvents')).toEqual([3, 1])
    expect(ofReads(trace, 'readDelay')).toEqual([3, 1])
    expect(trace.firstVisibleDelay).toBe(3)
  })

  test('an event that was cut belongs to the read that brought its end', () => {
    const trace = traceOf('text/event-stream', [
      { read: 1, at: 10, delay: 9, text: WORD.slice(0, 30) },
      { read: 2, at: 20, delay: 2, text: WORD.slice(30) + END },
    ])
    expect([trace.reads, trace.readAt[0], trace.readDelay[0], trace.firstVisibleDelay]).toEqual([1, 20, 2, 2])
  })

  test('a document is as late as the read that brought its end', () => {
    const text = JSON.stringify({ choices: [{ index: 0, message: { content: 'word' }, finish_reason: 'stop' }] })
    const trace = traceOf('application/json', [
      { read: 1, at: 10, delay: 9, text: text.slice(0, 20) },
      { read: 2, at: 20, delay: 2, text: text.slice(20) },
    ])
    expect([trace.reads, trace.readAt[0], trace.readDelay[0], trace.firstVisibleDelay]).toEqual([1, 20, 2, 2])
  })
})

describe.each([
  ['openai-chat', 'data: '],
  ['ollama-generate', '{"response":"'],
])('a reader of %s', (api, beginning) => {
  test('gives up an event that never ends, and reads the next reply', () => {
    const reader = new ReplyReader(wireFormat(api))
    const trace = new ScratchTrace()
    const piece = Buffer.alloc(2 ** 20, 'x')
    const endless = [Buffer.from(beginning), ...Array<Buffer>(70).fill(piece)]
    const { failure } = readNext(reader, trace, api, endless)
    expect(failure).toEqual({ kind: 'bad-payload', message: 'event of more than 64 MiB' })
    const next = readNext(reader, trace, api, [Buffer.from(sampleEvents(api, 2).join(''))])
    expect(next).toMatchObject({ failure: null, outputTokens: 2 })
  })
})

test.each([
  ['" \\u0085\\n "', 'the server gave no reason'],
  ['" no\\n\\u001b[2Jmemory"', 'no [2Jmemory'],
  [`${'['.repeat(20_000)}${']'.repeat(20_000)}`, 'something nested too deep to show'],
])('a failure says something, on one line that moves no cursor', (reason, message) => {
  const body = Buffer.from(`{"error":{"message":${reason}}}`)
  const headers = { 'content-type': 'application/json' }
  expect(readReply('openai-chat', [body], { headers }).failure).toEqual({ kind: 'stream-error', message })
})

test('a format that throws fails its reply, and reads the next one', () => {
  const sane = wireFormat('openai-chat')
  const event: WireFormat['event'] = (reply, data, type) => {
    if (data === 'throw') throw new TypeError('of its own')
    return sane.event(reply, data, type)
  }
  const reader = new ReplyReader({ ...sane, name: 'mine', event })
  const trace = new ScratchTrace()
  const { failure } = readNext(reader, trace, 'openai-chat', [Buffer.from('data: throw\n\n')])
  expect(failure).toEqual({
    kind: 'bad-payload',
    message: "api 'mine' could not read the reply: TypeError: of its own",
  })
  const next = readNext(reader, trace, 'openai-chat', [Buffer.from(sampleEvents('openai-chat', 2).join(''))])
  expect(next).toMatchObject({ failure: null, outputTokens: 2 })
})
