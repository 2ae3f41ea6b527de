import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { Bodies } from '../../src/client/bodies.ts'
import { wireFormat } from '../../src/client/formats.ts'
import { createSseReader } from '../../src/client/sse.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 60 } as const

function pieces(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  return cuts.slice(1).map((cut, index) => bytes.subarray(cuts[index], cut))
}

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
    expect(seen).toEqual(written)
  })
  fc.assert(law, { ...settings, numRuns: 500 })
})

const uint32 = fc.integer({ min: 0, max: 0xffffffff })

test('two prompts of a seed never begin with the same four words', () => {
  const target = {
    api: 'openai-chat',
    method: 'POST' as const,
    url: 'http://x/',
    model: null,
    headers: {},
    body: {},
    stream: true,
    ignoreEos: false,
    status: null,
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
