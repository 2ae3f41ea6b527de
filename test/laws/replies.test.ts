import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Bodies } from '../../src/client/bodies.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { ReplyReader } from '../../src/client/reply-reader.ts'
import { createSseReader } from '../../src/client/sse.ts'
import { ScratchTrace } from '../../src/client/trace.ts'
import { RECORDED } from '../client/recorded.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 60 } as const

const cutsOf = (length: number) =>
  fc
    .array(fc.integer({ min: 0, max: length }), { maxLength: 40 })
    .map((cuts) => [0, ...cuts.sort((a, b) => a - b), length])

function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut))
}

/** What a reader makes of a reply that comes in those pieces, all within one read. */
function judge(api: string, parts: readonly Buffer[]) {
  const reader = new ReplyReader(wireFormat(api))
  const trace = new ScratchTrace()
  // A reply before it, cut off inside an event and a character, must leave no trace.
  for (const reply of [[Buffer.from('data: {"choices":[{"delta":{"content":"\u00e9').subarray(0, -1)], parts]) {
    trace.begin(0, 0, 0, 0)
    reader.begin(trace)
    reader.head(200, { 'content-type': 'text/event-stream' })
    for (const part of reply) reader.body(part, 1, 1)
  }
  const failure = reader.end()
  reader.finish(128)
  const { outputTokens, inputTokens, usage, reads, firstToken, firstVisible, lastToken } = trace
  return {
    failure,
    outputTokens,
    inputTokens,
    usage,
    reads,
    firstToken,
    firstVisible,
    lastToken,
    k: trace.readEvents[0],
  }
}

describe.each(RECORDED)('$file', ({ file, api = 'openai-chat' }) => {
  const bytes = readFileSync(new URL(`../../fixtures/recorded/${file}`, import.meta.url))
  const expected = judge(api, [bytes])

  test('means the same cut at any one byte', () => {
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(judge(api, [bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected)
    }
  })

  test('means the same in single bytes, and in any pieces', () => {
    expect(
      judge(
        api,
        Array.from(bytes, (byte) => Buffer.of(byte)),
      ),
    ).toEqual(expected)
    const law = fc.property(cutsOf(bytes.length), (cuts) => {
      expect(judge(api, pieces(bytes, cuts))).toEqual(expected)
    })
    fc.assert(law, settings)
  })
})

const line = fc.string({ unit: 'binary', maxLength: 12 }).map((text) => text.replaceAll(/[\r\n]/g, ''))
const event = fc.record({
  data: fc.array(line, { minLength: 1, maxLength: 3 }),
  type: fc.option(fc.constantFrom('message', 'error', 'ping')),
  comment: fc.option(line),
})

test('a stream gives the data and types that were written, with every line end and any cuts', () => {
  const stream = fc.record({
    events: fc.array(event, { maxLength: 6 }),
    end: fc.constantFrom('\n', '\r\n', '\r'),
    space: fc.constantFrom('', ' '),
    bom: fc.boolean(),
    seed: fc.infiniteStream(fc.double({ min: 0, max: 1, noNaN: true })),
    cutCount: fc.integer({ min: 0, max: 20 }),
  })
  const law = fc.property(stream, ({ events, end, space, bom, seed, cutCount }) => {
    const text = events.map(({ data, type, comment }) =>
      [
        ...(comment === null ? [] : [`:${comment}`]),
        ...(type === null ? [] : [`event:${space}${type}`]),
        // Without a space of ours, one of the text's own would be taken for it.
        ...data.map((value) => `data:${space === '' && value.startsWith(' ') ? ' ' : space}${value}`),
        '',
        '',
      ].join(end),
    )
    const bytes = Buffer.from((bom ? '\uFEFF' : '') + text.join(''))
    const seen: [string, string | undefined][] = []
    const reader = createSseReader((data, type) => seen.push([data, type]))
    const cuts = Array.from({ length: cutCount }, () => Math.floor(seed.next().value * (bytes.length + 1)))
    for (const part of pieces(bytes, [0, ...cuts.sort((a, b) => a - b), bytes.length])) reader.feed(part)
    const written = events.map(({ data, type }) => [
      // Lone surrogates cannot be written as UTF-8.
      data.join('\n').toWellFormed(),
      type ?? undefined,
    ])
    // The last event of a stream with lone CRs is held back until the next byte: CR may be half of CRLF.
    reader.feed(Buffer.from(':'))
    expect(seen).toEqual(written)
  })
  fc.assert(law, { ...settings, numRuns: 500 })
})

const uint32 = fc.integer({ min: 0, max: 0xffffffff })

test('two prompts of a seed never begin with the same four words', () => {
  const target = {
    api: 'openai-chat',
    url: 'http://x/',
    model: null,
    headers: {},
    body: {},
    stream: true,
    embedded: false,
  }
  const law = fc.property(uint32, fc.uniqueArray(uint32, { minLength: 2, maxLength: 50 }), (seed, numbers) => {
    const prompts = { kind: 'synthetic', inputTokens: 8, outputTokens: 1 } as const
    const bodies = new Bodies(wireFormat('openai-chat'), target, prompts, seed)
    const beginnings = new Set(numbers.map((number) => bodies.prefix(number).slice(0, 19)))
    expect(beginnings.size).toBe(numbers.length)
  })
  fc.assert(law, settings)
})
