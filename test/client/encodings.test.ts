import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import type { Lateness } from '../../src/client/lateness.ts'
import { CODINGS, compressed } from './compressed.ts'
import { LAST_CHUNK, chatReply, chunkOf, scriptedServer } from './scripted-server.ts'
import type { Turn } from './scripted-server.ts'
import { sampleEvents } from './read-reply.ts'
import { testClient } from './test-client.ts'

const GZIP = CODINGS[0]!
const EVENTS = sampleEvents('openai-chat', 3)
/** Inside of an HTTP chunk that is a compressed token: behind its length and two bytes. */
const CUT = 5
const COMPLETION = JSON.stringify({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 9, completion_tokens: 3 },
})

const headOf = (coding: string, type = 'text/event-stream', status = '200 OK') =>
  Buffer.from(
    `HTTP/1.1 ${status}\r\ncontent-type: ${type}\r\ncontent-encoding: ${coding}\r\ntransfer-encoding: chunked\r\n\r\n`,
  )

/** A whole response whose body has these chunks. */
const responseOf = (head: Buffer, chunks: readonly Buffer[]) =>
  Buffer.concat([head, ...chunks.map(chunkOf), Buffer.from(LAST_CHUNK)])

const answer = (bytes: Buffer) => (turn: Turn) => void turn.socket.write(bytes)

/** The failure of a reply of these bytes; null is a success. */
async function failureOf(bytes: Buffer) {
  await using server = await scriptedServer({ onRequest: answer(bytes) })
  await using under = testClient(server.url)
  return (await under.one()).failure
}

describe.each(CODINGS)('$name', (coding) => {
  test('a token has the stamp and the delay of the read that completes its event', async () => {
    let clock = 0
    const told: number[] = []
    const lateness: Lateness = { recent: 0, read: (at) => told.push(at) * 10 }
    const [role, ...pieces] = (await compressed(coding, EVENTS)).map(chunkOf)
    const [first, second, third, ...rest] = pieces
    // The second token comes in two reads, and the third with the beginning of what ends the reply.
    const parts = [first!, second!.subarray(0, CUT), Buffer.concat([second!.subarray(CUT), third!.subarray(0, CUT)])]
    const last = Buffer.concat([third!.subarray(CUT), ...rest, Buffer.from(LAST_CHUNK)])
    await using server = await scriptedServer({
      onRequest: answer(Buffer.concat([headOf(coding.header), role!])),
    })
    await using under = testClient(server.url, { now: () => ++clock, lateness })
    under.client.send(0, 0, 0, 0)
    for (const [read, part] of [...parts, last].entries()) {
      // The next piece is written when the client has read the one before.
      await expect.poll(() => under.client.reads, { interval: 1 }).toBe(read + 1)
      server.sockets[0]!.write(part)
    }
    const [trace] = await under.ended(1)
    expect(trace!.failure).toBeNull()
    expect([...trace!.readAt]).toEqual([told[1], told[3], told[4]])
    expect([...trace!.readEvents]).toEqual([1, 1, 1])
    expect([...trace!.readDelay]).toEqual([20, 40, 50])
    expect([trace!.firstVisible, trace!.ended]).toEqual([told[1], told[4]])
    expect(trace).toMatchObject({ streamed: true, outputTokens: 3, usage: true })
  })

  test('replies that are compressed, and those that are not, take turns on one connection', async () => {
    const stream = responseOf(headOf(coding.header), await compressed(coding, EVENTS))
    const whole = responseOf(headOf(coding.header, 'application/json'), await compressed(coding, [COMPLETION]))
    const replies = [stream, Buffer.from(chatReply(2)), whole, stream]
    await using server = await scriptedServer({
      onRequest: ({ socket, request }) => void socket.write(replies[request]!),
    })
    await using under = testClient(server.url)
    const tokens: number[] = []
    for (const _ of replies) {
      const { failure, outputTokens } = await under.one()
      expect(failure).toBeNull()
      tokens.push(outputTokens)
    }
    expect(tokens).toEqual([3, 2, 3, 3])
    expect(server.sockets).toHaveLength(1)
  })
})

test('the text of an error status is shown as it reads', async () => {
  const head = headOf('gzip', 'application/json', '503 Busy')
  const reply = responseOf(head, await compressed(GZIP, ['{"error":"no slots"}']))
  expect(await failureOf(reply)).toEqual({ kind: 'http', status: 503, message: 'HTTP 503: {"error":"no slots"}' })
})

test.each([
  ['it is none of its kind', 'gzip', 'bad-payload', 'cannot be decompressed: incorrect header check'],
  ['it is not known', 'compress', 'bad-payload', 'content-encoding compress is not supported'],
  ['there are several', 'deflate, gzip', 'bad-payload', 'content-encoding deflate, gzip is not supported'],
])('a stream under the name of a coding, but %s', async (_what, coding, kind, message) => {
  expect(
    await failureOf(
      responseOf(
        headOf(coding),
        EVENTS.map((event) => Buffer.from(event)),
      ),
    ),
  ).toEqual({
    kind,
    message: expect.stringContaining(message),
  })
})

test.each(['identity', 'Identity', '', 'identity, identity'])('content-encoding %j is none', async (coding) => {
  expect(
    await failureOf(
      responseOf(
        headOf(coding),
        EVENTS.map((event) => Buffer.from(event)),
      ),
    ),
  ).toBeNull()
})

test.each<[string, number, string | null]>([
  ['before its first token', 1, 'after 0 content events'],
  ['after two tokens', 3, 'after 2 content events'],
  ['after its end mark, whose compressed end is missing', EVENTS.length, null],
])('a compressed stream that ends %s', async (_when, events, message) => {
  const pieces = (await compressed(GZIP, EVENTS)).slice(0, events)
  const failure = await failureOf(responseOf(headOf('gzip'), pieces))
  expect(failure?.kind ?? null).toBe(message === null ? null : 'truncated')
  if (message !== null) expect(failure!.message).toBe(`compressed body ended before its end, ${message}`)
})

test('a compressed document that ends too early is truncated, not bad', async () => {
  const [piece] = await compressed(GZIP, [COMPLETION])
  expect((await failureOf(responseOf(headOf('gzip', 'application/json'), [piece!])))?.kind).toBe('truncated')
})

test.each<[string, (socket: Turn['socket']) => void, number, string | null]>([
  ['closes after a token', (socket) => socket.end(), 2, 'truncated'],
  ['closes after the end mark', (socket) => socket.end(), EVENTS.length, null],
])('the server %s of a compressed stream', async (_what, close, events, kind) => {
  const pieces = (await compressed(GZIP, EVENTS)).slice(0, events).map(chunkOf)
  await using server = await scriptedServer({
    onRequest: ({ socket }) => {
      socket.write(Buffer.concat([headOf('gzip'), ...pieces]))
      close(socket)
    },
  })
  await using under = testClient(server.url)
  const { failure, outputTokens } = await under.one()
  expect(failure?.kind ?? null).toBe(kind)
  expect(outputTokens).toBe(Math.min(events - 1, 3))
})

test('a compressed reply that the close ends does not leave its connection behind', async () => {
  const body = Buffer.concat(await compressed(GZIP, EVENTS))
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-encoding: gzip\r\n\r\n'
  await using server = await scriptedServer({
    onRequest: ({ socket }) => socket.end(Buffer.concat([Buffer.from(head), body])),
  })
  await using under = testClient(server.url)
  for (let count = 0; count < 3; count++) expect((await under.one()).failure).toBeNull()
  expect(server.sockets).toHaveLength(3)
  await expect.poll(() => under.client.connections).toBe(0)
})

test('a request that is aborted while its reply is being decompressed ends once, as aborted', async () => {
  const reply = responseOf(headOf('gzip'), await compressed(GZIP, EVENTS))
  await using server = await scriptedServer({ onRequest: answer(reply) })
  // The read that brings the whole reply: undici parses it first, the thread that decompresses it answers later.
  const lateness: Lateness = {
    recent: 0,
    read: () => {
      process.nextTick(() => under.client.abort())
      return 0
    },
  }
  await using under = testClient(server.url, { lateness })
  const [first, second] = [await under.one(), await under.one()]
  expect([first, second].map(({ failure }) => failure?.kind)).toEqual(['aborted', 'aborted'])
  expect([under.traces.length, under.client.inFlight]).toEqual([2, 0])
})

test('the time that decompressing takes is charged to no server', async () => {
  const bomb = `: ${'keep-alive '.repeat(90)}\n\n`.repeat(60_000)
  // Without its end mark, so that not what has come but its end decides.
  const reply = responseOf(headOf('gzip'), [gzipSync(bomb + EVENTS.slice(0, -1).join(''))])
  await using server = await scriptedServer({ onRequest: answer(reply) })
  await using under = testClient(server.url, { timeouts: { idleMs: 50 } })
  for (let count = 0; count < 2; count++) {
    const { failure, outputTokens } = await under.one()
    expect([failure, outputTokens]).toEqual([null, 3])
  }
  expect(server.sockets).toHaveLength(1)
})

test('a server that falls silent is charged with it, and what it had sent is read to its end', async () => {
  const comments = `: ${'keep-alive '.repeat(90)}\n\n`.repeat(60_000)
  const pieces = await compressed(GZIP, [comments + EVENTS.slice(0, 3).join('')])
  await using server = await scriptedServer({
    onRequest: answer(Buffer.concat([headOf('gzip'), chunkOf(pieces[0]!)])),
  })
  await using under = testClient(server.url, { timeouts: { idleMs: 50 } })
  const { failure, outputTokens } = await under.one()
  expect([failure?.kind, outputTokens]).toEqual(['timeout-idle', 2])
})

test('an event that never ends is given up, compressed or not', async () => {
  const endless = Buffer.concat([Buffer.from('data: '), Buffer.alloc(65 * 2 ** 20, 'x')])
  const message = 'event of more than 64 MiB'
  expect(await failureOf(responseOf(headOf('gzip'), [gzipSync(endless)]))).toEqual({ kind: 'bad-payload', message })
  expect(await failureOf(responseOf(headOf('identity'), [endless]))).toEqual({ kind: 'bad-payload', message })
})

test('nor is a document of any size kept', async () => {
  const endless = gzipSync(Buffer.alloc(65 * 2 ** 20, ' '))
  expect(await failureOf(responseOf(headOf('gzip', 'application/json'), [endless]))).toEqual({
    kind: 'bad-payload',
    message: 'reply of more than 64 MiB',
  })
})

test('nobody is asked for compression', async () => {
  await using server = await scriptedServer({ onRequest: answer(Buffer.from(chatReply(1))) })
  await using under = testClient(server.url)
  await under.one()
  expect(server.turns[0]!.head).not.toMatch(/accept-encoding/i)
})
