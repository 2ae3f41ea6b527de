import { createClient } from '../../src/client/client.ts'
import type { Client, ClientOptions } from '../../src/client/client.ts'
import type { Lateness } from '../../src/client/lateness.ts'
import type { Target } from '../../src/model/plan.ts'
import type { Trace } from '../../src/model/request.ts'

/** A trace that stays: the arrays are copies, cut to their valid part. */
export type KeptTrace = Trace

export interface TestClient extends AsyncDisposable {
  readonly client: Client
  /** All that `onEnd` was given, in order. */
  readonly traces: readonly KeptTrace[]
  /** Sends one request and waits for the end of one. */
  one(): Promise<KeptTrace>
  /** Waits until so many requests are over in total. */
  ended(count: number): Promise<readonly KeptTrace[]>
}

export interface Overrides {
  readonly target?: Partial<Target>
  readonly timeouts?: Partial<ClientOptions['timeouts']>
  readonly now?: () => number
  readonly lateness?: Lateness
  readonly seed?: number
  readonly onEnd?: (trace: Trace, client: Client) => void
}

/** A client of that URL that keeps what it is told. */
export function testClient(url: string, overrides: Overrides = {}): TestClient {
  const traces: KeptTrace[] = []
  const waiting = new Set<() => void>()
  const now = overrides.now ?? (() => performance.now())
  const client = createClient({
    target: {
      api: 'openai-chat',
      method: 'POST',
      url,
      model: 'llama',
      headers: {},
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
      embedded: false,
      ...overrides.target,
    },
    prompts: { kind: 'synthetic', inputTokens: 128, outputTokens: 64 },
    seed: overrides.seed ?? 1,
    timeouts: { connectMs: 5000, firstByteMs: 5000, idleMs: 5000, totalMs: 20_000, ...overrides.timeouts },
    now,
    ...(overrides.lateness && { lateness: overrides.lateness }),
    onEnd: (trace) => {
      traces.push(keep(trace))
      overrides.onEnd?.(trace, client)
      for (const check of waiting) check()
    },
  })
  const ended = (count: number) =>
    new Promise<readonly KeptTrace[]>((resolve) => {
      const check = () => {
        if (traces.length < count) return
        waiting.delete(check)
        resolve(traces)
      }
      waiting.add(check)
      check()
    })
  return {
    client,
    traces,
    ended,
    async one() {
      const count = traces.length + 1
      client.send(0, count - 1, count - 1, now())
      return (await ended(count))[count - 1]!
    },
    [Symbol.asyncDispose]: () => client.close(),
  }
}

/** Copies a trace before its arrays are used again. */
export function keep(trace: Trace): KeptTrace {
  const { step, index, scheduled, sent, ended, failure, streamed, firstToken, firstVisible, lastToken } = trace
  const { outputTokens, inputTokens, usage, reads, firstVisibleDelay } = trace
  const arrays = {
    readAt: trace.readAt.slice(0, reads),
    readEvents: trace.readEvents.slice(0, reads),
    readDelay: trace.readDelay.slice(0, reads),
  }
  const instants = { scheduled, sent, ended, firstToken, firstVisible, firstVisibleDelay, lastToken }
  return { step, index, failure, streamed, outputTokens, inputTokens, usage, reads, ...instants, ...arrays }
}
