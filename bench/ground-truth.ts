/**
 * How far the client's instants are from the truth: its read stamps against the instants at which the embedded server
 * wrote the same tokens, and the server's arrivals against the instants at which the client sent.
 *
 *   npx node bench/ground-truth.ts [rate] [tokens] [seconds] [inter-token latency, ms]
 *
 * Server and client have a process each; the client's is made like a load process, and its first 2 s are left out.
 * Both clocks are the host's monotonic one, good to about a microsecond. The errors hold what lies between the two
 * stamps: one `write` in the server (it stamps before it), loopback, and the wait for the client's event loop; of a
 * send, its write by undici, loopback, and the wait for the server's event loop.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { startSimulator } from '../src/simulator/launch.ts'
import { warmJit } from '../src/worker/jit.ts'
import { matched, offer, type Received, tokensOf } from '../test/client/ground-truth.ts'
import { planFor } from './offered-load.ts'

/** The compiler is still at work for so long after the load began, ms. */
const LEFT_OUT_MS = 2000

/** Compiling ahead, as a load process does, ms. */
const JIT_MS = 400

export interface TruthLoad {
  readonly rate: number
  readonly tokens: number
  /** Length of what is measured, s; `LEFT_OUT_MS` come before it. */
  readonly seconds: number
  readonly itlMs: number
}

/** A distribution of errors, ms. */
export interface ErrorFigures {
  readonly count: number
  readonly min: number
  readonly p50: number
  readonly p90: number
  readonly p99: number
  readonly max: number
}

/** Errors of the client's instants. */
export interface TruthFigures {
  /** Read stamp of each token less the instant of its write. */
  readonly tokens: ErrorFigures
  /** The same of first tokens alone. */
  readonly firstTokens: ErrorFigures
  /** Arrival at the server less the instant of sending. */
  readonly sends: ErrorFigures
}

interface ClientReport {
  readonly received: Received[]
  readonly startAt: number
}

/** Measures once; about 4 s longer than its `seconds`. Throws unless ledger and client have the same requests. */
export async function groundTruth(load: TruthLoad): Promise<TruthFigures> {
  const { rate, seconds, itlMs } = load
  const requests = Math.ceil(rate * (seconds + LEFT_OUT_MS / 1000))
  const server = await startSimulator({ ttftMs: itlMs, itlMs, ledger: requests })
  const client = fork(new URL(import.meta.url), ['client', JSON.stringify(load), server.url], {
    execArgv: process.execArgv,
    serialization: 'advanced',
  })
  try {
    const [report] = (await Promise.race([once(client, 'message'), ended(client)])) as [ClientReport]
    return figuresOf(report, await server.ledger())
  } finally {
    client.kill()
    await server.close()
  }
}

async function ended(client: ReturnType<typeof fork>): Promise<never> {
  const [code, signal] = (await once(client, 'exit')) as [number | null, string | null]
  throw new Error(`the client ended (${signal ?? `code ${code}`}) before it had measured`)
}

function figuresOf({ received, startAt }: ClientReport, ledger: Parameters<typeof matched>[0]): TruthFigures {
  const all = matched(ledger, received)
  const failed = all.find((pair) => pair.received.failure !== null)
  if (failed !== undefined) throw new Error(`a request failed: ${failed.received.failure!.message}`)
  const pairs = all.filter((pair) => pair.received.scheduled >= startAt + LEFT_OUT_MS)
  const tokens = pairs.map((pair) => tokensOf(pair).map(({ readAt, writtenAt }) => readAt - writtenAt))
  return {
    tokens: errorsOf(tokens.flat()),
    firstTokens: errorsOf(tokens.map((errors) => errors[0]!)),
    sends: errorsOf(pairs.map((pair) => pair.served.arrived - pair.received.sent)),
  }
}

function errorsOf(values: readonly number[]): ErrorFigures {
  const sorted = Float64Array.from(values).sort()
  const rank = (share: number) => Number(sorted[Math.ceil(share * sorted.length) - 1]!.toFixed(4))
  const min = Number(sorted[0]!.toFixed(4))
  return { count: sorted.length, min, p50: rank(0.5), p90: rank(0.9), p99: rank(0.99), max: rank(1) }
}

/** The client's process: offers, and sends its parent what it knew. */
async function receive({ rate, tokens, seconds, itlMs }: TruthLoad, url: string): Promise<void> {
  const total = seconds + LEFT_OUT_MS / 1000
  const plan = planFor({ rate, tokens, seconds: total, workers: 1, itlMs }, url, 1)
  await warmJit(plan, JIT_MS)
  // Little's law, and a quarter more.
  const inFlight = Math.ceil(((rate * itlMs * tokens) / 1000) * 1.25) + 8
  const { received, startAt } = await offer(plan, inFlight)
  await new Promise((resolve) => process.send!({ received, startAt } satisfies ClientReport, resolve))
}

if (process.argv[2] === 'client') await receive(JSON.parse(process.argv[3]!) as TruthLoad, process.argv[4]!)
else if (import.meta.main) {
  const [rate = 200, tokens = 32, seconds = 20, itlMs = 20] = process.argv.slice(2).map(Number)
  const { tokens: all, firstTokens, sends } = await groundTruth({ rate, tokens, seconds, itlMs })
  console.log(`${rate} req/s x ${tokens} tokens ${itlMs} ms apart, ${seconds} s; errors in ms`)
  console.table({
    'token: read - written': all,
    'first token: read - written': firstTokens,
    'send: arrived - sent': sends,
  })
}
