/**
 * CPU that the client costs, against a bare `node:net` client that reads the same replies.
 *
 *   npx node bench/client-cpu.ts [seconds per measurement] [alternations]
 *
 * Server, client and reference run in processes of their own; the two take turns, closed loop, and the median of each
 * is compared. Two loads: one-token replies that come in one piece (cost per request), and 64-token replies whose
 * tokens are written one by one, 2 ms apart (cost per read). Compare figures of one run only.
 */
import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import net from 'node:net'
import { createParser } from 'eventsource-parser'
import { createClient } from '../src/client/client.ts'
import { wireFormat } from '../src/client/formats.ts'
import type { Target } from '../src/model/plan.ts'
import { replyByToken } from '../src/worker/null-server.ts'

export interface Load {
  readonly name: string
  readonly tokens: number
  readonly connections: number
  /** Time between two tokens, ms; 0 sends the whole reply at once. */
  readonly gapMs: number
}

export interface Measured {
  readonly requests: number
  readonly reads: number
  readonly tokens: number
  readonly cpuUs: number
  readonly seconds: number
}

export const LOADS: readonly Load[] = [
  { name: '1 token, 32 connections', tokens: 1, connections: 32, gapMs: 0 },
  { name: '64 tokens, 2 ms apart, 96 connections', tokens: 64, connections: 96, gapMs: 2 },
]
/** The compiler is still at work after 2 s of the paced load, and shows as up to 1.6 times the cost per read. */
const WARM_UP_MS = 5000
const API = 'openai-chat'

const [role, ...parameters] = process.argv.slice(2)
const [, api = API, port, durationMs] = parameters
if (role === 'server') serve(loadOf(parameters), api)
else if (role === 'client') void measureClient(loadOf(parameters), api, Number(port), Number(durationMs))
else if (role === 'reference') measureReference(loadOf(parameters), Number(port), Number(durationMs))
else if (import.meta.main) await compareClient(Number(role ?? 3), Number(parameters[0] ?? 5))

/** Ratio of our client's CPU to the reference's, by load. */
export interface ClientRatio {
  readonly name: string
  readonly perRequest: number
  readonly perToken: number
}

export async function compareClient(seconds: number, alternations: number): Promise<ClientRatio[]> {
  const ratios: ClientRatio[] = []
  for (const load of LOADS) {
    const server = await startServer(load, API)
    const runs: Record<'client' | 'reference', Measured[]> = { client: [], reference: [] }
    for (let turn = 0; turn < alternations; turn++) {
      for (const name of ['client', 'reference'] as const) {
        runs[name].push(await measureOnce(name, load, API, server.port, seconds))
      }
    }
    server.stop()
    console.log(`\n${load.name}`)
    const rows = Object.entries(runs).map(([name, all]) => [name, row(all)] as const)
    console.table(Object.fromEntries(rows))
    const [client, reference] = [row(runs.client), row(runs.reference)]
    const ratio = (key: keyof typeof client) => client[key] / reference[key]
    const [perRequest, perToken] = [ratio('us/request'), ratio('us/token')]
    console.log(`client : reference = ${perRequest.toFixed(2)} per request, ${perToken.toFixed(2)} per token`)
    ratios.push({ name: load.name, perRequest, perToken })
  }
  return ratios
}

/** A server in a process of its own that answers every request with the load's reply in the api's format. */
export async function startServer(load: Load, api: string): Promise<{ readonly port: number; stop(): void }> {
  const child = start(['server', load.name, api])
  const [port] = (await once(child, 'message')) as [number]
  return { port, stop: () => void child.kill() }
}

/** What a client, ours or the reference, costs in a process of its own. */
export async function measureOnce(
  name: 'client' | 'reference',
  load: Load,
  api: string,
  port: number,
  seconds: number,
): Promise<Measured> {
  const child = start([name, load.name, api, String(port), String(seconds * 1000)])
  const [measured] = (await once(child, 'message')) as [Measured]
  child.kill()
  return measured
}

function start(args: readonly string[]): ChildProcess {
  return fork(new URL(import.meta.url), args, { execArgv: process.execArgv })
}

/** Medians. */
export function row(all: readonly Measured[]) {
  const middle = (value: (run: Measured) => number) => {
    const sorted = all.map(value).toSorted((a, b) => a - b)
    return Number(sorted[sorted.length >> 1]!.toFixed(2))
  }
  return {
    'requests/s': middle((run) => run.requests / run.seconds),
    'us/request': middle((run) => run.cpuUs / run.requests),
    'us/token': middle((run) => run.cpuUs / run.tokens),
    'reads/request': middle((run) => run.reads / run.requests),
    cores: middle((run) => run.cpuUs / run.seconds / 1e6),
  }
}

function loadOf(args: readonly string[]): Load {
  return LOADS.find((load) => load.name === args[0])!
}

/** Answers every request with the same bytes; paced replies of all connections share one timer. */
function serve(load: Load, api: string): void {
  const pieces = replyByToken(wireFormat(api), load.tokens)
  const whole = Buffer.concat(pieces)
  const streams = new Map<net.Socket, number>()
  if (load.gapMs > 0) {
    setInterval(() => {
      for (const [socket, sent] of streams) {
        socket.write(pieces[sent]!)
        if (sent + 1 < pieces.length) streams.set(socket, sent + 1)
        else streams.delete(socket)
      }
    }, load.gapMs)
  }
  const server = net.createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('close', () => streams.delete(socket))
    // The clients write each request in one piece, and wait for the reply.
    socket.on('data', () => {
      if (load.gapMs > 0) streams.set(socket, 0)
      else socket.write(whole)
    })
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as net.AddressInfo).port))
}

/** Lets the load run, and reports what the time after the warm-up has cost. */
function measure(durationMs: number, counts: () => { requests: number; reads: number; tokens: number }): void {
  setTimeout(() => {
    const before = counts()
    const cpu = process.cpuUsage()
    const started = performance.now()
    setTimeout(() => {
      const { user, system } = process.cpuUsage(cpu)
      const after = counts()
      process.send!({
        requests: after.requests - before.requests,
        reads: after.reads - before.reads,
        tokens: after.tokens - before.tokens,
        cpuUs: user + system,
        seconds: (performance.now() - started) / 1000,
      } satisfies Measured)
    }, durationMs)
  }, WARM_UP_MS)
}

async function measureClient(load: Load, api: string, port: number, durationMs: number): Promise<void> {
  let requests = 0
  let tokens = 0
  const target: Target = {
    api,
    method: 'POST',
    url: `http://127.0.0.1:${port}/v1/chat/completions`,
    model: 'sample',
    headers: {},
    body: {},
    stream: true,
    ignoreEos: false,
    status: null,
    embedded: false,
  }
  const client = createClient({
    target,
    prompts: { kind: 'synthetic', inputTokens: 128, outputTokens: load.tokens },
    seed: 1,
    timeouts: { connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 },
    now: () => performance.now(),
    onEnd: (trace) => {
      if (trace.failure !== null) throw new Error(trace.failure.message)
      requests++
      tokens += trace.outputTokens
      client.send(0, requests, requests, trace.ended)
    },
  })
  await client.open(load.connections)
  for (let index = 0; index < load.connections; index++) client.send(0, index, index, performance.now())
  measure(durationMs, () => ({ requests, reads: client.reads, tokens }))
}

/** As little as a client can do: one write, one stamp per read, chunks, events and JSON of the reply. */
function measureReference(load: Load, port: number, durationMs: number): void {
  let requests = 0
  let reads = 0
  let tokens = 0
  const prompt = Array<string>(128).fill('word').join(' ')
  const fields = wireFormat(API).fields({ model: 'sample', prompt, outputTokens: load.tokens, stream: true })
  const body = JSON.stringify(fields)
  const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`
  const request = Buffer.from(head + body)

  for (let index = 0; index < load.connections; index++) {
    const parser = createParser({ onEvent: (event) => onEvent(event.data) })
    const decoder = new TextDecoder()
    const stamps: number[] = []
    let stamp = 0
    let inBody = false
    const onEvent = (data: string) => {
      if (data === '[DONE]') return
      const chunk = JSON.parse(data) as { choices: { delta: { content?: string } }[] }
      if (!chunk.choices[0]?.delta.content) return
      tokens++
      stamps.push(stamp)
    }
    /** Chunks here are whole in a read: a client for any server would have to keep the rest of a cut one. */
    const onRead = (bytes: Buffer) => {
      stamp = performance.now()
      reads++
      let at = inBody ? 0 : bytes.indexOf('\r\n\r\n') + 4
      inBody = true
      while (at < bytes.length) {
        const line = bytes.indexOf('\r\n', at)
        const size = Number.parseInt(bytes.toString('latin1', at, line), 16)
        if (size === 0) break
        parser.feed(decoder.decode(bytes.subarray(line + 2, line + 2 + size), { stream: true }))
        at = line + 2 + size + 2
      }
      if (at >= bytes.length) return
      requests++
      inBody = false
      stamps.length = 0
      parser.reset()
      socket.write(request)
    }
    const buffer = Buffer.alloc(65536)
    const onread = {
      buffer,
      callback: (size: number) => {
        onRead(buffer.subarray(0, size))
        return true
      },
    }
    const socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread })
    socket.on('connect', () => socket.write(request))
  }
  measure(durationMs, () => ({ requests, reads, tokens }))
}
