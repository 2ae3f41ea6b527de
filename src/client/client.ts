import { buildConnector } from 'undici'
import type { Prompts, Target, Timeouts } from '../model/plan.ts'
import type { Failure, Trace } from '../model/request.ts'
import { Bodies } from './bodies.ts'
import type { Connection } from './connection.ts'
import { Connections } from './connections.ts'
import { shorten } from './format.ts'
import { wireFormat } from './formats.ts'
import { type Lateness, NEVER_LATE } from './lateness.ts'
import { redact, secretsOf } from './redact.ts'
import { Watch } from './timeouts.ts'
import { ScratchTrace } from './trace.ts'
import type { Wire } from './wire.ts'

export interface ClientOptions {
  readonly target: Target
  readonly prompts: Prompts
  /** Unsigned 32-bit seed of the prompts. */
  readonly seed: number
  readonly timeouts: Timeouts
  /** The clock of all stamps, in ms. */
  readonly now: () => number
  /** What the process knows of its own lateness; without it, no read counts as late. */
  readonly lateness?: Lateness
  /**
   * Takes every request that is over: called exactly once per `send`, never during it. The trace is valid only during
   * the call. It may send again.
   */
  readonly onEnd: (trace: Trace) => void
}

/** Sends requests over connections that it keeps, and tells what became of each. */
export interface Client {
  /** Requests sent whose end has not been told. */
  readonly inFlight: number
  /** Open connections. */
  readonly connections: number
  /** Socket reads so far. */
  readonly reads: number
  /**
   * Opens connections ahead, until `count` are open in total; `opened` is how many this call has opened. Gives up at
   * the first failure, and takes at most the connect timeout for each of them. Never rejects.
   */
  open(count: number): Promise<{ readonly opened: number; readonly failure: Failure | null }>
  /**
   * Sends one request at once. `sent` is stamped immediately before it is written, or, when no connection is open for
   * it, before one is opened: the time to connect is part of its latency.
   *
   * @param step Index of the step; -1 is the warm-up.
   * @param index Index within the step's schedule.
   * @param prompt Number of the prompt, from 0; with the seed it determines the text.
   * @param scheduled Instant at which the request was due, ms.
   */
  send(step: number, index: number, prompt: number, scheduled: number): void
  /** Ends everything in flight as `aborted` and closes its connections, so that the server frees its slots. */
  abort(): void
  /** Aborts, closes all connections and stops the timer. The client sends nothing afterwards. */
  close(): Promise<void>
}

/** The client of one load process for one target. */
export function createClient(options: ClientOptions): Client {
  const { target, prompts, seed, now, onEnd, lateness = NEVER_LATE } = options
  const format = wireFormat(target.api)
  const url = new URL(target.url)
  const type = target.body === null ? {} : { 'content-type': 'application/json' }
  const headers = { ...type, 'user-agent': 'vitest-slo', ...basicAuth(url), ...target.headers }
  const secrets = secretsOf({ url: target.url, headers })
  const watch = new Watch<Connection>(options.timeouts, now, lateness)
  // Traces are not bound to connections: `onEnd` may send again on the very connection whose trace it is reading.
  const spare: ScratchTrace[] = []
  let inFlight = 0

  const wire: Wire = {
    url,
    host: target.headers['host'] ?? url.host,
    format,
    method: target.method,
    status: target.status,
    bodies: new Bodies(format, target, prompts, seed),
    headers: Object.entries(headers).flat(),
    idPrefix: 'x-request-id' in headers ? null : `slo-${(seed >>> 0).toString(16)}-`,
    inputTokens: prompts.inputTokens,
    now,
    lateness,
    watch,
    connect: buildConnector({ allowH2: false, timeout: 0 }),
    reads: 0,
    onOpen: () => connections.opened(),
    onClose: (connection) => connections.closed(connection),
    onSettled: (connection, trace, failure, reusable) => {
      inFlight--
      if (reusable) connections.release(connection)
      else connections.drop(connection)
      trace.failure = failure && clean(failure)
      tell(trace)
      spare.push(trace)
    },
  }
  const connections = new Connections(wire)

  const clean = (failure: Failure): Failure => ({ ...failure, message: shorten(redact(failure.message, secrets)) })
  const tell = (trace: Trace) => {
    try {
      onEnd(trace)
    } catch (error) {
      // undici takes what its handlers throw for a failure of the request; this is one of the program.
      process.nextTick(() => {
        throw error
      })
    }
  }
  const abort = () => {
    for (const item of watch.items()) item.abort(ABORTED)
  }

  return {
    get inFlight() {
      return inFlight
    },
    get connections() {
      return connections.open
    },
    get reads() {
      return wire.reads
    },
    async open(count) {
      const { opened, failure } = await connections.openAhead(count)
      return { opened, failure: failure && clean(failure) }
    },
    send(step, index, prompt, scheduled) {
      inFlight++
      const trace = spare.pop() ?? new ScratchTrace()
      const connection = connections.take()
      trace.begin(step, index, scheduled, now())
      connection.send(trace, prompt)
    },
    abort,
    async close() {
      abort()
      watch.stop()
      await connections.close()
    },
  }
}

const ABORTED: Failure = { kind: 'aborted', message: 'still in flight when the client had to stop' }

/** User info of the URL is sent the way browsers and curl send it; an `authorization` header of the author's wins. */
function basicAuth(url: URL): Record<string, string> {
  if (url.username === '' && url.password === '') return {}
  const pair = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`
  return { authorization: `Basic ${Buffer.from(pair).toString('base64')}` }
}
