import { readFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { API_NAMES, wireFormat } from '../../src/client/formats.ts'
import { ReplyReader } from '../../src/client/reply-reader.ts'
import { ScratchTrace } from '../../src/client/trace.ts'
import { CODINGS, compressed } from '../client/compressed.ts'
import { cut, cutsOf, grouped, rounded } from '../client/cuts.ts'
import { inPieces, readCompressed, readNext, readReply, sampleEvents, streamType } from '../client/read-reply.ts'
import type { Head, Read } from '../client/read-reply.ts'
import { RECORDED, headersOf } from '../client/recorded.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 60 } as const

/** Formats whose replies have events. */
const STREAMED = API_NAMES.filter((api) => wireFormat(api).framing !== 'none')

const recorded = RECORDED.map(({ file, api = 'openai-chat' }) => ({
  name: file,
  api,
  headers: headersOf(file),
  bytes: readFileSync(new URL(`../../fixtures/recorded/${file}`, import.meta.url)),
}))
const samples = STREAMED.map((api) => ({
  name: `a sample of ${api}`,
  api,
  headers: { 'content-type': streamType(api) },
  bytes: Buffer.from(sampleEvents(api, 5).join('')),
}))

/** A reader that has read a reply before, which was cut off inside an event and a character, and has forgotten it. */
function readerAfterAnother(api: string, head: Head): (pieces: readonly Buffer[]) => Read {
  const reader = new ReplyReader(wireFormat(api))
  const trace = new ScratchTrace()
  const [first] = sampleEvents(api, 1)
  const another = [Buffer.from('\uFEFF: \n'), Buffer.from(`${first!.trim()}\u00e9`).subarray(0, -1)]
  return (pieces) => {
    readNext(reader, trace, api, another)
    return rounded(readNext(reader, trace, api, pieces, head))
  }
}

describe.each([...recorded, ...samples])('$name', ({ api, headers, bytes }) => {
  const bytewise = readReply(api, inPieces(bytes, 1), { headers })
  const read = readerAfterAnother(api, { headers })
  /** What becomes of the reply with those cuts, and what must. */
  const both = (cuts: readonly number[]) => [read(cut(bytes, cuts)), rounded(grouped(bytewise, cuts))] as const
  const expectSame = (cuts: readonly number[]) => {
    const [became, expected] = both(cuts)
    expect(became).toEqual(expected)
  }

  test('events, counts, faults, verdict and stamps are the same cut at any one byte', () => {
    const places = Array.from({ length: Math.max(0, bytes.length - 1) }, (_, index) => [index + 1, bytes.length])
    expect(places.filter((cuts) => !isDeepStrictEqual(...both(cuts)))).toEqual([])
  })

  test.each([1, 3, 7, 64])('and in pieces of %i bytes', (length) => {
    expectSame(
      Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) => Math.min((i + 1) * length, bytes.length)),
    )
  })

  test('and in any pieces', () => {
    fc.assert(fc.property(cutsOf(bytes.length), expectSame), settings)
  })
})

describe.each(CODINGS)('compressed as $name', (coding) => {
  test.each(STREAMED)('a sample of %s means the same in any pieces', async (api) => {
    const texts = sampleEvents(api, 3)
    const body = Buffer.concat(await compressed(coding, texts))
    const head: Head = { headers: { 'content-type': streamType(api), 'content-encoding': coding.header } }
    const reader = new ReplyReader(wireFormat(api))
    const trace = new ScratchTrace()
    const bytewise = await readCompressed(reader, trace, api, inPieces(body, 1), head)
    const plain = readReply(api, [Buffer.from(texts.join(''))])
    expect(grouped(bytewise, [body.length])).toEqual(plain)
    const law = fc.asyncProperty(cutsOf(body.length), async (cuts) => {
      expect(rounded(await readCompressed(reader, trace, api, cut(body, cuts), head))).toEqual(
        rounded(grouped(bytewise, cuts)),
      )
    })
    await fc.assert(law, { ...settings, numRuns: 8 })
  })
})

test('a document is the same in any pieces, and came with its last byte', () => {
  const text = JSON.stringify({
    choices: [{ index: 0, message: { content: 'w\u00f6rd \u{1F600}' }, finish_reason: 'stop' }],
    usage: { completion_tokens: 4 },
  })
  const bytes = Buffer.from(text)
  const head = { headers: { 'content-type': 'application/json' } }
  const law = fc.property(cutsOf(bytes.length), (cuts) => {
    const { failure, reads, outputTokens } = readReply('openai-chat', cut(bytes, cuts), head)
    expect([failure, reads, outputTokens]).toEqual([null, [[cuts.length, 4]], 4])
  })
  fc.assert(law, settings)
})
