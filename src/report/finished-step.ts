import type { StepRun } from '../model/profile.ts'
import { stepLabel } from '../model/step.ts'
import { counted, digits, percent } from './digits.ts'
import { printable } from './text.ts'

/** A step that is over, as one permanent line tells it. Latencies in ms, null where there is none; rates per second. */
export interface FinishedStep {
  readonly slo: string
  readonly label: string
  readonly offered: number | null
  readonly achieved: number | null
  /** Null where it applies to none of the replies. */
  readonly ttft: { readonly p50: number | null; readonly p99: number | null } | null
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
    ...(ttft === null ? [] : [`TTFT ${digits(ttft.p50)}/${digits(ttft.p99)} ms`]),
    `E2E ${digits(e2e.p50)}/${digits(e2e.p99)} ms (p50/p99)`,
    `${counted(errors.count, 'error')}${share}`,
  ]
  return printable(`slo ${step.slo}: ${step.label}: ${figures.join(', ')}`)
}

/**
 * A step's line is printed before the analysis knows its ramp: its rates are over the whole step, without the replies
 * that came while it drained.
 */
export function finishedStep(slo: string, { step, record, durationMs, bins }: StepRun): FinishedStep {
  const { planned, completed } = record.counts
  const inTime = bins.completions.slice(0, Math.round(durationMs / bins.widthMs)).reduce((sum, count) => sum + count, 0)
  const perSecond = (count: number) => (durationMs > 0 ? (count * 1000) / durationMs : null)
  const errors = planned - completed
  const of = (metric: 'ttft' | 'e2e') => {
    const distribution = record.latency[metric]
    const rank = (percent: number) => Math.ceil((distribution.count * percent) / 100)
    return { p50: distribution.valueAtRank(rank(50)), p99: distribution.valueAtRank(rank(99)) }
  }
  return {
    slo,
    label: stepLabel(step),
    offered: perSecond(planned),
    achieved: perSecond(inTime),
    ttft: record.latency.ttft.count === 0 && record.notApplicable.ttft > 0 ? null : of('ttft'),
    e2e: of('e2e'),
    errors: { count: errors, ratio: planned === 0 ? null : errors / planned },
  }
}

function perSecond(rate: number | null): string {
  return rate === null ? '-' : `${digits(rate)}/s`
}
