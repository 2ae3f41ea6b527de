import { machineWarnings } from '../analysis/machine.ts'
import type { Machine } from '../model/machine.ts'
import type { Plan } from '../model/plan.ts'
import { trim } from '../model/units.ts'
import type { PlannedTotals } from '../spec/plan.ts'
import { publicTarget } from '../spec/target.ts'
import type { Sizing } from '../spec/workers.ts'
import { counted } from './digits.ts'
import { shortfallText, sizedBy } from './sizing.ts'
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

/**
 * The lines before the first request: what will be sent, how long, where to, by how many load processes, from which
 * seed; where that is more than those load processes can offer, that it is, and what to do; and what is wrong with
 * the machine as a place to measure from.
 */
export function planLines(totals: PlannedTotals, plan: Plan, sizing: Sizing, machine: Machine): string[] {
  const { requests, outputTokens, seconds } = totals
  const tokens = outputTokens === null ? '' : ` (${counted(outputTokens, 'output token')} at most)`
  const sent = requests === null ? 'as many requests as the server answers' : counted(requests, 'request') + tokens
  const time = seconds === null ? '' : ` over ${trim(seconds)} s`
  const parts = [
    `${sent}${time} to ${publicTarget(plan.target).url}`,
    counted(plan.workers, 'load process', 'load processes') + sizedBy(plan, sizing),
    `seed ${plan.seed}`,
  ]
  const shortfall = shortfallText(sizing, plan.workers, plan.limits.rho)
  const lines = [parts.join(', '), shortfall, ...machineWarnings(machine)]
  return lines.filter((line) => line !== null).map((line) => printable(`slo ${plan.name}: ${line}`))
}

function inSeconds(ms: number): string {
  return trim(ms < 10_000 ? Math.round(ms / 100) / 10 : Math.round(ms / 1000))
}
