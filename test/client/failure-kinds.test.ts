import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { STREAM_HEAD, chatReply, chunk, scriptedServer, whole } from './scripted-server.ts'
import type { Turn } from './scripted-server.ts'
import { SELF_SIGNED } from './self-signed.ts'
import { testClient } from './test-client.ts'
import type { Overrides } from './test-client.ts'

const FIRST_TOKEN = chunk('data: {"choices":[{"index":0,"delta":{"content":"a"}}]}\n\n')

/** Each kind is produced by a server, or by the lack of one, not by an error object. */
async function failureAt(url: string, overrides: Overrides = {}) {
  await using under = testClient(url, overrides)
  return (await under.one()).failure
}

async function failureOf(onRequest: (turn: Turn) => void, overrides: Overrides = {}) {
  await using server = await scriptedServer({ onRequest })
  return await failureAt(server.url, overrides)
}

describe('without a connection', () => {
  test('refused: nobody listens', async () => {
    const server = await scriptedServer({})
    await server[Symbol.asyncDispose]()
    expect(await failureAt(server.url)).toMatchObject({
      kind: 'refused',
      message: expect.stringContaining('ECONNREFUSED'),
    })
  })

  test('connect: the kernel knows no way (a broadcast address; nothing is sent)', async () => {
    expect((await failureAt('http://255.255.255.255:9/'))?.kind).toBe('connect')
  })

  test('dns: the name does not exist', async () => {
    expect(await failureAt('http://nobody.invalid/')).toMatchObject({
      kind: 'dns',
      message: expect.stringContaining('nobody.invalid'),
    })
  })

  test('tls: https at a server that answers in plain text', async () => {
    await using server = await scriptedServer({ onConnection: (socket) => void socket.write(chatReply(1)) })
    expect((await failureAt(server.url.replace('http:', 'https:')))?.kind).toBe('tls')
  })

  test('tls: https at a server that hangs up', async () => {
    await using server = await scriptedServer({ onConnection: (socket) => void socket.destroy() })
    expect((await failureAt(server.url.replace('http:', 'https:')))?.kind).toBe('tls')
  })

  test('tls: a certificate that nobody has signed', async () => {
    await using server = await scriptedServer({ tls: SELF_SIGNED })
    expect(await failureAt(server.url)).toMatchObject({ kind: 'tls', message: expect.stringContaining('self-signed') })
  })

  test('timeout-connect: the TLS handshake is never answered', async () => {
    await using server = await scriptedServer({})
    const url = server.url.replace('http:', 'https:')
    expect(await failureAt(url, { timeouts: { connectMs: 50 } })).toEqual({
      kind: 'timeout-connect',
      message: 'no connection within 50 ms',
    })
  })

  test.skipIf(process.platform === 'win32')('client: the process has no descriptor left', () => {
    const program = `
      import { openSync } from 'node:fs'
      import { clientProgram } from '${new URL('client-program.ts', import.meta.url).href}'
      const client = clientProgram('http://127.0.0.1:9/', (trace) => {
        console.log(trace.failure.kind)
        void client.close()
      })
      try { for (;;) openSync('/dev/null') } catch { client.send(0, 0, 0, 0) }`
    const limited = [
      '-c',
      'ulimit -n 64 && exec "$0" --no-warnings --input-type=module -e "$1"',
      process.execPath,
      program,
    ]
    // Certificates that the environment names would be read, too, when there is no descriptor for them any more.
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: '' }
    const { stdout, stderr } = spawnSync('/bin/sh', limited, { encoding: 'utf8', env })
    expect({ stdout, stderr }).toEqual({ stdout: 'client\n', stderr: '' })
  })
})

describe('timeouts', () => {
  test('timeout-first-byte: the server is silent', async () => {
    expect(await failureOf(() => {}, { timeouts: { firstByteMs: 50 } })).toEqual({
      kind: 'timeout-first-byte',
      message: 'no byte of a reply within 50 ms',
    })
  })

  test('timeout-idle: the server falls silent', async () => {
    const reply = ({ socket }: Turn) => void socket.write(STREAM_HEAD + FIRST_TOKEN)
    expect(await failureOf(reply, { timeouts: { idleMs: 50 } })).toEqual({
      kind: 'timeout-idle',
      message: 'no further byte of the reply within 50 ms',
    })
  })

  test('timeout-total: the server sends for ever', async () => {
    const trickle = ({ socket }: Turn) => {
      socket.write(STREAM_HEAD)
      const timer = setInterval(() => socket.write(FIRST_TOKEN), 5)
      socket.on('close', () => clearInterval(timer))
    }
    expect(await failureOf(trickle, { timeouts: { totalMs: 60 } })).toEqual({
      kind: 'timeout-total',
      message: 'reply not over within 60 ms',
    })
  })
})

describe('without a whole reply', () => {
  test.each([
    ['the server resets before it replies', ({ socket }: Turn) => void socket.resetAndDestroy()],
    ['the server closes before it replies', ({ socket }: Turn) => void socket.end()],
    [
      'the server resets during the reply',
      ({ socket }: Turn) => void socket.write(STREAM_HEAD + FIRST_TOKEN, () => socket.resetAndDestroy()),
    ],
  ])('reset: %s', async (_what, script) => {
    expect((await failureOf(script))?.kind).toBe('reset')
  })

  test.each([
    ['closes inside a chunk', STREAM_HEAD + FIRST_TOKEN.slice(0, 30)],
    ['ends the body without an end mark', `${STREAM_HEAD}${FIRST_TOKEN}0\r\n\r\n`],
    ['closes before the length it promised', `HTTP/1.1 200 OK\r\ncontent-length: 500\r\n\r\n${FIRST_TOKEN}`],
    [
      'closes inside a reply that was to be the last',
      STREAM_HEAD.replace('\r\n', '\r\nconnection: close\r\n') + FIRST_TOKEN,
    ],
  ])('truncated: the server %s', async (_what, reply) => {
    expect((await failureOf(({ socket }) => void socket.end(reply)))?.kind).toBe('truncated')
  })

  test.each([
    ['status 204', 'HTTP/1.1 204 No Content\r\n\r\n'],
    ['an empty body', whole('200 OK', ['content-type: text/event-stream'], '')],
    ['an empty JSON document', whole('200 OK', ['content-type: application/json'], '')],
    ['a stream of no chunks', `${STREAM_HEAD}0\r\n\r\n`],
  ])('empty: %s', async (_what, reply) => {
    expect((await failureOf(({ socket }) => void socket.write(reply)))?.kind).toBe('empty')
  })

  test('bad-payload: not HTTP', async () => {
    const { kind, message } = (await failureOf(({ socket }) => void socket.write('220 mail ready\r\n')))!
    expect([kind, message]).toEqual(['bad-payload', expect.stringContaining('HTTP/1.1 protocol')])
  })
})

describe('http', () => {
  test.each([
    ['503', [], 'no slots', 'HTTP 503: no slots'],
    [
      '429 Too Many Requests',
      ['retry-after: 2'],
      '{"error":\n  "busy"}',
      'HTTP 429 (retry-after 2): {"error": "busy"}',
    ],
    ['301 Moved', ['location: /v2'], '', 'HTTP 301'],
    ['500 Oops', ['content-type: text/event-stream'], 'x'.repeat(5000), `HTTP 500: ${'x'.repeat(230)}...`],
  ])('%s with the beginning of its body, on one line', async (status, headers, body, message) => {
    expect(await failureOf(({ socket }) => void socket.write(whole(status, headers, body)))).toEqual({
      kind: 'http',
      status: Number.parseInt(status, 10),
      message,
    })
  })

  test('nothing secret comes back in the message', async () => {
    const echo = ({ socket, head }: Turn) =>
      void socket.write(whole('401 Unauthorized', [], head.replace(/\r\n/g, ' ')))
    await using server = await scriptedServer({ onRequest: echo })
    const url = `http://127.0.0.1:${server.port}/v1?code=query-secret`
    const headers = { authorization: 'Bearer sk-header-secret', 'x-tenant': 'tenant-secret' }
    const failure = await failureAt(url, { target: { headers } })
    expect(failure!.message).toContain('[redacted]')
    expect(failure!.message).not.toMatch(/secret/)
  })

  test.each([0, 150, 200, 215, 225, 235, 3990])('nor a part of it, %d characters into the body', async (before) => {
    const echo = ({ socket }: Turn) =>
      void socket.write(whole('401 Unauthorized', [], `${'x'.repeat(before)} Bearer sk-header-secret`))
    await using server = await scriptedServer({ onRequest: echo })
    const headers = { authorization: 'Bearer sk-header-secret' }
    const failure = await failureAt(`http://127.0.0.1:${server.port}/v1`, { target: { headers } })
    expect(failure!.message).not.toContain('sk-')
  })
})
