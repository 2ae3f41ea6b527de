import type { Objectives } from './metric.ts'
import type { Load } from './step.ts'

/**
 * A checked spec: all that the load processes and the analysis need, plain data, every default filled in.
 * It crosses process borders and is never checked again.
 */
export interface Plan {
  /** Name of the `slo`. */
  readonly name: string
  /** Path of the spec file relative to the project root, with forward slashes. */
  readonly spec: string
  /** Unsigned 32-bit seed of schedule and prompts. */
  readonly seed: number
  readonly target: Target
  readonly load: Load
  readonly arrivals: ArrivalKind
  readonly prompts: Prompts
  readonly objectives: Objectives
  /** Goodput ratio wanted, in (0, 1]. */
  readonly attainment: number
  /** Number of load processes, at least 1. */
  readonly workers: number
  /** Length of the warm-up at the first step's load, ms; 0 for none. */
  readonly warmupMs: number
  /** Longest wait for replies after a step, ms; 0 runs the steps back to back. */
  readonly settleMs: number
  readonly timeouts: Timeouts
  /** Most requests in flight over all load processes. */
  readonly maxInFlight: number
  readonly limits: Limits
}

export type ArrivalKind = 'poisson' | 'constant'

/** Methods of HTTP that a target of api `http` may ask with; every other api asks with `POST`. */
export const HTTP_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS'] as const
export type HttpMethod = (typeof HTTP_METHODS)[number]

/** Where the requests go. Holds secrets: never print or store it as it is (see `PublicTarget`). */
export interface Target {
  readonly api: string
  readonly method: HttpMethod
  /** Full endpoint, for example `http://host:8000/v1/chat/completions`. */
  readonly url: string
  readonly model: string | null
  /** Header names in lower case, authorisation included. */
  readonly headers: Readonly<Record<string, string>>
  /** Fields laid over the request body; of api `http` the whole body, null for none. */
  readonly body: Readonly<Record<string, unknown>> | null
  readonly stream: boolean
  /** Whether the server is asked to go on after its end token, until all output tokens are there. */
  readonly ignoreEos: boolean
  /** Statuses that are a success; null for any 2xx. */
  readonly status: readonly number[] | null
  /** True when the embedded server was started for this plan. */
  readonly embedded: boolean
}

/** What may be shown of a target: no header value, no user info, no query. */
export interface PublicTarget {
  readonly api: string
  readonly url: string
  readonly model: string | null
  readonly headers: readonly string[]
  readonly stream: boolean
  readonly embedded: boolean
}

/** What is asked. An open union: more sources will come. */
export type Prompts = SyntheticPrompts

export interface SyntheticPrompts {
  readonly kind: 'synthetic'
  /** Approximate number of input tokens: the words are chosen to be one token each in common vocabularies. */
  readonly inputTokens: number
  /** `max_tokens` of every request. */
  readonly outputTokens: number
}

/** Bounds on one request, ms each. A breach counts as timed out, in its phase. */
export interface Timeouts {
  readonly connectMs: number
  readonly firstByteMs: number
  readonly idleMs: number
  readonly totalMs: number
}

/** Limits of the client's own health; beyond them a step is void. Defaults and reasons: docs/metrics.md. */
export interface Limits {
  /** Utilisation of a load process's event loop from which a second counts as busy (0.85). */
  readonly rho: number
  /** Share of a process's seconds that may be busy before the step is void (0.1), and never fewer than two seconds. */
  readonly busySeconds: number
  /** Longest time for which an event loop may stand still, ms (250). */
  readonly stallMs: number
  /** Send lag up to which a request counts as sent on time, ms (5). */
  readonly onTimeMs: number
}

/** Utilisation of a load process's event loop that a pool is sized for: twice the load still is below the limit. */
export const SIZING_RHO = 0.5

export const DEFAULT_LIMITS: Limits = { rho: 0.85, busySeconds: 0.1, stallMs: 250, onTimeMs: 5 }
