/** One rate or concurrency held for a while. */
export type Step = OpenStep | ClosedStep

/** Open loop: arrivals never wait for replies. */
export interface OpenStep {
  readonly kind: 'open'
  /** Nominal arrival rate, requests per second; above 0. */
  readonly rate: number
  /** ms; `requests / rate` when the author gave a number of requests. */
  readonly durationMs: number
  /** Number of arrivals, at least 1: `round(rate x duration)` when the author gave a duration. */
  readonly requests: number
}

/** Closed loop: `concurrency` requests are kept in flight. One of `durationMs` and `requests` is given. */
export interface ClosedStep {
  readonly kind: 'closed'
  readonly concurrency: number
  readonly durationMs: number | null
  readonly requests: number | null
}

/** The load of a plan: a declared list of steps, or a sweep that passes the saturation point on purpose. */
export interface Load {
  readonly kind: 'list' | 'sweep'
  readonly steps: readonly Step[]
}

/** `20 req/s` or `concurrency 16`. */
export function stepLabel(step: Step): string {
  return step.kind === 'open' ? `${Number(step.rate.toPrecision(6))} req/s` : `concurrency ${step.concurrency}`
}

/** Time for which the step offers load, in ms; null when a number of requests ends a closed loop. */
export function stepDurationMs(step: Step): number | null {
  return step.durationMs
}
