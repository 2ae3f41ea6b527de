import { readFileSync, readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { wireFormat } from '../../src/client/formats.ts'
import { ReplyReader } from '../../src/client/reply-reader.ts'
import { ScratchTrace } from '../../src/client/trace.ts'
import { headersOf, RECORDED } from './recorded.ts'

/** Feeds every event (up to its blank line, or its line's end) as a read of its own, stamped with its number. */
function read(file: string, api: string) {
  const text = readFileSync(new URL(`../../fixtures/recorded/${file}`, import.meta.url), 'utf8')
  const pieces = text.split(file.endsWith('.ndjson') ? /(?<=\n)/ : /(?<=\n\n|\r\n\r\n|\r\r)(?!\n)/)
  const reader = new ReplyReader(wireFormat(api))
  const trace = new ScratchTrace()
  trace.begin(0, 0, 0, 0)
  reader.begin(trace)
  reader.head(200, headersOf(file))
  pieces.forEach((piece, index) => reader.body(Buffer.from(piece), index + 1, index + 1, 0))
  const failure = reader.end()
  reader.finish(128)
  return { trace, failure }
}

test.each(RECORDED)('$file: $why', (expected) => {
  const { trace, failure } = read(expected.file, expected.api ?? 'openai-chat')
  expect(failure?.kind ?? null).toBe(expected.failure ?? null)
  if (expected.message !== undefined) expect(failure?.message).toContain(expected.message)
  expect({
    reads: Array.from({ length: trace.reads }, (_, i) => [trace.readAt[i], trace.readEvents[i]]),
    firstVisible: trace.firstVisible,
    outputTokens: trace.outputTokens,
    inputTokens: trace.inputTokens,
    usage: trace.usage,
  }).toEqual({
    reads: expected.reads,
    firstVisible: expected.firstVisible ?? Number.NaN,
    outputTokens: expected.outputTokens,
    inputTokens: expected.inputTokens ?? 128,
    usage: expected.usage ?? false,
  })
  expect(trace.firstToken).toBe(expected.reads[0]?.[0] ?? Number.NaN)
  expect(trace.lastToken).toBe(expected.reads.at(-1)?.[0] ?? Number.NaN)
})

test('every recorded stream has its expectation', () => {
  const files = readdirSync(new URL('../../fixtures/recorded/', import.meta.url)).filter((file) => file !== 'README.md')
  expect(RECORDED.map(({ file }) => file).sort()).toEqual(files.sort())
})
