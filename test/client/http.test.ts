import { describe, expect, test } from 'vitest'
import type { Lateness } from '../../src/client/lateness.ts'
import { e2eMs, ntpotMs, tpotMs, ttfoMs, ttftMs } from '../../src/metrics/latencies.ts'
import type { Target } from '../../src/model/plan.ts'
import { LAST_CHUNK, chunk, scriptedServer, whole } from './scripted-server.ts'
import type { Turn } from './scripted-server.ts'
import { testClient } from './test-client.ts'

const answer = (text: string) => (turn: Turn) => void turn.socket.write(text)

const plain = (target: Partial<Target> = {}) => ({
  target: { api: 'http', method: 'GET' as const, model: null, body: null, stream: false, ...target },
})

describe('a request', () => {
  test('is a GET without a body, and says nothing of one', async () => {
    await using server = await scriptedServer({ onRequest: answer(whole('200 OK', [], 'ok')) })
    await using under = testClient(`http://127.0.0.1:${server.port}/health?full=1`, plain())
    await under.one()
    expect(server.turns[0]!.head).toMatch(/^GET \/health\?full=1 HTTP\/1\.1\r\n/)
    expect(server.turns[0]!.head).not.toMatch(/content-/i)
    expect(server.turns[0]!.body).toBe('')
  })

  test('has the body of the author, as it is, and no prompt', async () => {
    await using server = await scriptedServer({ onRequest: answer(whole('200 OK', [], 'ok')) })
    const body = { query: 'tide', nested: { n: 1 } }
    await using under = testClient(server.url, plain({ method: 'PUT', body }))
    await under.one()
    await under.one()
    expect(server.turns.map((turn) => turn.body)).toEqual([JSON.stringify(body), JSON.stringify(body)])
    expect(server.turns[0]!.head).toMatch(/^PUT [^]*content-type: application\/json/i)
  })

  test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS'] as const)('%s keeps its connection', async (method) => {
    const reply = method === 'HEAD' ? 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\n' : whole('200 OK', [], 'hello')
    await using server = await scriptedServer({ onRequest: answer(reply) })
    await using under = testClient(server.url, plain({ method }))
    for (let i = 0; i < 3; i++) expect((await under.one()).failure).toBeNull()
    expect(server.turns.map((turn) => turn.connection)).toEqual([0, 0, 0])
  })
})

describe('a reply', () => {
  test('has E2E, and no other latency and no tokens', async () => {
    await using server = await scriptedServer({ onRequest: answer(whole('200 OK', [], 'ok')) })
    await using under = testClient(server.url, plain())
    const trace = await under.one()
    expect(trace).toMatchObject({ failure: null, streamed: false, outputTokens: 0, inputTokens: 0, usage: false })
    expect(e2eMs(trace)).toBe(trace.ended - trace.scheduled)
    expect([ttftMs(trace), ttfoMs(trace), tpotMs(trace), ntpotMs(trace)]).toEqual(
      Array.from({ length: 4 }, () => Number.NaN),
    )
  })

  test('ends with the last of its body, and is as late as the read that brought it', async () => {
    let clock = 0
    const told: number[] = []
    const lateness: Lateness = { recent: 0, read: (at) => told.push(at) * 10 }
    const pieces = ['HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', chunk('{"a":'), chunk('1}'), LAST_CHUNK]
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(pieces[0]!) })
    await using under = testClient(server.url, { ...plain(), now: () => ++clock, lateness })
    under.client.send(0, 0, 0, 0)
    for (const [read, piece] of pieces.slice(1).entries()) {
      await expect.poll(() => under.client.reads, { interval: 1 }).toBe(read + 1)
      server.sockets[0]!.write(piece)
    }
    const [trace] = await under.ended(1)
    expect(trace!.failure).toBeNull()
    expect([trace!.lastToken, trace!.ended]).toEqual([told[3], told[3]])
    expect([...trace!.readDelay]).toEqual([40])
  })

  test.each<[string, string]>([
    ['204 without a body', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['an empty body', whole('200 OK', [], '')],
    ['a web page', whole('200 OK', ['content-type: text/html'], '<p>ok</p>')],
    ['an event stream', whole('200 OK', ['content-type: text/event-stream'], 'data: {"error":"x"}\n\n')],
    ['JSON that tells an error', whole('200 OK', ['content-type: application/json'], '{"error":"x"}')],
    ['a body in a coding', whole('200 OK', ['content-encoding: gzip'], 'not gzip')],
    ['a large body', whole('200 OK', [], 'x'.repeat(300_000))],
    ['hints before it', `HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${whole('200 OK', [], 'ok')}`],
  ])('of %s is a success', async (_what, reply) => {
    await using server = await scriptedServer({ onRequest: answer(reply) })
    await using under = testClient(server.url, plain())
    // The connection carries the next one too.
    for (let i = 0; i < 2; i++) {
      const { failure, lastToken, scheduled } = await under.one()
      expect(failure).toBeNull()
      expect(lastToken).toBeGreaterThanOrEqual(scheduled)
    }
  })

  test('that ends with the connection is whole', async () => {
    await using server = await scriptedServer({ onRequest: ({ socket }) => socket.end('HTTP/1.1 200 OK\r\n\r\nok') })
    await using under = testClient(server.url, plain())
    expect((await under.one()).failure).toBeNull()
  })
})

describe('a failure', () => {
  const long = 'y'.repeat(5000)

  test.each<[string, readonly number[] | null, string, number, string]>([
    ['a redirect', null, whole('302 Found', ['location: /b'], ''), 302, 'HTTP 302'],
    [
      'an error of the server',
      null,
      whole('503 Busy', ['retry-after: 7'], 'wait'),
      503,
      'HTTP 503 (retry-after 7): wait',
    ],
    [
      'a success that was not expected',
      [404, 410],
      whole('200 OK', [], 'ok'),
      200,
      'HTTP 200, expected 404 or 410: ok',
    ],
    ['of which only the beginning is told', null, whole('500 No', [], long), 500, `HTTP 500: ${long.slice(0, 230)}`],
  ])('is %s', async (_what, status, reply, told, message) => {
    await using server = await scriptedServer({ onRequest: answer(reply) })
    await using under = testClient(server.url, plain({ status }))
    const { failure, lastToken } = await under.one()
    expect(failure).toMatchObject({ kind: 'http', status: told, message: expect.stringContaining(message) })
    expect(lastToken).toBeNaN()
  })

  test('is none with a status that is expected', async () => {
    const replies = [whole('404 Not Found', [], 'none'), whole('302 Found', ['location: /b'], '')]
    await using server = await scriptedServer({
      onRequest: ({ socket, request }) => void socket.write(replies[request]!),
    })
    await using under = testClient(server.url, plain({ status: [404, 302] }))
    for (const _ of replies) expect((await under.one()).failure).toBeNull()
    // A redirect is not followed.
    expect(server.turns).toHaveLength(2)
  })

  test.each<[string, string, string]>([
    ['a body that is cut off', 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nok', 'truncated'],
    ['no reply', '', 'reset'],
    ['something that is no HTTP', 'SSH-2.0-OpenSSH_9.7\r\n', 'bad-payload'],
  ])('is %s', async (_what, reply, kind) => {
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.end(reply) })
    await using under = testClient(server.url, plain())
    expect((await under.one()).failure).toMatchObject({ kind })
  })

  test('is a status whose body is cut off, by its status', async () => {
    const reply = 'HTTP/1.1 500 No\r\ncontent-length: 50\r\n\r\nbroken'
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.end(reply) })
    await using under = testClient(server.url, plain())
    expect((await under.one()).failure).toEqual({ kind: 'http', status: 500, message: 'HTTP 500: broken' })
  })
})
