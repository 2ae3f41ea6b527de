import { wireFormat } from '../client/formats.ts'
import type { Plan, Target } from '../model/plan.ts'
import { stepDurationMs, type Step } from '../model/step.ts'
import type { CheckedSpec } from './check.ts'

/** The plan of a checked spec, once its target is known. */
export function planOf(checked: CheckedSpec, target: Target): Plan {
  const { sizing: _sizing, ...plan } = checked
  return { ...plan, target }
}

/** What a plan will send in its measured steps. Null where a closed loop decides it by how fast the server is. */
export interface PlannedTotals {
  readonly requests: number | null
  /** The plan's figures times the requests; a server may stop a reply earlier. Null for api `http`, which has none. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Time for which load is offered, without warm-up and settling. */
  readonly seconds: number | null
}

/** The totals for the line that is printed before the first request. */
export function plannedTotals({ load, prompts, target }: Plan): PlannedTotals {
  const requests = sum(load.steps.map((step) => step.requests))
  const prompted = wireFormat(target.api).framing === 'none' ? null : requests
  const ms = sum(load.steps.map(stepDurationMs))
  return {
    requests,
    inputTokens: prompted === null ? null : prompted * prompts.inputTokens,
    outputTokens: prompted === null ? null : prompted * prompts.outputTokens,
    seconds: ms === null ? null : ms / 1000,
  }
}

/** Time for load processes and the embedded server to start and to end, ms (chosen). */
const START_MARGIN_MS = 60_000

/** Time between two steps, beside settling: merging and scheduling, ms (chosen). */
const STEP_MARGIN_MS = 5_000

/** Longest bound of a closed-loop step that ends after a number of requests, ms (chosen: six hours). */
const LONGEST_CLOSED_MS = 6 * 3_600_000

/** Longest time of one timer of Node, ms. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/**
 * An upper bound on the time of a whole load, ms: warm-up and all steps, each with its connecting and settling, and
 * margins. A last resort against hanging, and no estimate: every request and every wait has a closer bound of its own.
 *
 * A closed-loop step of R requests at concurrency C is bounded by ceil(R / C) times the total timeout, as if every
 * request took all of it, and by six hours: one that takes longer needs a `duration` instead. The sum is at most
 * what one timer can hold (24.8 days).
 */
export function deadlineMs({ load, warmupMs, settleMs, timeouts }: Plan): number {
  const bounds = load.steps.map((step) => offeredMs(step, timeouts.totalMs))
  if (warmupMs > 0) bounds.push(warmupMs)
  const steps = bounds.reduce((total, ms) => total + timeouts.connectMs + ms + settleMs + STEP_MARGIN_MS, 0)
  return Math.min(START_MARGIN_MS + steps, LONGEST_TIMER_MS)
}

function offeredMs(step: Step, totalMs: number): number {
  if (step.kind === 'open') return step.durationMs
  return step.durationMs ?? Math.min(Math.ceil(step.requests! / step.concurrency) * totalMs, LONGEST_CLOSED_MS)
}

/** Null when one of the figures is. */
function sum(figures: readonly (number | null)[]): number | null {
  let total = 0
  for (const figure of figures) {
    if (figure === null) return null
    total += figure
  }
  return total
}
