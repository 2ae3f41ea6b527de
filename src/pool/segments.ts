import type { Plan } from '../model/plan.ts'
import type { Step } from '../model/step.ts'
import type { Segment, SegmentStep } from '../worker/messages.ts'

/** Prompts set aside for a closed loop that time ends: how many it will send nobody knows. */
const PROMPTS_OF_TIMED_CLOSED_LOOP = 2 ** 24

/** The warm-up as a segment: the first step's load for `warmupMs`, drained, never counted. Null for none. */
export function warmupSegment(plan: Plan): Segment | null {
  const first = plan.load.steps[0]
  if (plan.warmupMs === 0 || first === undefined) return null
  const step: Step =
    first.kind === 'open'
      ? {
          kind: 'open',
          rate: first.rate,
          durationMs: plan.warmupMs,
          requests: Math.max(1, Math.round((first.rate * plan.warmupMs) / 1000)),
        }
      : { kind: 'closed', concurrency: first.concurrency, durationMs: plan.warmupMs, requests: null }
  return { number: 0, steps: [{ index: -1, step, atMs: 0, firstPrompt: 0 }], settleMs: plan.settleMs }
}

/**
 * The measured steps as segments, numbered from 1. With a settle time every step is one, since a step begins with
 * nothing in flight; without (`settle: 0`) steps follow back to back up to one whose end only its requests decide.
 * Prompts are numbered through, after the warm-up's.
 */
export function segmentsOf(plan: Plan): Segment[] {
  const segments: Segment[] = []
  const warmup = warmupSegment(plan)
  let firstPrompt = warmup === null ? 0 : promptsOf(warmup.steps[0]!.step)
  let steps: SegmentStep[] = []
  let atMs = 0
  for (const [index, step] of plan.load.steps.entries()) {
    steps.push({ index, step, atMs, firstPrompt })
    firstPrompt += promptsOf(step)
    atMs += step.durationMs ?? 0
    const last = index === plan.load.steps.length - 1
    if (plan.settleMs > 0 || step.durationMs === null || last) {
      segments.push({ number: segments.length + 1, steps, settleMs: plan.settleMs })
      steps = []
      atMs = 0
    }
  }
  return segments
}

function promptsOf(step: Step): number {
  return step.requests ?? PROMPTS_OF_TIMED_CLOSED_LOOP
}
