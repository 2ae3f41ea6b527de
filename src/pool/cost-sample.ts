import { DEFAULT_LIMITS } from '../model/plan.ts'
import type { StepRun } from '../model/profile.ts'

/** Share of the reads that must still bring one token alone: below, null server or loop was late and they came together. */
const LEAST_SINGLE = 0.8

/** What one step of a calibration says. */
export interface CostSample {
  /** Requests offered per second. */
  readonly rate: number
  /** Utilisation of the load process's loop. */
  readonly rho: number
  /** Loop time of one whole reply, ms. */
  readonly replyMs: number
  /** Loop time of the event whose cost is sought, ms. */
  readonly eventMs: number
  /** Why the figures must not be used; null for a sound step. */
  readonly fault: string | null
}

/** Every arrival costs a send and a read of the reply that follows at once. */
export function requestSample(run: StepRun): CostSample {
  const { rho, loopMs, fault } = loopOf(run)
  const ms = loopMs / run.record.counts.sent
  return { rate: rateOf(run), rho, replyMs: ms, eventMs: ms, fault }
}

/**
 * What the loop did beyond the requests themselves, over the reads that brought a token and were not a reply's first.
 * Counted while load was offered, as the utilisation is: streams that end later do not distort it.
 */
export function tokenSample(run: StepRun, tokens: number, requestMs: number): CostSample {
  const { rho, loopMs, events, fault } = loopOf(run)
  const { sent, completed } = run.record.counts
  const ms = (loopMs - sent * requestMs) / (events - 2 * sent)
  const single = run.record.latency.icl.count / (completed * (tokens - 1))
  const merged = single < LEAST_SINGLE ? 'tokens came together, since null server or loop was late' : null
  const senseless = ms > 0 && Number.isFinite(ms) ? null : 'the reads of tokens cost nothing that can be told'
  return {
    rate: rateOf(run),
    rho,
    replyMs: requestMs + (tokens - 1) * ms,
    eventMs: ms,
    fault: fault ?? merged ?? senseless,
  }
}

function loopOf({ audits, record, step }: StepRun): {
  rho: number
  loopMs: number
  events: number
  fault: string | null
} {
  const { rhoMean, elapsedMs, events, stallMs } = audits[0]!
  const { planned, completed } = record.counts
  const loopMs = rhoMean * elapsedMs
  let fault: string | null = null
  if (completed < planned) fault = `${planned - completed} of ${planned} requests got no reply`
  else if (stallMs > DEFAULT_LIMITS.stallMs) fault = `the load process stood still for ${Math.round(stallMs)} ms`
  else if (step.durationMs !== null && elapsedMs < step.durationMs / 2) fault = 'the step was cut short'
  return { rho: rhoMean, loopMs, events, fault }
}

function rateOf({ record, durationMs }: StepRun): number {
  return (record.counts.planned * 1000) / durationMs
}
