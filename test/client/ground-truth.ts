import { seededRandom } from '../../src/arrivals/random.ts'
import { schedule } from '../../src/arrivals/schedule.ts'
import { createClient } from '../../src/client/client.ts'
import type { Recording } from '../../src/metrics/recording.ts'
import type { Plan } from '../../src/model/plan.ts'
import type { Trace } from '../../src/model/request.ts'
import type { Ledger, LedgerRequest } from '../../src/simulator/ledger.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { startMetronome } from '../../src/worker/metronome.ts'
import { runOpenLoop } from '../../src/worker/open-loop.ts'
import { beginStep } from '../../src/worker/running-step.ts'

/** What the client knew of one request. Plain data, a copy: the arrays of a trace are used again. */
export interface Received extends Pick<
  Trace,
  'scheduled' | 'sent' | 'ended' | 'failure' | 'streamed' | 'inputTokens' | 'outputTokens' | 'usage'
> {
  /** The `x-request-id` that it was sent with. */
  readonly id: string
  /** Stamps of its reads, and the content events that each brought. */
  readonly readAt: Float64Array
  readonly readEvents: Float64Array
}

/** One request as the server's ledger has it, and as the client has. */
export interface Matched {
  readonly served: LedgerRequest
  readonly received: Received
}

/**
 * Offers the plan's one open step from this process, as a load process does: metronome, open loop, client, recording.
 * Resolves when all of its requests are over, with each of them in the order of their ends.
 *
 * @param connections to open ahead
 */
export async function offer(
  plan: Plan,
  connections = 0,
): Promise<{ readonly received: Received[]; readonly recording: Recording; readonly startAt: number }> {
  const step = plan.load.steps[0]!
  if (step.kind !== 'open') throw new Error('the step must be an open loop')
  await using stack = new AsyncDisposableStack()
  const metronome = stack.adopt(await startMetronome(), (opened) => opened.close())
  const offsets = schedule(step, plan.arrivals, seededRandom(plan.seed, 1))
  const received: Received[] = []
  const over = Promise.withResolvers<void>()
  const client = createClient({
    ...plan,
    now: hostNow,
    onEnd(trace) {
      recording.record(trace)
      received.push(receivedOf(trace, plan.seed))
      if (received.length === offsets.length) over.resolve()
    },
  })
  stack.defer(() => client.close())
  const { failure } = await client.open(connections)
  if (failure !== null) throw new Error(failure.message)
  const startAt = hostNow() + 50
  const due = offsets.map((offset) => startAt + offset)
  const { recording } = beginStep(plan, { index: 0, step, atMs: 0, firstPrompt: 0 }, startAt)
  await runOpenLoop({
    due,
    metronome,
    now: hostNow,
    signal: new AbortController().signal,
    onTurn: () => undefined,
    offer(i) {
      recording.arrive(due[i]!)
      client.send(0, i, i, due[i]!)
    },
  })
  // Every request ends: the client's timeouts see to it.
  await over.promise
  return { received, recording, startAt }
}

function receivedOf(trace: Trace, seed: number): Received {
  const { index, scheduled, sent, ended, failure, streamed, inputTokens, outputTokens, usage, reads } = trace
  return {
    id: `slo-${seed.toString(16)}-${index.toString(16)}`,
    scheduled,
    sent,
    ended,
    failure,
    streamed,
    inputTokens,
    outputTokens,
    usage,
    readAt: trace.readAt.slice(0, reads),
    readEvents: trace.readEvents.slice(0, reads),
  }
}

/**
 * Pairs what the server's ledger holds with what the client knew, by id, in the ledger's order.
 *
 * @throws {Error} unless each of the two holds every request exactly once
 */
export function matched({ requests, forgotten }: Ledger, received: readonly Received[]): Matched[] {
  const byId = new Map(received.map((request) => [request.id, request]))
  const pairs = requests.map((served) => {
    const request = byId.get(served.id ?? '')
    if (request === undefined) throw new Error(`the ledger has ${served.id}, which the client has not, or once less`)
    byId.delete(request.id)
    return { served, received: request }
  })
  if (forgotten > 0) throw new Error(`the ledger has forgotten ${forgotten} requests`)
  if (received.length !== requests.length) {
    const missing = [...byId.keys()].slice(0, 3).join(', ')
    throw new Error(`the client has ${received.length} requests, the ledger ${requests.length}; it lacks ${missing}`)
  }
  return pairs
}

/** One token (or, of a reply that came in one piece, one content event) at both ends; instants in ms. */
export interface TokenInstants {
  readonly writtenAt: number
  readonly readAt: number
}

/**
 * When each content event of a reply was written and when it was read. One read may bring several writes, and one
 * write several events: event n left with write n, and with the only one where there is one.
 */
export function tokensOf({ served, received }: Matched): TokenInstants[] {
  const { readAt, readEvents } = received
  const { actual } = served
  const tokens: TokenInstants[] = []
  for (const [read, events] of readEvents.entries()) {
    for (let i = 0; i < events; i++) {
      const writtenAt = actual[Math.min(tokens.length, actual.length - 1)] ?? Number.NaN
      tokens.push({ writtenAt, readAt: readAt[read]! })
    }
  }
  return tokens
}
