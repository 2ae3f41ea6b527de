/**
 * What the embedded server costs, and how punctual it is (Linux: CPU time comes from /proc).
 *
 *   npx node bench/simulator.ts [seconds per measurement]
 *
 * The client is a bare `node:net` one in this process; the servers have processes of their own. "Bare" is a server that
 * reads nothing of the request and answers with constant bytes: the least that Node's sockets allow. Compare figures
 * of one run only.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import net from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { monotonicMs } from '../src/simulator/clock.ts'
import { startSimulator } from '../src/simulator/launch.ts'
import type { SimulatorOptions } from '../src/simulator/options.ts'

const END = '\r\n0\r\n\r\n'
const WARM_UP_MS = 1500
const PROMPT = Array.from({ length: 128 }, (_, i) => `word${i % 50}`).join(' ')

if (process.argv[2] === 'bare') serveBare()
else await main(Number(process.argv[2] ?? 3) * 1000)

async function main(ms: number): Promise<void> {
  const bare = fork(import.meta.filename, ['bare'])
  const [port] = (await once(bare, 'message')) as [number]
  console.log(
    `bare server, 1 write:                ${await closedLoop({ port, pid: bare.pid!, tokens: 1, connections: 32 }, ms)}`,
  )
  bare.kill()
  for (const [title, options, tokens, connections] of [
    ['1 token:                            ', {}, 1, 32],
    ['64 tokens in one write:             ', {}, 64, 32],
    ['64 tokens 2 ms apart, 256 at a time:', { ttftMs: 2, itlMs: 2 }, 64, 256],
  ] as const) {
    const simulator = await startSimulator(options)
    const target = { port: Number(new URL(simulator.url).port), pid: simulator.pid, tokens, connections }
    console.log(`${title} ${await closedLoop(target, ms)}`)
    await simulator.close()
  }
  for (const [rate, tokens] of [
    [1000, 1],
    [1000, 64],
  ] as const) {
    console.log(await openLoop({ ttftMs: 20, itlMs: 5 }, rate, tokens, ms))
  }
}

interface Target {
  readonly port: number
  readonly pid: number
  readonly tokens: number
  readonly connections: number
}

/** Every connection sends its next request when the last was answered: CPU of the server per request and per token. */
async function closedLoop({ port, pid, tokens, connections }: Target, ms: number): Promise<string> {
  const request = requestOf(tokens)
  let done = 0
  const sockets = Array.from({ length: connections }, () =>
    connect(port, (socket) => {
      done++
      socket.write(request)
    }),
  )
  for (const socket of sockets) socket.write(request)
  await sleep(WARM_UP_MS)
  const [doneBefore, cpuBefore, start] = [done, cpuMs(pid), monotonicMs()]
  await sleep(ms)
  const [requests, cpu, elapsed] = [done - doneBefore, cpuMs(pid) - cpuBefore, monotonicMs() - start]
  for (const socket of sockets) socket.destroy()
  const perRequest = (cpu * 1000) / requests
  return `${perRequest.toFixed(1)} us/request, ${(perRequest / tokens).toFixed(2)} us/token at ${Math.round((requests / elapsed) * 1000)} req/s`
}

/** Requests at a constant rate: how far behind plan the server's writes were, by its own ledger. */
async function openLoop(options: Partial<SimulatorOptions>, rate: number, tokens: number, ms: number): Promise<string> {
  const simulator = await startSimulator({ ...options, ledger: (rate * ms) / 1000 })
  const request = requestOf(tokens)
  const replyMs = options.ttftMs! + options.itlMs! * tokens
  const all: Socket[] = []
  const free: Socket[] = []
  const open = (): Socket => {
    const opened = connect(Number(new URL(simulator.url).port), (socket) => free.push(socket))
    all.push(opened)
    return opened
  }
  const send = async (count: number): Promise<void> => {
    const start = monotonicMs()
    for (let sent = 0; sent < count; await sleep(1)) {
      const due = Math.min(count, Math.floor(((monotonicMs() - start) * rate) / 1000))
      for (; sent < due; sent++) (free.pop() ?? open()).write(request)
    }
    await sleep(replyMs + 100)
  }
  await send((rate * WARM_UP_MS) / 1000)
  const [cpuBefore, start] = [cpuMs(simulator.pid), monotonicMs()]
  await send((rate * ms) / 1000)
  const cores = (cpuMs(simulator.pid) - cpuBefore) / (monotonicMs() - start)
  const { writes, late } = await simulator.writesBetween(start, monotonicMs())
  const { requests } = await simulator.ledger()
  for (const socket of all) socket.destroy()
  await simulator.close()
  const behind = requests.flatMap(({ planned, actual }) => actual.map((instant, i) => instant - planned[i]!))
  behind.sort((a, b) => a - b)
  const quantiles = [0.5, 0.9, 0.99, 0.999, 1].map((p) => {
    return `p${p * 100} ${behind[Math.ceil(p * behind.length) - 1]!.toFixed(3)}`
  })
  return `${rate} req/s x ${tokens} tokens: behind plan ${quantiles.join(', ')} ms; ${late} of ${writes} writes late; ${cores.toFixed(2)} cores`
}

function connect(port: number, onReply: (socket: Socket) => void): Socket {
  const buffer = Buffer.alloc(65_536)
  const callback = (bytes: number): boolean => {
    if (buffer.toString('latin1', Math.max(0, bytes - END.length), bytes) === END) onReply(socket)
    return true
  }
  const socket: Socket = net.connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer, callback } })
  return socket
}

function requestOf(tokens: number): Buffer {
  const body = JSON.stringify({
    model: 'llama-3-8b',
    messages: [{ role: 'user', content: PROMPT }],
    max_tokens: tokens,
    stream: true,
    stream_options: { include_usage: true },
  })
  return Buffer.from(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:8000\r\nconnection: keep-alive\r\n` +
      `content-type: application/json\r\nauthorization: Bearer abc\r\nx-request-id: 12-1234\r\n` +
      `content-length: ${body.length}\r\n\r\n${body}`,
  )
}

/** CPU time of a process with all its threads, ms, in steps of 10. */
function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) * 10
}

function serveBare(): void {
  const reply = `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3e8\r\n${'x'.repeat(1000)}${END}`
  const server = net.createServer({ noDelay: true }, (socket) => {
    socket.on('data', () => socket.write(reply, 'latin1'))
    socket.on('error', () => socket.destroy())
  })
  server.listen(0, '127.0.0.1', () => process.send!((server.address() as AddressInfo).port))
}
