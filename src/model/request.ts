/**
 * One request's life, as the client saw it. Instants are ms on the monotonic clock of the host (`process.hrtime`),
 * which all processes of one host share.
 */

/** Why a request got no successful reply. A closed union: every failure has exactly one kind. */
export const FAILURE_KINDS = [
  'refused',
  'connect',
  'dns',
  'tls',
  'http',
  'timeout-connect',
  'timeout-first-byte',
  'timeout-idle',
  'timeout-total',
  'reset',
  'stream-error',
  'truncated',
  'empty',
  'bad-payload',
  'client',
  'aborted',
  'unsent',
] as const
export type FailureKind = (typeof FAILURE_KINDS)[number]

/** What each kind means, for reports and messages. */
export const FAILURE_LABEL: Readonly<Record<FailureKind, string>> = {
  refused: 'connection refused',
  connect: 'connection failed',
  dns: 'host name not resolved',
  tls: 'TLS failed',
  http: 'HTTP status',
  'timeout-connect': 'timed out connecting',
  'timeout-first-byte': 'timed out before the first byte',
  'timeout-idle': 'timed out between bytes',
  'timeout-total': 'timed out in total',
  reset: 'connection reset',
  'stream-error': 'error inside the stream',
  truncated: 'stream ended without its end mark',
  empty: 'reply without output',
  'bad-payload': 'reply not understood',
  client: 'client out of descriptors or ports',
  aborted: 'still in flight when the step had settled',
  unsent: 'not sent: as many in flight as maxInFlight allows',
}

export interface Failure {
  readonly kind: FailureKind
  /** HTTP status, for kind `http`. */
  readonly status?: number
  /** One line for people, secrets removed. */
  readonly message: string
}

export type Outcome = 'completed' | 'failed' | 'timed-out' | 'aborted'

/** Outcome that a failure kind counts as. `unsent` never was sent and has none. */
export function outcomeOf(kind: FailureKind): Exclude<Outcome, 'completed'> {
  if (kind.startsWith('timeout-')) return 'timed-out'
  return kind === 'aborted' ? 'aborted' : 'failed'
}

/**
 * What the client knows of one sent request when it has ended. Valid only during the call that hands it over:
 * the reads' arrays are scratch memory of the connection and are used again.
 */
export interface Trace {
  /** Index of the step in which it was scheduled; -1 is the warm-up. */
  readonly step: number
  /** Index within the step's schedule. */
  readonly index: number
  readonly scheduled: number
  readonly sent: number
  /** Instant at which the request was over: reply complete, or failed. */
  readonly ended: number
  /** Null for a successful reply. */
  readonly failure: Failure | null
  /** Whether the reply came as a stream; if not, only E2E and NTPOT apply. */
  readonly streamed: boolean
  /** First generated token of any channel; NaN when there was none. */
  readonly firstToken: number
  /** First visible text; NaN when there was none. */
  readonly firstVisible: number
  /** Last generated token of any channel; NaN when there was none. */
  readonly lastToken: number
  /** Output tokens: the server's usage, else content events. 0 when nothing was generated, or is not known (`http`). */
  readonly outputTokens: number
  /** Input tokens by the server's usage, else the plan's figure. */
  readonly inputTokens: number
  /** Whether output tokens are exact: the server's count, or events of a format that has one for each token. */
  readonly usage: boolean
  /** Number of socket reads that brought content; the first `reads` elements of the two arrays below are valid. */
  readonly reads: number
  /** Stamp of each of these reads, ascending. */
  readonly readAt: Float64Array
  /** Content events that each of these reads brought, at least 1. */
  readonly readEvents: Float64Array
  /** Longest time for which each of these reads' bytes may have lain unread in this process, ms, as far as it knows. */
  readonly readDelay: Float64Array
  /** The same of the read that brought the first visible text; meaningless where there was none. */
  readonly firstVisibleDelay: number
}
