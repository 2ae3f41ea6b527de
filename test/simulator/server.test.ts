import { once } from 'node:events'
import { connect } from 'node:net'
import type { Socket } from 'node:net'
import { Worker } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { simulatorOptions } from '../../src/simulator/options.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { startServer } from '../../src/simulator/server.ts'
import type { SimulatorServer } from '../../src/simulator/server.ts'

let server: SimulatorServer
let base: string

async function open(options: Partial<SimulatorOptions> = {}): Promise<void> {
  server = await startServer(simulatorOptions(options))
  base = `http://127.0.0.1:${server.port}`
}

afterEach(() => server.close())

const CHAT = { messages: [{ role: 'user', content: 'tell me a story' }] }

function post(path: string, fields: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${base}${path}`, { method: 'POST', body: JSON.stringify(fields), ...init })
}

/** A request as bytes, for what fetch would not send. */
function bytes(fields: object, headers = ''): string {
  const body = JSON.stringify(fields)
  return `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\n${headers}content-length: ${body.length}\r\n\r\n${body}`
}

async function raw(): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1')
  await once(socket, 'connect')
  return socket.setEncoding('latin1')
}

/** What the socket brings until it has `count` times `mark`. */
async function until(socket: Socket, mark: string, count = 1): Promise<string> {
  let text = ''
  for await (const more of socket.iterator({ destroyOnReturn: false })) {
    text += String(more)
    if (text.split(mark).length > count) return text
  }
  throw new Error(`the connection ended without ${count} times ${JSON.stringify(mark)}: ${text}`)
}

describe('completions', () => {
  test.each([
    ['/v1/chat/completions', { ...CHAT, max_tokens: 3 }, 4],
    ['/chat/completions', { ...CHAT, max_tokens: 3 }, 4],
    ['/v1/completions', { prompt: 'tell me', max_tokens: 3 }, 2],
    ['/completions', { prompt: 'tell me', max_tokens: 3 }, 2],
  ])('%s streams', async (path, fields, promptTokens) => {
    await open({ ttftMs: 1, itlMs: 1 })
    const reply = await post(path, { ...fields, stream: true, stream_options: { include_usage: true } })
    expect(reply.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = (await reply.text()).split('\n\n').map((event) => event.replace('data: ', ''))
    expect(events.splice(-2)).toEqual(['[DONE]', ''])
    const [first, ...rest] = events.map((event) => JSON.parse(event))
    expect(rest.pop()).toMatchObject({
      choices: [],
      usage: { prompt_tokens: promptTokens, completion_tokens: 3, total_tokens: promptTokens + 3 },
    })
    expect(rest.pop().choices[0].finish_reason).toBe('length')
    const tokens = path.includes('chat') ? rest : [first, ...rest]
    expect(tokens.map(({ choices }) => choices[0].delta?.content ?? choices[0].text)).toEqual([
      ' the',
      ' quick',
      ' brown',
    ])
  })

  test('without stream it is one JSON', async () => {
    await open({ ttftMs: 1, itlMs: 1 })
    const reply = await post('/v1/chat/completions', { ...CHAT, model: 'llama', max_completion_tokens: 2 })
    expect(reply.headers.get('content-type')).toBe('application/json')
    expect(await reply.json()).toMatchObject({
      model: 'llama',
      choices: [{ message: { content: ' the quick' }, finish_reason: 'length' }],
      usage: { prompt_tokens: 4, completion_tokens: 2, total_tokens: 6 },
    })
  })

  test('tokens reach the client one by one, and not before they are due', async () => {
    await open({ ttftMs: 1, itlMs: 20 })
    const reply = await post('/v1/chat/completions', { ...CHAT, max_tokens: 5, stream: true })
    let reads = 0
    for await (const chunk of reply.body!) reads += chunk.length > 0 ? 1 : 0
    const { planned, actual } = server.ledger.snapshot().requests[0]!
    expect(planned).toHaveLength(5)
    expect(actual.every((instant, k) => instant >= planned[k]!)).toBe(true)
    expect(reads).toBeGreaterThan(1)
  })
})

describe('saturation', () => {
  test('20 requests at once on 2 slots: never more than two generate', async () => {
    await open({ ttftMs: 5, slots: 2 })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post(
          '/v1/chat/completions',
          { ...CHAT, max_tokens: 1, stream: true },
          { headers: { 'x-request-id': `r${i}` } },
        ).then((reply) => reply.text()),
      ),
    )
    const { requests } = server.ledger.snapshot()
    expect(new Set(requests.map(({ id }) => id)).size).toBe(20)
    const spans = requests.map(({ started, planned }) => [started!, planned.at(-1)!] as const)
    for (const [start] of spans) {
      expect(spans.filter(([from, to]) => from <= start && start < to).length).toBeLessThanOrEqual(2)
    }
    // First come, first served.
    const byStart = requests.toSorted((a, b) => a.started! - b.started!)
    expect(byStart.map(({ arrived }) => arrived)).toEqual(byStart.map(({ arrived }) => arrived).sort((a, b) => a - b))
  })

  test('a client that goes away frees its slot for the next', async () => {
    await open({ ttftMs: 1, itlMs: 60_000, slots: 1 })
    const abort = new AbortController()
    const reply = await post('/v1/chat/completions', { ...CHAT, max_tokens: 9, stream: true }, { signal: abort.signal })
    expect(reply.status).toBe(200)
    const next = post('/v1/chat/completions', { ...CHAT, max_tokens: 1, stream: true })
    abort.abort()
    expect(await (await next).text()).toContain('[DONE]')
    const { requests } = server.ledger.snapshot()
    expect(requests.map(({ ended }) => ended)).toEqual(['disconnected', 'complete'])
    expect(requests[0]!.actual).toHaveLength(1)
  })
})

describe('other endpoints', () => {
  test('models, health and ledger, with and without /v1', async () => {
    await open({ model: 'tiny' })
    await (await post('/v1/completions', { prompt: 'a' }, { headers: { 'x-request-id': '7' } })).text()
    for (const prefix of ['', '/v1']) {
      const [models, health, ledger] = await Promise.all(
        ['models', 'health', 'ledger'].map(async (path) => (await fetch(`${base}${prefix}/${path}`)).json()),
      )
      expect(models).toMatchObject({ object: 'list', data: [{ id: 'tiny', object: 'model' }] })
      expect(health).toEqual({})
      expect(ledger).toMatchObject({ requests: [{ id: '7', outputTokens: 16, ended: 'complete' }], forgotten: 0 })
    }
  })

  test('the ledger keeps the newest', async () => {
    await open({ ledger: 2 })
    for (const id of ['1', '2', '3']) {
      await (await post('/v1/completions', { prompt: 'a' }, { headers: { 'x-request-id': id } })).text()
    }
    const { requests, forgotten } = server.ledger.snapshot()
    expect(requests.map(({ id }) => id)).toEqual(['2', '3'])
    expect(forgotten).toBe(1)
  })
})

describe('errors', () => {
  test.each([
    ['an unknown path', 'POST', '/v1/embeddings', '{}', 404, 'Invalid URL (POST /v1/embeddings)'],
    ['a wrong method', 'GET', '/v1/completions', null, 405, 'Not allowed to GET on /v1/completions'],
    ['a wrong method for a list', 'DELETE', '/v1/models', null, 405, 'Perhaps you meant to use GET'],
    ['a body that is no JSON', 'POST', '/v1/chat/completions', '{"messages":', 400, 'could not parse the JSON body'],
    ['a body without prompt', 'POST', '/v1/completions', '{}', 400, "'prompt' must be"],
  ])('%s', async (_, method, path, body, status, message) => {
    await open()
    const reply = await fetch(`${base}${path}`, { method, body })
    expect(reply.status).toBe(status)
    expect(await reply.json()).toEqual({
      error: {
        message: expect.stringContaining(message),
        type: 'invalid_request_error',
        param: null,
        code: reply.status === 405 ? 'method_not_supported' : null,
      },
    })
  })

  test('bytes that are no HTTP get 400, and the connection ends', async () => {
    await open()
    const socket = await raw()
    socket.write('hello\r\n\r\n')
    const reply = await until(socket, '"code":null')
    expect(reply).toMatch(/^HTTP\/1.1 400 Bad Request\r\n[^]*connection: close/)
    await once(socket.resume(), 'close')
  })

  test('a body that announces more than 16 MiB gets 413 before it is sent', async () => {
    await open()
    const socket = await raw()
    socket.write(`POST /v1/completions HTTP/1.1\r\ncontent-length: ${2 ** 24 + 1}\r\n\r\n`)
    expect(await until(socket, '"code":null')).toContain('413 Payload Too Large')
    socket.destroy()
  })
})

describe('connections', () => {
  test('a body in pieces, with 100-continue', async () => {
    await open()
    const socket = await raw()
    const [head, body] = bytes({ ...CHAT, max_tokens: 1 }, 'expect: 100-continue\r\n').split('\r\n\r\n') as [
      string,
      string,
    ]
    socket.write(`${head}\r\n\r\n`)
    expect(await until(socket, '\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write(body.slice(0, 10))
    socket.write(body.slice(10))
    expect(await until(socket, '}}')).toContain('200 OK')
    socket.destroy()
  })

  test.each([
    ['answered at once', {}],
    ['answered later', { ttftMs: 2, itlMs: 1 }],
  ])('pipelined requests are answered in order, %s', async (_, options) => {
    await open(options)
    const socket = await raw()
    const request = (id: string) =>
      bytes({ ...CHAT, model: id, max_tokens: 2, stream: true }, `x-request-id: ${id}\r\n`)
    socket.write(request('r1') + request('r2'))
    socket.write(request('r3'))
    const reply = await until(socket, '[DONE]\n\n\r\n0\r\n\r\n', 3)
    expect(
      [...reply.matchAll(/"model":"(r\d)"/g)].map(([, id]) => id).filter((id, i, all) => id !== all[i - 1]),
    ).toEqual(['r1', 'r2', 'r3'])
    expect(server.ledger.snapshot().requests.map(({ id }) => id)).toEqual(['r1', 'r2', 'r3'])
    socket.destroy()
  })

  test('a connection that asks to be closed is, after its reply', async () => {
    await open({ ttftMs: 1 })
    const socket = await raw()
    socket.write(bytes({ ...CHAT, stream: true }, 'connection: close\r\n'))
    const reply = await until(socket, '\r\n0\r\n\r\n')
    expect(reply).toContain('\r\nconnection: close\r\n')
    await once(socket.resume(), 'close')
  })

  test('a client that does not read is noted in the ledger', async () => {
    await open()
    const socket = await raw()
    socket.pause()
    // 100,000 events are 20 MB: more than the buffers of both sockets take
    socket.write(bytes({ ...CHAT, max_tokens: 100_000, stream: true }))
    await expect.poll(() => server.ledger.snapshot().requests[0]?.blocked).toBe(1)
    socket.destroy()
  })
})

describe('a server that stood still', () => {
  const STOOD_MS = 200

  /** Keeps the loop of this process, which is the server's, from turning. */
  function standStill(): void {
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STOOD_MS)
  }

  test('says of requests on open connections that they may have lain unread', async () => {
    await open()
    const sockets = await Promise.all([raw(), raw()])
    // Both connections are accepted.
    for (const socket of sockets) {
      socket.write(bytes({ ...CHAT, max_tokens: 1, stream: true }))
      await until(socket, '[DONE]')
    }
    for (const socket of sockets) socket.write(bytes({ ...CHAT, max_tokens: 1, stream: true }))
    standStill()
    await Promise.all(sockets.map((socket) => until(socket, '[DONE]')))
    const { requests, total } = server.ledger.snapshot()
    const waits = requests.slice(2).map(({ waited }) => waited)
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(STOOD_MS)
    expect(total.late).toBeGreaterThanOrEqual(2)
    expect(total.worstMs).toBeGreaterThanOrEqual(STOOD_MS)
    for (const socket of sockets) socket.destroy()
  })

  test('says so of those on connections that were opened meanwhile, every one', async () => {
    await open({ ttftMs: 1 })
    const count = 20
    const shared = new Int32Array(new SharedArrayBuffer(4))
    const request = bytes({ ...CHAT, max_tokens: 1, stream: true })
    // Opens connections and sends a request on each; counts what the kernel has taken.
    const program = `
      const { connect } = require('node:net')
      const { port, request, count, shared } = require('node:worker_threads').workerData
      for (let i = 0; i < count; i++) {
        const socket = connect(port, '127.0.0.1', () => socket.write(request, () => {
          if (Atomics.add(shared, 0, 1) + 1 === count) Atomics.notify(shared, 0)
        }))
        socket.resume()
      }`
    const workerData = { port: server.port, request, count, shared }
    const client = new Worker(program, { eval: true, workerData })
    // This loop stands still until all requests have been sent, and longer.
    for (let sent = 0; sent < count; sent = Atomics.load(shared, 0)) Atomics.wait(shared, 0, sent, 5000)
    standStill()
    await expect.poll(() => server.ledger.snapshot().requests.length).toBe(count)
    const { requests, total } = server.ledger.snapshot()
    expect(requests.filter(({ waited }) => waited < STOOD_MS)).toEqual([])
    expect(total).toMatchObject({ writes: count, late: count })
    await client.terminate()
  })
})
