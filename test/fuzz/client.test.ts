import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cut, cutsOf } from '../client/cuts.ts'
import { readOf, sampleEvents, streamType } from '../client/read-reply.ts'
import { LAST_CHUNK, chunkOf, scriptedServer } from '../client/scripted-server.ts'
import type { Turn } from '../client/scripted-server.ts'
import { testClient } from '../client/test-client.ts'
import type { KeptTrace } from '../client/test-client.ts'
import { FAILURE_KINDS } from '../../src/model/request.ts'
import { TIMEOUT_MS, budget } from './budget.ts'
import { CORPUS, type Original, STREAMED } from './corpus.ts'
import { expectNone, failedBy, violations, wrong } from './invariants.ts'
import { mutate, mutation } from './mutation.ts'

/** What a careless server may send back; it is the client's to keep out of its messages. */
const SECRET = 'sk-fuzz-zebra-quagga-okapi'
const KEPT_SECRET = /sk-fuzz|zebra|quagga|okapi/

/** Lines that are added to a head. */
const HEADERS: readonly string[] = [
  [
    'content-encoding: gzip',
    'content-encoding: br',
    'content-encoding: zstd',
    'content-encoding: deflate',
    'trailer: x',
  ],
  ['content-length: 0', 'content-length: 10', 'content-length: -1', 'content-length: 99999999999999999999'],
  ['transfer-encoding: gzip, chunked', 'transfer-encoding: identity', 'connection: close', 'connection: upgrade'],
  ['keep-alive: timeout=0', 'keep-alive: timeout=x', 'content-type: text/html', 'content-type:', 'location: /v2'],
  [
    'upgrade: h2c',
    'retry-after: 1',
    `x: ${'y'.repeat(20_000)}`,
    'no colon',
    ' folded: line',
    ': x',
    `x-key: ${SECRET}`,
  ],
].flat()

const STATUSES: readonly string[] = [
  ['200', '204 No Content', '206 Partial', '304 Not Modified', '429 Too Many', '500 Oops', '100 Continue'],
  ['101 Switching', '103 Early Hints', '99', '1000 x', ''],
].flat()

/** What is done to a reply, and around it. */
const treatment = fc.record({
  mutations: fc.array(mutation, { maxLength: 2 }),
  /** Of the response as it is sent: head, chunks and all. */
  outside: fc.array(mutation, { maxLength: 1 }),
  status: fc.oneof(
    { weight: 4, arbitrary: fc.constant('200 OK') },
    { weight: 1, arbitrary: fc.constantFrom(...STATUSES) },
  ),
  headers: fc.array(fc.constantFrom(...HEADERS), { maxLength: 1 }),
  framing: fc.constantFrom('chunked', 'chunked', 'length', 'close'),
  cuts: cutsOf(1_000_000, 6),
  /** Where the key is sent back. */
  secretAt: fc.option(fc.nat({ max: 3000 })),
  ending: fc.constantFrom('close', 'close', 'reset'),
})
type Treatment = typeof treatment extends fc.Arbitrary<infer T> ? T : never

/** The bytes of the response. */
function responseOf(original: Original, one: Treatment): Buffer {
  const mutated = mutate(original.body, one.mutations)
  const at = Math.min(one.secretAt ?? 0, mutated.length)
  const body =
    one.secretAt === null
      ? mutated
      : Buffer.concat([mutated.subarray(0, at), Buffer.from(SECRET), mutated.subarray(at)])
  const type = String(original.headers['content-type'])
  const framing =
    one.framing === 'chunked'
      ? ['transfer-encoding: chunked']
      : one.framing === 'length'
        ? [`content-length: ${body.length}`]
        : []
  const head = [`HTTP/1.1 ${one.status}`, `content-type: ${type}`, ...framing, ...one.headers, '', ''].join('\r\n')
  // A key that is cut by HTTP's own framing is whole again when that is read for what it is.
  const half = one.secretAt === null ? body.length >> 1 : 0
  const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0).map(chunkOf)
  const payload = one.framing === 'chunked' ? [...chunks, Buffer.from(LAST_CHUNK)] : [body]
  // Of a key that comes back in part, the rest cannot be known for one.
  return mutate(Buffer.concat([Buffer.from(head), ...payload]), one.secretAt === null ? one.outside : [])
}

/** Sends the response in pieces, each of which goes out before the next is written, and ends the connection. */
function send({ socket }: Turn, pieces: readonly Buffer[], ending: string): void {
  const [piece, ...rest] = pieces
  if (piece !== undefined) socket.write(piece, () => setImmediate(() => send({ socket } as Turn, rest, ending)))
  else if (ending === 'reset') socket.resetAndDestroy()
  else socket.end()
}

/** What is wrong with how a request ended. */
function wrongs(trace: KeptTrace): string[] {
  const { failure, sent, ended, readAt, firstVisible } = trace
  const instants = [sent, ...readAt, ended]
  const rules: [string, boolean][] = [
    ['it ended after all that it brought', instants.every((at, index) => index === 0 || at >= instants[index - 1]!)],
    ['so did the first visible text', Number.isNaN(firstVisible) || (firstVisible >= sent && firstVisible <= ended)],
    ['its kind is one of the known', failure === null || FAILURE_KINDS.includes(failure.kind)],
    ['no secret is told', !KEPT_SECRET.test(failure?.message ?? '')],
    ['its message is short', (failure?.message.length ?? 0) <= 243],
  ]
  // What undici asserts of the bytes it parses, it throws as an error of its own.
  const own = violations(readOf(trace, failure)).filter(
    (rule) => failure?.kind !== 'client' || !wrong(failure).includes(rule),
  )
  return [...rules.filter(([, holds]) => !holds).map(([rule]) => rule), ...own]
}

test.each(STREAMED)(
  'a client of %s ends every request once, whatever the server sends, and goes on',
  async (api) => {
    const chunks = sampleEvents(api, 3).map((event) => chunkOf(Buffer.from(event)))
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${streamType(api)}\r\ntransfer-encoding: chunked\r\n\r\n`
    const clean = Buffer.concat([Buffer.from(head), ...chunks, Buffer.from(LAST_CHUNK)])
    let answer: (turn: Turn) => void = () => {}
    await using server = await scriptedServer({ onRequest: (turn) => answer(turn) })
    let clock = 0
    await using under = testClient(server.url, {
      // Ascending, so that stamps tell the order.
      now: () => (clock += 1e-6),
      target: { api, headers: { authorization: `Bearer ${SECRET}` } },
    })
    // What the server sent too much would be taken for the next reply.
    const closed = () => expect.poll(() => under.client.connections, { interval: 1 }).toBe(0)
    const seen = new Set<string>()
    const original = fc.constantFrom(...CORPUS.filter((one) => one.api === api))
    const law = fc.asyncProperty(original, treatment, async (original, treatment) => {
      const response = responseOf(original, treatment)
      const ends = [...treatment.cuts.filter((end) => end < response.length), response.length]
      answer = (turn) => send(turn, cut(response, ends), treatment.ending)
      const before = under.traces.length
      try {
        const trace = await under.one()
        expectNone(wrongs(trace), trace)
        seen.add(trace.failure?.kind ?? 'none')
        await closed()
        answer = (turn) => send(turn, [clean], 'close')
        expect(await under.one()).toMatchObject({ failure: null, outputTokens: 3 })
        await closed()
        expect([under.traces.length, under.client.inFlight]).toEqual([before + 2, 0])
      } catch (error) {
        throw failedBy(response, error)
      }
    })
    await fc.assert(law, budget(60, 0.3 / STREAMED.length))
    // Replies of which nothing could be read would prove little.
    expect(seen.has('none') && seen.size > 3, [...seen].join()).toBe(true)
  },
  TIMEOUT_MS,
)
