import type { Distribution, StepRun, Window } from '../model/profile.ts'
import type { Step } from '../model/step.ts'

/** A ramp is so many times the lowest step's p95 E2E: by then a server that began empty is steady (decision of docs/metrics.md). */
const RAMP_PER_E2E = 2.5

/**
 * The run of the lowest step of a kind of loop: the one of the lowest declared rate or concurrency, the first of
 * several; undefined when there is none. Its E2E is that of the least loaded server that the run has seen.
 */
export function lowestStep(runs: readonly StepRun[], kind: Step['kind']): StepRun | undefined {
  const ofKind = runs.filter((run) => run.step.kind === kind)
  return ofKind.toSorted((a, b) => declared(a.step) - declared(b.step))[0]
}

/** Declared rate or concurrency. */
export function declared(step: Step): number {
  return step.kind === 'open' ? step.rate : step.concurrency
}

/**
 * Length of a step's ramp, ms: min(half the step, 2.5 x p95 E2E of the lowest step). 0 when that step had no
 * successful reply.
 *
 * Without a ramp a healthy server that starts empty completes less than it is offered and looks saturated.
 */
export function rampOf(run: StepRun, lowest: StepRun): number {
  const p95 = p95Of(lowest.record.latency.e2e)
  return p95 === null ? 0 : Math.min(run.durationMs / 2, RAMP_PER_E2E * p95)
}

/** p95 of samples by nearest rank, ms; null when there is none. */
export function p95Of(samples: Distribution): number | null {
  return samples.valueAtRank(Math.ceil((95 * samples.count) / 100))
}

/**
 * Counts of a step between the end of its ramp and its own end, in whole time bins: the ramp is rounded up, the end
 * down. A step that is too short for that is taken whole.
 */
export function windowOf(run: StepRun, rampMs: number): Window {
  const { bins, durationMs } = run
  const end = Math.max(1, Math.floor(durationMs / bins.widthMs + 1e-9))
  const ramp = Math.max(0, Math.ceil(rampMs / bins.widthMs - 1e-9))
  const start = ramp < end ? ramp : 0
  const sum = (counts: readonly number[]) => counts.slice(start, end).reduce((total, count) => total + count, 0)
  return {
    fromMs: start * bins.widthMs,
    toMs: Math.min(end * bins.widthMs, durationMs),
    arrivals: sum(bins.arrivals),
    completions: sum(bins.completions),
    outputTokens: sum(bins.outputTokens),
    inputTokens: sum(bins.inputTokens),
  }
}

/** Length of a window, seconds. */
export function windowSeconds(window: Window): number {
  return (window.toMs - window.fromMs) / 1000
}
