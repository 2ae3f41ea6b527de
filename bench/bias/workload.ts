import { seededRandom } from '../../src/arrivals/random.ts'
import { schedule } from '../../src/arrivals/schedule.ts'
import { wireFormat } from '../../src/client/formats.ts'

/** What one run offers, the same to every client. */
export interface Workload {
  /** Arrivals per second. */
  readonly rate: number
  readonly seconds: number
  /** Tokens of every reply. */
  readonly tokens: number
  /** Artificial work of the client for each token it has read, ms. */
  readonly workMs: number
  /** Seed of the arrivals. */
  readonly seed: number
}

const INPUT_TOKENS = 128

/** Path that completes a server's base URL. */
export const PATH = '/chat/completions'

export const HEADERS = { 'content-type': 'application/json' }

/** The body that other clients send: as long as vitest-slo's, always the same. */
export function requestBody(tokens: number): string {
  const prompt = Array<string>(INPUT_TOKENS).fill('word').join(' ')
  const fields = wireFormat('openai-chat').fields({ model: 'sample', prompt, outputTokens: tokens, stream: true })
  return JSON.stringify(fields)
}

/** When the requests are due, ms from the start: the very instants that vitest-slo would choose for its first step. */
export function dueOffsets({ rate, seconds, seed }: Workload): Float64Array {
  const step = { kind: 'open', rate, durationMs: seconds * 1000, requests: Math.round(rate * seconds) } as const
  return schedule(step, 'poisson', seededRandom(seed, 1))
}
