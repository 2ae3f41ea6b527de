import { Recording } from '../metrics/recording.ts'
import type { Plan } from '../model/plan.ts'
import type { RunningClosedLoop } from './closed-loop.ts'
import type { SegmentStep, StepResult, WorkerAuditData } from './messages.ts'

/** Bins that cover a step of known length; 200 resolve a ramp of half a percent of the step. */
const BINS = 200
/** Bin width where a number of requests ends the step, ms. */
const OPEN_ENDED_BIN_MS = 100

/** One step under way in a load process. */
export interface RunningStep {
  readonly at: SegmentStep
  /** Start, host clock, ms. */
  readonly startAt: number
  /** End of offering, host clock, ms; null while a number of requests decides it. */
  readonly endAt: number | null
  readonly recording: Recording
  /** Told of every end while the step is a closed loop. */
  closed: RunningClosedLoop | null
  /** Instant until which load was offered, host clock, ms. */
  offeredUntil: number
  /** Most requests in flight at a time. */
  mostInFlight: number
  audit: WorkerAuditData | null
}

/** A step that begins at `startAt` (host clock, ms), with nothing recorded yet. */
export function beginStep(plan: Plan, at: SegmentStep, startAt: number): RunningStep {
  const { durationMs } = at.step
  const bins = durationMs === null ? { binMs: OPEN_ENDED_BIN_MS, bins: 1 } : { binMs: durationMs / BINS, bins: BINS }
  const recording = new Recording({
    startMs: startAt,
    ...bins,
    objectives: plan.objectives,
    onTimeMs: plan.limits.onTimeMs,
  })
  const endAt = durationMs === null ? null : startAt + durationMs
  return { at, startAt, endAt, recording, closed: null, offeredUntil: startAt, mostInFlight: 0, audit: null }
}

/** What the parent gets of a step that is over. */
export function resultOf({ at, recording, audit, offeredUntil }: RunningStep): StepResult {
  if (audit === null) throw new Error(`step ${at.index} is not over yet`)
  return { index: at.index, recording: recording.toData(), audit, offeredUntil }
}
