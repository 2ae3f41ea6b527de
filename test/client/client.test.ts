import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, test, vi } from 'vitest'
import type { Lateness } from '../../src/client/lateness.ts'
import { FAILURE_KINDS } from '../../src/model/request.ts'
import { LAST_CHUNK, STREAM_HEAD, chatChunks, chatReply, chunk, scriptedServer, whole } from './scripted-server.ts'
import type { Turn } from './scripted-server.ts'
import { SELF_SIGNED } from './self-signed.ts'
import { testClient } from './test-client.ts'

const answer = (text: string) => (turn: Turn) => void turn.socket.write(text)
const message = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

describe('stamps', () => {
  test('a reply of 64 HTTP chunks that comes in one read is one read, and shares one stamp', async () => {
    let clock = 0
    await using server = await scriptedServer({ onRequest: answer(chatReply(64)) })
    await using under = testClient(server.url, { now: () => ++clock })
    const trace = await under.one()
    expect(under.client.reads).toBe(1)
    expect([...trace.readEvents]).toEqual([64])
    expect([trace.firstToken, trace.firstVisible, trace.lastToken, trace.ended]).toEqual(
      Array.from({ length: 4 }, () => trace.readAt[0]),
    )
  })

  test('every write that is read on its own has its own stamp', async () => {
    let clock = 0
    const [role, first, second, third, ...rest] = chatChunks(3)
    // The next piece is written when the client has read the one before.
    const pieces = [STREAM_HEAD + role!, first! + second!, third!, rest.join('') + LAST_CHUNK]
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(pieces[0]!) })
    let reads = 0
    await using under = testClient(server.url, { now: () => ++clock })
    under.client.send(0, 0, 0, 0)
    for (const piece of pieces.slice(1)) {
      await expect.poll(() => under.client.reads, { interval: 1 }).toBe(++reads)
      server.sockets[0]!.write(piece)
    }
    const [trace] = await under.ended(1)
    expect([...trace!.readEvents]).toEqual([2, 1])
    expect(trace!.firstToken).toBe(trace!.readAt[0])
    expect(trace!.lastToken).toBe(trace!.readAt[1])
    expect(trace!.ended).toBeGreaterThan(trace!.lastToken)
    expect(under.client.reads).toBe(4)
  })

  test('each read is told once to what knows of the own lateness, which says how late it may have been', async () => {
    let clock = 0
    const told: number[] = []
    const lateness: Lateness = { recent: 0, read: (at) => told.push(at) * 10 }
    const [role, first, second, ...rest] = chatChunks(2)
    const pieces = [STREAM_HEAD + role!, first!, second!, rest.join('') + LAST_CHUNK]
    await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(pieces[0]!) })
    await using under = testClient(server.url, { now: () => ++clock, lateness })
    under.client.send(0, 0, 0, 0)
    for (const [read, piece] of pieces.slice(1).entries()) {
      await expect.poll(() => under.client.reads, { interval: 1 }).toBe(read + 1)
      server.sockets[0]!.write(piece)
    }
    const [trace] = await under.ended(1)
    // The first read brought no token, and neither did the last.
    expect([...trace!.readAt]).toEqual([told[1], told[2]])
    expect([...trace!.readDelay]).toEqual([20, 30])
    expect(trace!.firstVisibleDelay).toBe(20)
    expect(told).toEqual([...told].sort((a, b) => a - b))
    expect([told.length, trace!.ended]).toEqual([4, told[3]])
  })

  test('sent stands before the connection that has to be opened, and after the wait for one that is open', async () => {
    let clock = 0
    await using server = await scriptedServer({
      onConnection: () => (clock = 10),
      onRequest: ({ socket }) => {
        clock += 10
        socket.write(chatReply(1))
      },
    })
    await using under = testClient(server.url, { now: () => clock })
    const [opened, reused] = [await under.one(), under.one()]
    expect([opened.sent, opened.firstToken]).toEqual([0, 20])
    // undici writes on an idle connection one turn of the event loop later: the time until then is send lag.
    clock = 50
    expect(await reused).toMatchObject({ scheduled: 20, sent: 50, firstToken: 60 })
  })

  test('step, index and scheduled come back as they were given', async () => {
    await using server = await scriptedServer({ onRequest: answer(chatReply(2)) })
    await using under = testClient(server.url)
    under.client.send(3, 17, 4, 12.5)
    const [trace] = await under.ended(1)
    expect(trace).toMatchObject({ step: 3, index: 17, scheduled: 12.5, failure: null, streamed: true, usage: true })
    expect(trace).toMatchObject({ outputTokens: 2, inputTokens: 128 })
  })
})

describe('onEnd', () => {
  test('comes once for every send, never during it, and not counted as in flight any more', async () => {
    const during: number[] = []
    await using server = await scriptedServer({ onRequest: answer(chatReply(1)) })
    await using under = testClient(server.url, { onEnd: (_trace, client) => during.push(client.inFlight) })
    for (let index = 0; index < 5; index++) under.client.send(0, index, index, 0)
    expect([under.traces.length, under.client.inFlight]).toEqual([0, 5])
    const traces = await under.ended(5)
    expect(traces.map(({ index }) => index).sort()).toEqual([0, 1, 2, 3, 4])
    expect(during).toEqual([4, 3, 2, 1, 0])
  })

  test('a request that cannot even be written fails after send has returned', async () => {
    await using under = testClient('http://127.0.0.1:9/', { target: { headers: { upgrade: 'h2c' } } })
    under.client.send(0, 0, 0, 0)
    expect(under.traces).toHaveLength(0)
    const [trace] = await under.ended(1)
    expect(trace!.failure).toMatchObject({ kind: 'client', message: expect.stringContaining('upgrade') })
  })

  test('its trace stays valid when it sends again on the same connection', async () => {
    const seen: number[][] = []
    await using server = await scriptedServer({
      onRequest: ({ socket, request }) => void socket.write(chatReply(request + 1)),
    })
    await using under = testClient(server.url, {
      onEnd: (trace, client) => {
        if (trace.index < 2) client.send(0, trace.index + 1, 0, 0)
        seen.push([trace.index, trace.outputTokens, ...trace.readEvents.slice(0, trace.reads)])
      },
    })
    under.client.send(0, 0, 0, 0)
    await under.ended(3)
    expect(seen).toEqual([
      [0, 1, 1],
      [1, 2, 2],
      [2, 3, 3],
    ])
    expect(server.sockets).toHaveLength(1)
  })
})

describe('in a process of its own', () => {
  /** Runs a program against the server; gives its exit code and what it printed. */
  const run = (url: string, body: string) => {
    const program = `
      import { clientProgram } from '${new URL('client-program.ts', import.meta.url).href}'
      const client = clientProgram('${url}', (trace) => { ${body} })
      await client.open(2)
      client.send(0, 0, 0, 0)`
    const args = ['--no-warnings', '--input-type=module', '-e', program]
    return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
      const child = execFile(process.execPath, args, { encoding: 'utf8' }, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode, stdout, stderr })
      })
    })
  }

  test('an error that onEnd throws is not swallowed', async () => {
    await using server = await scriptedServer({ onRequest: answer(chatReply(1)) })
    const { code, stderr } = await run(server.url, 'throw new Error("a bug of the worker")')
    expect(stderr).toContain('a bug of the worker')
    expect(code).toBe(1)
  })

  test('a request keeps the process alive, an idle client does not', async () => {
    await using server = await scriptedServer({
      onRequest: ({ socket }) => setTimeout(() => socket.write(chatReply(1)), 50),
    })
    expect(await run(server.url, 'console.log(trace.failure)')).toEqual({ code: 0, stdout: 'null\n', stderr: '' })
  })
})

describe('requests', () => {
  test('carry the author’s headers, a number of their own, and bodies of one length that begin differently', async () => {
    await using server = await scriptedServer({ onRequest: answer(chatReply(1)) })
    await using under = testClient(server.url, {
      seed: 42,
      target: { headers: { authorization: 'Bearer sk-0123456789' }, body: { temperature: 0, max_tokens: 7 } },
    })
    await under.one()
    await under.one()
    const [first, second] = server.turns
    expect(first!.head).toMatch(/^POST \/v1\/chat\/completions HTTP\/1\.1\r\n/)
    expect(first!.head).toContain('authorization: Bearer sk-0123456789\r\n')
    expect(first!.head).toContain('x-request-id: slo-2a-0\r\n')
    expect(second!.head).toContain('x-request-id: slo-2a-1\r\n')
    expect(JSON.parse(first!.body)).toMatchObject({
      model: 'llama',
      messages: [{ role: 'user' }],
      stream: true,
      stream_options: { include_usage: true },
      temperature: 0,
      max_tokens: 7,
    })
    const prompts = [first, second].map((turn) => JSON.parse(turn!.body).messages[0].content as string)
    expect(prompts[0]!.slice(0, 19)).not.toBe(prompts[1]!.slice(0, 19))
    expect(prompts.map((prompt) => prompt.split(' ').length)).toEqual([128, 128])
    expect(first!.body.length).toBe(second!.body.length)
  })

  test('user info of the URL goes into the header, the query into the path, and an own x-request-id stays', async () => {
    await using server = await scriptedServer({ onRequest: answer(chatReply(1)) })
    const url = `http://user:p%40ss@127.0.0.1:${server.port}/v1/chat/completions?api-version=2024-10-21`
    await using under = testClient(url, { target: { headers: { 'x-request-id': 'mine' } } })
    await under.one()
    const [{ head }] = server.turns as [Turn]
    expect(head).toMatch(/^POST \/v1\/chat\/completions\?api-version=2024-10-21 HTTP/)
    expect(head).toContain(`authorization: Basic ${btoa('user:p@ss')}\r\n`)
    expect(head).toContain('x-request-id: mine\r\n')
    expect(head.match(/x-request-id/g)).toHaveLength(1)
  })
})

describe('replies', () => {
  const json = (fields: object) => whole('200 OK', ['content-type: application/json'], JSON.stringify(fields))
  const completion = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hello there' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 9, completion_tokens: 3 },
  }

  test('a whole JSON completion is a success that did not stream', async () => {
    await using server = await scriptedServer({ onRequest: answer(json(completion)) })
    await using under = testClient(server.url, { target: { stream: false } })
    const trace = await under.one()
    expect(trace).toMatchObject({ failure: null, streamed: false, outputTokens: 3, inputTokens: 9, usage: true })
    expect(trace.lastToken).toBe(trace.ended)
    expect(JSON.parse(server.turns[0]!.body)).toMatchObject({ stream: false })
  })

  test.each([
    ['an error object', json({ error: { message: 'no such model' } }), 'stream-error', 'no such model'],
    ['JSON of another kind', json({ status: 'ok' }), 'bad-payload', 'without choices'],
    [
      'JSON that is cut off',
      whole('200 OK', ['content-type: application/json'], '{"choices":['),
      'bad-payload',
      'JSON',
    ],
    ['no choices', json({ choices: [] }), 'empty', ''],
    ['a web page', whole('200 OK', ['content-type: text/html'], '<h1>Sign in</h1>'), 'bad-payload', 'text/html'],
  ])('%s at status 200 is a failure', async (_what, reply, kind, text) => {
    await using server = await scriptedServer({ onRequest: answer(reply) })
    await using under = testClient(server.url)
    const { failure } = await under.one()
    expect(failure).toMatchObject({ kind, message: expect.stringContaining(text) })
  })

  test('a stream without a content-type is read as events', async () => {
    await using server = await scriptedServer({
      onRequest: answer(chatReply(1).replace(/content-type: [^\r]*\r\n/, '')),
    })
    await using under = testClient(server.url)
    expect((await under.one()).failure).toBeNull()
  })

  test('an interim response is none', async () => {
    await using server = await scriptedServer({
      onRequest: answer(`HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n${chatReply(1)}`),
    })
    await using under = testClient(server.url)
    expect(await under.one()).toMatchObject({ failure: null, outputTokens: 1 })
  })

  test('a line of 1 MB in 64 kB reads is one event', async () => {
    const text = 'é'.repeat(500_000)
    await using server = await scriptedServer({
      onRequest: answer(STREAM_HEAD + chunk(message(text)) + chunk('data: [DONE]\n\n') + LAST_CHUNK),
    })
    await using under = testClient(server.url)
    const trace = await under.one()
    expect(trace).toMatchObject({ failure: null, outputTokens: 1, usage: false, reads: 1 })
    expect(under.client.reads).toBeGreaterThan(10)
  })

  test('more reads than the scratch arrays hold at first are all kept', async () => {
    const count = 50
    await using server = await scriptedServer({
      onRequest: ({ socket }) => {
        socket.write(STREAM_HEAD)
        let token = 0
        // One write per turn of the event loop, and the client reads in the same loop.
        const next = () => {
          if (token++ === count) socket.write(chunk('data: [DONE]\n\n') + LAST_CHUNK)
          else socket.write(chunk(message('a')), () => setImmediate(next))
        }
        next()
      },
    })
    await using under = testClient(server.url)
    const trace = await under.one()
    expect(trace.outputTokens).toBe(count)
    expect([...trace.readEvents].reduce((sum, events) => sum + events, 0)).toBe(count)
    expect(trace.reads).toBeGreaterThan(16)
    expect([...trace.readAt]).toEqual([...trace.readAt].sort((a, b) => a - b))
  })

  test.each([
    ['after [DONE], without the last chunk', [message('a'), 'data: [DONE]\n\n'], null],
    [
      'after finish_reason, without [DONE]',
      [message('a'), 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"length"}]}\n\n'],
      null,
    ],
    ['after a token', [message('a')], 'truncated'],
    ['after the head', [], 'truncated'],
  ])('the server closes %s', async (_when, events, kind) => {
    await using server = await scriptedServer({
      onRequest: ({ socket }) => socket.end(STREAM_HEAD + events.map(chunk).join('')),
    })
    await using under = testClient(server.url)
    expect((await under.one()).failure?.kind ?? null).toBe(kind)
  })

  test('a body that only the close ends is whole when it says so', async () => {
    const reply = `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n${message('a')}data: [DONE]\n\n`
    await using server = await scriptedServer({ onRequest: ({ socket }) => socket.end(reply) })
    await using under = testClient(server.url)
    expect((await under.one()).failure).toBeNull()
  })

  test('a server that says [DONE] and then nothing more is no failure, whatever the idle timeout', async () => {
    await using server = await scriptedServer({
      onRequest: answer(STREAM_HEAD + chunk(message('a')) + chunk('data: [DONE]\n\n')),
    })
    await using under = testClient(server.url, { timeouts: { idleMs: 50 } })
    const trace = await under.one()
    expect(trace.failure).toBeNull()
    expect(trace.ended).toBe(trace.lastToken)
  })
})

test('abort ends everything in flight as aborted, and the server sees its connections close', async () => {
  await using server = await scriptedServer({
    onRequest: ({ socket, request }) => {
      if (request === 0) socket.write(STREAM_HEAD + chunk(message('a')))
      if (request === 2) under.client.abort()
    },
  })
  await using under = testClient(server.url)
  for (let index = 0; index < 3; index++) under.client.send(0, index, index, 0)
  const traces = await under.ended(3)
  expect(traces.map(({ failure }) => failure?.kind)).toEqual(['aborted', 'aborted', 'aborted'])
  expect(under.client.inFlight).toBe(0)
  await Promise.all(server.sockets.map((socket) => socket.closed || once(socket, 'close')))
  await expect.poll(() => under.client.connections).toBe(0)
})

test('close aborts what is in flight and closes every connection', async () => {
  await using server = await scriptedServer({})
  const under = testClient(server.url)
  await under.client.open(3)
  under.client.send(0, 0, 0, 0)
  await under.client.close()
  expect(under.traces.map(({ failure }) => failure?.kind)).toEqual(['aborted'])
  expect([under.client.connections, under.client.inFlight]).toEqual([0, 0])
})

test('over TLS, chunks that come in one read share one stamp, too', async () => {
  vi.stubEnv('NODE_TLS_REJECT_UNAUTHORIZED', '0')
  let clock = 0
  await using server = await scriptedServer({ tls: SELF_SIGNED, onRequest: answer(chatReply(16)) })
  await using under = testClient(server.url, { now: () => ++clock })
  expect(await under.client.open(1)).toEqual({ opened: 1, failure: null })
  for (let count = 0; count < 3; count++) {
    const trace = await under.one()
    expect(trace).toMatchObject({ failure: null, outputTokens: 16, reads: 1 })
    expect(trace.firstToken).toBe(trace.lastToken)
  }
  expect(server.sockets).toHaveLength(1)
  vi.unstubAllEnvs()
})

test('every request ends exactly once, whatever servers do', async () => {
  const token = chunk(message('a'))
  const turns: ((turn: Turn) => void)[] = [
    ({ socket }) => socket.write(chatReply(3)),
    ({ socket }) => socket.end(chatReply(3)),
    ({ socket }) => socket.write(`${chatReply(1)}HTTP/1.1 200 OK\r\n\r\nnobody asked`),
    ({ socket }) => socket.write(STREAM_HEAD + token),
    ({ socket }) => socket.end(STREAM_HEAD + token),
    ({ socket }) => socket.write(STREAM_HEAD + token, () => socket.resetAndDestroy()),
    ({ socket }) => socket.write(whole('500 Oops', [], 'oops')),
    ({ socket }) => socket.end('garbage'),
    ({ socket }) => socket.resetAndDestroy(),
    () => {},
  ]
  await using server = await scriptedServer({
    onConnection: (socket) => {
      // One connection in five is not even looked at.
      if (server.sockets.length % 5 === 0) socket.destroy()
    },
    onRequest: (turn) => turns[(turn.request * 7 + (turn.request >> 3)) % turns.length]!(turn),
  })
  const requests = 600
  await using under = testClient(server.url, {
    timeouts: { firstByteMs: 50, idleMs: 50 },
    onEnd: (trace, client) => {
      if (trace.index + 20 < requests) client.send(0, trace.index + 20, trace.index, 0)
    },
  })
  await under.client.open(10)
  for (let index = 0; index < 20; index++) under.client.send(0, index, index, 0)
  const traces = await under.ended(requests)
  expect(traces.map(({ index }) => index).sort((a, b) => a - b)).toEqual(Array.from({ length: requests }, (_, i) => i))
  expect(under.client.inFlight).toBe(0)
  const kinds = new Set(traces.map(({ failure }) => failure?.kind))
  expect([...kinds].filter((kind) => kind !== undefined && !FAILURE_KINDS.includes(kind))).toEqual([])
  expect(kinds.size).toBeGreaterThan(5)
  for (const { sent, firstToken, lastToken, ended, failure } of traces) {
    if (failure === null)
      expect([sent, firstToken, lastToken, ended]).toEqual([sent, firstToken, lastToken, ended].sort((a, b) => a - b))
  }
})
