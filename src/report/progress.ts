import type { Plan } from '../model/plan.ts'
import { trim } from '../model/units.ts'
import type { PlannedTotals } from '../spec/plan.ts'
import { publicTarget } from '../spec/target.ts'
import { counted, digits, percent } from './digits.ts'
import { clip, printable } from './text.ts'

/** Where a run is. */
export interface Progress {
  readonly slo: string
  /** 0 for the first step. */
  readonly stepIndex: number
  readonly steps: number
  /** `20 req/s` or `concurrency 16`. */
  readonly label: string
  readonly phase: 'warm-up' | 'load' | 'settle'
  /** ms since the step (or the warm-up) began. */
  readonly elapsedMs: number
  /** ms for which it offers load; null when a number of requests ends it. */
  readonly durationMs: number | null
  /** Arrivals per second in the last second; null before there was one. */
  readonly rate: number | null
  readonly inFlight: number
  /** In this step so far. */
  readonly errors: number
}

/** One line for a terminal that repaints it: slo, step, phase, time, rate, in flight, errors; never wider than `width`. */
export function progressLine(progress: Progress, width: number): string {
  const { slo, stepIndex, steps, label, phase, elapsedMs, durationMs, rate, inFlight, errors } = progress
  const of = durationMs === null ? '' : `/${inSeconds(durationMs)}`
  const parts = [
    phase === 'warm-up' ? label : `step ${stepIndex + 1}/${steps} ${label}`,
    phase === 'settle'
      ? `settle ${inSeconds(elapsedMs - (durationMs ?? 0))} s`
      : `${phase} ${inSeconds(elapsedMs)}${of} s`,
    `${rate === null ? '-' : trim(rate)} req/s`,
    `${inFlight} in flight`,
    counted(errors, 'error'),
  ]
  const rest = `  ${parts.join('  ')}`
  const name = clip(printable(slo), Math.max(8, width - rest.length))
  return clip(name + rest, width)
}

/** A step that is over, as one permanent line tells it. Latencies in ms, null where there is none; rates per second. */
export interface FinishedStep {
  readonly slo: string
  readonly label: string
  readonly offered: number | null
  readonly achieved: number | null
  readonly ttft: { readonly p50: number | null; readonly p99: number | null }
  readonly e2e: { readonly p50: number | null; readonly p99: number | null }
  readonly errors: { readonly count: number; readonly ratio: number | null }
}

/** The permanent line of a finished step, where nothing can be repainted (CI):
 * `slo chat: 20 req/s: offered 20.0/s, achieved 19.8/s, TTFT 25.1/97.3 ms, E2E 421/895 ms (p50/p99), 0 errors`.
 */
export function stepLine(step: FinishedStep): string {
  const { offered, achieved, ttft, e2e, errors } = step
  const share = errors.count === 0 ? '' : ` (${percent(errors.ratio)})`
  const figures = [
    `offered ${perSecond(offered)}`,
    `achieved ${perSecond(achieved)}`,
    `TTFT ${digits(ttft.p50)}/${digits(ttft.p99)} ms`,
    `E2E ${digits(e2e.p50)}/${digits(e2e.p99)} ms (p50/p99)`,
    `${counted(errors.count, 'error')}${share}`,
  ]
  return printable(`slo ${step.slo}: ${step.label}: ${figures.join(', ')}`)
}

/** The line before the first request: what will be sent, how long, where to, by how many processes, from which seed. */
export function planLine(totals: PlannedTotals, plan: Plan): string {
  const { requests, outputTokens, seconds } = totals
  const tokens = outputTokens === null ? '' : ` (${counted(outputTokens, 'output token')} at most)`
  const sent = requests === null ? 'as many requests as the server answers' : counted(requests, 'request') + tokens
  const time = seconds === null ? '' : ` over ${trim(seconds)} s`
  const parts = [
    `${sent}${time} to ${publicTarget(plan.target).url}`,
    counted(plan.workers, 'load process', 'load processes'),
    `seed ${plan.seed}`,
  ]
  return printable(`slo ${plan.name}: ${parts.join(', ')}`)
}

function perSecond(rate: number | null): string {
  return rate === null ? '-' : `${digits(rate)}/s`
}

function inSeconds(ms: number): string {
  return trim(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000))
}
