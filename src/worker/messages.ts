import type { HistogramData } from '../metrics/histogram.ts'
import type { RecordingData } from '../metrics/recording.ts'
import type { SecondDelta } from '../metrics/series.ts'
import type { Failure } from '../model/request.ts'
import type { Plan } from '../model/plan.ts'
import type { WorkerAudit } from '../model/audit.ts'
import type { Step } from '../model/step.ts'

/** What a load process is told when it starts: which share of the plan is its own. */
export interface Setup {
  readonly worker: number
  readonly workers: number
  readonly plan: Plan
}

/** Steps that follow one another without a pause; the load drains after the last one. */
export interface Segment {
  readonly number: number
  readonly steps: readonly SegmentStep[]
  /** Longest wait for replies after the last step, ms. */
  readonly settleMs: number
}

export interface SegmentStep {
  /** Index in the plan; -1 is the warm-up. */
  readonly index: number
  readonly step: Step
  /** Start within the segment, ms. */
  readonly atMs: number
  /** Number of the step's first prompt: prompts are numbered over the whole run, so that none repeats. */
  readonly firstPrompt: number
}

/** Parent to load process. */
export type Command =
  /** Make ready for a segment: compute its schedule, and have `connections` open. */
  | { readonly kind: 'prepare'; readonly segment: Segment; readonly connections: number }
  | { readonly kind: 'segment'; readonly segment: Segment; readonly startAt: number }
  | { readonly kind: 'stop' }
  | { readonly kind: 'end' }

/**
 * Load process to parent. Numbered from 0 without gaps, so that a message that comes twice (as it may over a queue
 * between hosts) is seen and changes nothing.
 */
export type Message = Numbered<
  | { readonly kind: 'ready'; readonly pid: number }
  | { readonly kind: 'prepared'; readonly connections: number; readonly failure: Failure | null }
  | { readonly kind: 'second'; readonly step: number; readonly delta: SecondDelta }
  | { readonly kind: 'drained'; readonly segment: number; readonly results: readonly StepResult[] }
>

type Numbered<M> = M & { readonly channel: typeof CHANNEL; readonly worker: number; readonly sequence: number }

/** Marks our messages among those of the process pool. */
export const CHANNEL = 'vitest-slo'

/** What one load process has of one step. */
export interface StepResult {
  readonly index: number
  readonly recording: RecordingData
  readonly audit: WorkerAuditData
  /** Instant at which its last request of the step was due or, in a closed loop, its last slot ended; host clock, ms. */
  readonly offeredUntil: number
}

/** A load process's audit of a step as plain data; send lag, canaries and unsent requests are in the recording. */
export interface WorkerAuditData extends Omit<WorkerAudit, 'sendLag' | 'unsent' | 'position' | 'canary'> {
  readonly position: HistogramData
}

/** Whether a message that came over a process's channel is one of ours. */
export function isMessage(value: unknown): value is Message {
  return typeof value === 'object' && value !== null && 'channel' in value && value.channel === CHANNEL
}
