import { expect, test } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import type { OpenStep } from '../../src/model/step.ts'
import { startSimulator } from '../../src/simulator/launch.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { type Matched, matched, offer, tokensOf } from '../client/ground-truth.ts'
import { planOf } from '../pool/plan.ts'

/**
 * Grain of the comparison of instants of two processes, ms. They read one clock, but each has taken the distance of
 * its two origins by itself (`worker/clock.ts`), good to about a microsecond.
 */
const GRAIN_MS = 0.005

/** Far beyond what a busy machine does to a process: what exceeds it is a wrong stamp, not a late one. */
const BOUND_MS = 2000

const TOKENS = 32

interface Case {
  readonly server: Partial<SimulatorOptions>
  readonly rate: number
  readonly seconds: number
  readonly api: 'openai-chat' | 'openai-completions'
  readonly stream: boolean
  /** Writes of a reply. */
  readonly writes: number
  /** How long the client's loop is made to stand still in the middle of the load, ms. */
  readonly standsMs: number
}

const PACED: Case = {
  server: { ttftMs: 20, itlMs: 10 },
  rate: 150,
  seconds: 3,
  api: 'openai-chat',
  stream: true,
  writes: TOKENS,
  standsMs: 0,
}

/** The load of a case, offered by this process to a server in a process of its own. */
async function truthOf({ server, rate, seconds, stream, api, standsMs }: Case) {
  await using stack = new AsyncDisposableStack()
  const simulator = stack.adopt(await startSimulator(server), (started) => started.close())
  const steps: OpenStep[] = [{ kind: 'open', rate, durationMs: seconds * 1000, requests: rate * seconds }]
  const plan = planOf({ steps, seed: 0xbeef, prompts: { kind: 'synthetic', inputTokens: 16, outputTokens: TOKENS } })
  const path = api === 'openai-chat' ? 'chat/completions' : 'completions'
  const target: Plan['target'] = { ...plan.target, api, stream, url: `${simulator.url}/${path}` }
  const timer = setTimeout(() => standStill(standsMs), seconds * 500)
  stack.defer(() => clearTimeout(timer))
  const { received, recording } = await offer({ ...plan, target })
  const ledger = await simulator.ledger()
  return { received, recording, ledger, pairs: matched(ledger, received) }
}

function standStill(ms: number): void {
  const until = hostNow() + ms
  while (hostNow() < until);
}

/** Requests of which something does not hold: their ids, so that a failure names them. */
function without(pairs: readonly Matched[], holds: (pair: Matched) => boolean): (string | null)[] {
  return pairs.filter((pair) => !holds(pair)).map(({ served }) => served.id)
}

/** Whether `to` is an instant after `from`, and not long after. */
function follows(from: number, to: number): boolean {
  return to - from >= -GRAIN_MS && to - from <= BOUND_MS
}

test.each<[name: string, of: Case]>([
  ['streams, each token its own write', PACED],
  ['the same to a client that stands still for 200 ms', { ...PACED, standsMs: 200 }],
  [
    'streams of the completions API, with jitter',
    { ...PACED, api: 'openai-completions', server: { ttftMs: 20, itlMs: 5, jitter: 0.5 }, seconds: 1 },
  ],
  [
    'streams that are written in one piece',
    { ...PACED, server: { ttftMs: 5, itlMs: 0 }, rate: 300, seconds: 1, writes: 1 },
  ],
  [
    'replies that do not stream',
    { ...PACED, server: { ttftMs: 5, itlMs: 1 }, rate: 200, seconds: 1, stream: false, writes: 1 },
  ],
  // 4 slots carry 4 / (20 + 31 x 2) ms = 49 req/s: at most 53 of the 100 have started when the last arrives.
  [
    'streams that wait in line for a slot',
    { ...PACED, server: { ttftMs: 20, itlMs: 2, slots: 4 }, rate: 100, seconds: 1 },
  ],
])("the server's ledger and the client's records agree: %s", { timeout: 60_000 }, async (_, of) => {
  const { received, recording, ledger, pairs } = await truthOf(of)
  const requests = of.rate * of.seconds

  // Counts: every request once on either side, whole, and with the tokens and words that the server counted.
  expect([ledger.requests.length, received.length, pairs.length]).toEqual([requests, requests, requests])
  expect(new Set(received.map(({ id }) => id)).size).toBe(requests)
  expect(recording.counts).toMatchObject({ planned: requests, sent: requests, completed: requests })
  expect(recording.outputTokens).toBe(requests * TOKENS)
  expect(ledger.total.writes).toBe(requests * of.writes)
  for (const { served, received } of pairs) {
    expect(served).toMatchObject({ ended: 'complete', outputTokens: TOKENS })
    expect(served.actual).toHaveLength(of.writes)
    expect(received).toMatchObject({ failure: null, streamed: of.stream, usage: true, outputTokens: TOKENS })
    expect(received.inputTokens).toBe(served.promptTokens)
  }

  // Order: the reads of a request come one after the other, and bring every token once.
  const ascending = ({ received: { readAt } }: Matched) => readAt.every((at, i) => i === 0 || at > readAt[i - 1]!)
  expect(without(pairs, ascending)).toEqual([])
  expect(without(pairs, (pair) => tokensOf(pair).length === TOKENS)).toEqual([])

  // Instants: nothing is sent before it is due, arrives before it was sent, or is read before it was written.
  expect(without(pairs, ({ received }) => follows(received.scheduled, received.sent))).toEqual([])
  expect(without(pairs, ({ served, received }) => follows(received.sent, served.arrived))).toEqual([])
  const read = (pair: Matched) => tokensOf(pair).every(({ writtenAt, readAt }) => follows(writtenAt, readAt))
  expect(without(pairs, read)).toEqual([])
  expect(without(pairs, ({ served, received }) => follows(served.actual.at(-1)!, received.ended))).toEqual([])

  // The cases are what they say they are.
  const waited = pairs.filter(({ served }) => served.started! > served.arrived)
  expect(waited.length >= 40).toBe(of.server.slots !== undefined)
  const together = pairs.filter(({ received }) => received.readEvents.some((events) => events > 1 && events < TOKENS))
  if (of.standsMs > 0) expect(together.length).toBeGreaterThan(0)
})
