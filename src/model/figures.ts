import type { Metric, SentMetric } from './metric.ts'
import type { Quantity } from './quantity.ts'
import type { FailureKind } from './request.ts'
import type { Saturation } from './profile.ts'
import type { Step } from './step.ts'

/** One statistic of every latency metric. */
export interface Latencies extends Readonly<Record<Metric, Quantity<'ms'>>> {
  /** The same from the sent instant, where it depends on it: without the client's own lateness. */
  readonly fromSent: Readonly<Record<SentMetric, Quantity<'ms'>>>
}

/** All figures of one step, or of all measured steps of a declared list together. */
export interface Figures {
  readonly p50: Latencies
  readonly p75: Latencies
  readonly p90: Latencies
  readonly p95: Latencies
  readonly p99: Latencies
  readonly p999: Latencies
  readonly mean: Latencies
  readonly min: Latencies
  readonly max: Latencies
  /** Any percentile in (0, 100), for example `percentile(99.5)`. */
  percentile(p: number): Latencies
  readonly rate: {
    /** Declared rate; its value is null in a closed loop. */
    readonly nominal: Quantity<'/s'>
    /** Arrivals per second after the ramp. */
    readonly offered: Quantity<'/s'>
    /** Successful replies per second after the ramp. */
    readonly achieved: Quantity<'/s'>
  }
  /** Of successful replies, per second after the ramp. */
  readonly throughput: {
    readonly requests: Quantity<'/s'>
    readonly inputTokens: Quantity<'/s'>
    readonly outputTokens: Quantity<'/s'>
    readonly totalTokens: Quantity<'/s'>
  }
  /** Requests that met all objectives; reading it without `objectives` throws an error that names the option. */
  readonly goodput: { readonly rate: Quantity<'/s'>; readonly ratio: Quantity<'ratio'> }
  /** (failed + timed out + aborted + unsent), and its share of all scheduled requests. */
  readonly errors: {
    readonly count: Quantity<'count'>
    readonly ratio: Quantity<'ratio'>
    readonly byKind: Readonly<Record<FailureKind, Quantity<'count'>>>
  }
}

/** Figures of one step. */
export interface StepFigures extends Figures {
  readonly index: number
  readonly label: string
  readonly step: Step
}

/** A rate that the steps bracket. */
export interface RateFigure {
  readonly rate: Quantity<'/s'>
  /** Highest rate that was carried; its value is null when none was. */
  readonly lastSustained: Quantity<'/s'>
  /** Lowest rate that was not. */
  readonly firstSaturated: Quantity<'/s'>
  readonly reached: Saturation['reached']
  readonly reason: string
}

/** The instrument's own figures: always judgeable, never corrected. */
export interface ClientFigures {
  /** Highest event-loop utilisation of one load process over one step. */
  readonly rho: Quantity<'ratio'>
  /** p99 of sent - scheduled. */
  readonly sendLag: Quantity<'ms'>
  /** Mean delay that the client added: as arrivals and canaries saw it, and as the queueing model gives it. */
  readonly bias: { readonly observed: Quantity<'ms'>; readonly modelled: Quantity<'ms'> }
  /**
   * Requests per second at which this client ends: its busiest load process would reach the limit of rho. By proportion
   * from the step in which it was busiest, so too low where it was nearly idle.
   */
  readonly limit: Quantity<'/s'>
  readonly workers: Quantity<'count'>
}

/** All that a run gives to its tests, save the report. */
export interface RunFigures extends Figures {
  readonly steps: readonly StepFigures[]
  /** The step of a declared rate or concurrency (within 0.5 %); throws an error that lists the declared ones. */
  at(declared: number | { readonly concurrency: number }): StepFigures
  readonly saturation: RateFigure
  readonly usable: RateFigure
  readonly client: ClientFigures
}
