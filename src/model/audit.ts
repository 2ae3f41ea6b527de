import type { Distribution } from './profile.ts'

/** One second of one load process, as it watched itself. */
export interface AuditSecond {
  /** Event-loop utilisation, 0..1. */
  readonly rho: number
  /** CPU time of the process, all its threads, in cores. */
  readonly cpu: number
  /** Pauses of the garbage collector that ended in it, in sum, ms. */
  readonly gcMs: number
  /** Of the requests that ended in it; null when none did. */
  readonly sendLagP50: number | null
  readonly sendLagP99: number | null
  readonly sendLagMax: number | null
  /** Longest wait of a read behind others of its turn of the loop, ms. */
  readonly positionMax: number
  /** Canaries read, and their mean and longest wait, ms; null when none was read. */
  readonly canaries: number
  readonly canaryMean: number | null
  readonly canaryMax: number | null
}

/** One load process over one step, as it watched itself. */
export interface WorkerAudit {
  readonly worker: number
  readonly pid: number
  /** Whole seconds of the step while load was offered. */
  readonly seconds: readonly AuditSecond[]
  /** Mean utilisation over the step. */
  readonly rhoMean: number
  /** Longest time for which the loop stood still, ms. */
  readonly stallMs: number
  /** Arrivals and reads that the loop served, for the modelled wait. */
  readonly events: number
  /** ms over which `events`, `rhoMean` and `cpuMs` were taken. */
  readonly elapsedMs: number
  /** CPU time of the process, all its threads, ms. */
  readonly cpuMs: number
  readonly gc: { readonly pauses: number; readonly totalMs: number; readonly longestMs: number }
  /** Most requests in flight at a time, and arrivals that were not sent because of `maxInFlight`. */
  readonly mostInFlight: number
  readonly unsent: number
  /** sent - scheduled of its requests. */
  readonly sendLag: Distribution
  /** How long each read waited behind others of its turn of the loop. */
  readonly position: Distribution
  /**
   * What a reply would have waited: time from the write of a byte at a random instant, by another thread over loopback,
   * to its read by the loop that reads the replies.
   */
  readonly canary: Distribution
}

/** The instrument over the whole run. */
export interface ClientAudit {
  /** Number of load processes. */
  readonly workers: number
  /** Highest mean utilisation of one load process over one step. */
  readonly rho: number
  /** p99 of the send lag over all requests, ms; null when nothing was sent. */
  readonly sendLagP99: number | null
  /** Mean delay that the client added to a reply, ms: its mean send lag and the mean wait of the canaries. */
  readonly biasObserved: number | null
  /** Mean wait at an event loop of that utilisation by Pollaczek-Khinchine, ms: a model, never a bound. */
  readonly biasModelled: number | null
  /** What the client adds to a latency, ms: percentiles of the send lag and of the canaries' wait, added. */
  readonly floor: { readonly p50: number; readonly p99: number } | null
  /**
   * Requests per second at which the busiest load process would reach the limit of rho, by proportion from the step in
   * which it was busiest. Low where rho was: an idle loop spends more on each request than a busy one.
   */
  readonly limit: number | null
}

/** What barred a step's figures from being used. */
export type Check = 'lost-requests' | 'dead-process' | 'stall' | 'rho' | 'client-failures' | 'in-flight' | 'late-server'

/** Why a step's figures must not be used. */
export interface VoidReason {
  readonly check: Check
  /** What broke, its figure, its limit and what to do, in one sentence. */
  readonly message: string
}
