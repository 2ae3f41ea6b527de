import { describe, expect, test } from 'vitest'
import { LAST_CHUNK, STREAM_HEAD, chatChunks, chatReply, chunk, scriptedServer, whole } from './scripted-server.ts'
import type { Turn } from './scripted-server.ts'
import { sampleEvents } from './read-reply.ts'
import { testClient } from './test-client.ts'

const BODY = sampleEvents('openai-chat', 2).join('')
const CHUNKS = chatChunks(2).join('')

describe('a reply is one', () => {
  test.each([
    [
      'after 102 and 103',
      `HTTP/1.1 102 Processing\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${chatReply(2)}`,
    ],
    [
      'with trailers',
      `${STREAM_HEAD.replace('\r\n\r\n', '\r\ntrailer: x-cost\r\n\r\n')}${CHUNKS}0\r\nx-cost: 1\r\n\r\n`,
    ],
    ['with chunk extensions', `${STREAM_HEAD}${CHUNKS.replace('\r\n', ';a=b;c="d"\r\n')}0;last\r\n\r\n`],
    ['of a known length', whole('200 OK', ['content-type: text/event-stream'], BODY)],
    ['with headers in capitals', chatReply(2).replace('content-type', 'CONTENT-TYPE').replace('transfer', 'Transfer')],
    ['without a reason phrase', chatReply(2).replace('200 OK', '200')],
    ['of another 2xx', chatReply(2).replace('200 OK', '201 Created')],
    [
      'with a name for its type that comes twice',
      chatReply(2).replace('\r\n', '\r\ncontent-type: text/event-stream\r\n'),
    ],
  ])('%s', async (_how, reply) => {
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(reply) })
    await using under = testClient(server.url)
    for (let count = 0; count < 2; count++) {
      expect(await under.one()).toMatchObject({ failure: null, outputTokens: 2 })
    }
    expect(server.sockets).toHaveLength(1)
  })

  test('of HTTP/1.0, which the close ends', async () => {
    const reply = `HTTP/1.0 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${BODY}`
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.end(reply) })
    await using under = testClient(server.url)
    expect(await under.one()).toMatchObject({ failure: null, outputTokens: 2 })
  })

  test.each([1, 3, 7, 64])('in writes of %i bytes, wherever head, chunks and events are cut', async (length) => {
    const bytes = Buffer.from(chatReply(2))
    await using server = await scriptedServer({
      onRequest: ({ socket }) => {
        let at = 0
        // One write a turn of the event loop, and the client reads in the same loop.
        const next = () => {
          if (at < bytes.length) socket.write(bytes.subarray(at, (at += length)), () => setImmediate(next))
        }
        next()
      },
    })
    await using under = testClient(server.url)
    const trace = await under.one()
    expect(trace).toMatchObject({ failure: null, outputTokens: 2 })
    expect(under.client.reads).toBeGreaterThan(bytes.length / length / 2)
  })
})

describe('redirects', () => {
  test.each([301, 302, 303, 307, 308])('%i is a failure, and nobody goes where it points', async (status) => {
    await using server = await scriptedServer({
      onRequest: ({ socket }) => void socket.write(whole(`${status} Moved`, ['location: /v2'], 'moved')),
    })
    await using under = testClient(server.url)
    expect((await under.one()).failure).toEqual({ kind: 'http', status, message: `HTTP ${status}: moved` })
    expect(server.turns).toHaveLength(1)
  })
})

describe('statuses without a body', () => {
  test.each<[string, object]>([
    ['204 No Content', { kind: 'empty', message: 'HTTP 204 without a body' }],
    ['205 Reset Content', { kind: 'empty', message: 'HTTP 205 without a body' }],
    ['304 Not Modified', { kind: 'http', status: 304, message: 'HTTP 304' }],
  ])('%s', async (status, failure) => {
    await using server = await scriptedServer({
      onRequest: ({ socket }) => void socket.write(whole(status, ['content-type: text/event-stream'], '')),
    })
    await using under = testClient(server.url)
    expect([(await under.one()).failure, (await under.one()).failure]).toEqual([failure, failure])
  })

  test.each([
    ['100 Continue', 'HTTP 100 came, which the request had not asked for and this client does not support'],
    ['101 Switching Protocols', 'HTTP 101 came, which the request had not asked for'],
  ])('%s, which undici does not take, is named', async (status, message) => {
    const reply = `HTTP/1.1 ${status}\r\nupgrade: h2c\r\nconnection: upgrade\r\n\r\n${chatReply(1)}`
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(reply) })
    await using under = testClient(server.url)
    expect((await under.one()).failure).toEqual({ kind: 'bad-payload', message })
  })
})

describe('keep-alive comments', () => {
  const COMMENT = chunk(': ping\n\n')
  const trickle = (before: string) => (turn: Turn) => {
    turn.socket.write(STREAM_HEAD + before)
    const timer = setInterval(() => turn.socket.write(COMMENT), 5)
    turn.socket.on('close', () => clearInterval(timer))
  }

  test.each([
    ['before the first token', '', 0],
    ['after a token', chatChunks(1).slice(0, 2).join(''), 1],
  ])('%s are bytes, which the idle timeout waits for, but the total one goes on', async (_when, before, reads) => {
    await using server = await scriptedServer({ onRequest: trickle(before) })
    await using under = testClient(server.url, { timeouts: { idleMs: 100, totalMs: 500 } })
    const trace = await under.one()
    expect(trace.failure?.kind).toBe('timeout-total')
    expect(trace.reads).toBe(reads)
  })

  test('are no tokens, and move no stamp of one', async () => {
    let clock = 0
    const [role, token, ...rest] = chatChunks(1)
    const pieces = [COMMENT, role! + COMMENT, COMMENT, COMMENT + token!, COMMENT, rest.join('') + LAST_CHUNK]
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(STREAM_HEAD) })
    const stamps: number[] = []
    const lateness = { recent: 0, read: (at: number) => (stamps.push(at), 0) }
    await using under = testClient(server.url, { now: () => ++clock, lateness })
    under.client.send(0, 0, 0, 0)
    for (const [read, piece] of pieces.entries()) {
      await expect.poll(() => under.client.reads, { interval: 1 }).toBe(read + 1)
      server.sockets[0]!.write(piece)
    }
    const [trace] = await under.ended(1)
    expect([...trace!.readAt]).toEqual([stamps[4]])
    expect([trace!.firstToken, trace!.firstVisible, trace!.lastToken]).toEqual([stamps[4], stamps[4], stamps[4]])
    expect(trace).toMatchObject({ failure: null, outputTokens: 1 })
  })
})
