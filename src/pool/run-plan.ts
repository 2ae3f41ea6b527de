import { Recording } from '../metrics/recording.ts'
import { Series } from '../metrics/series.ts'
import { LoadError } from '../model/errors.ts'
import type { Plan } from '../model/plan.ts'
import type { Bins, StepRecord, StepRun } from '../model/profile.ts'
import { type Step, stepLabel } from '../model/step.ts'
import type { Message, Segment, SegmentStep, StepResult } from '../worker/messages.ts'
import { auditOf } from './audits.ts'
import { connectionsAhead } from './connections-ahead.ts'
import { type DeadProcess, describeDead, type LoadPool } from './load-pool.ts'
import { readCounters, usedBetween, type MachineCounters } from './machine.ts'
import { segmentsOf, warmupSegment } from './segments.ts'

/** Time for the start message to reach the processes, ms: a fixed part, and one for each process. */
const LEAD_MS = 40
const LEAD_EACH_MS = 2
/** Time between two reports of progress, ms. */
const PROGRESS_MS = 250

/** How far a running load is. */
export interface Progress {
  readonly phase: 'warm-up' | 'load' | 'settle'
  readonly index: number
  readonly steps: number
  readonly step: Step
  readonly elapsedMs: number
  readonly durationMs: number | null
  /** Arrivals in the last second; null in the first. */
  readonly rate: number | null
  /** At the end of that second; 0 before it. */
  readonly inFlight: number
  /** Errors of the step so far. */
  readonly errors: number
}

export interface RunOptions {
  readonly pool: LoadPool
  /** ms on the host's monotonic clock. */
  readonly now: () => number
  /** Ends the run at once: cancelled, or its deadline passed. */
  readonly signal: AbortSignal
  /** Writes of the embedded server between two instants; null for other targets. */
  readonly writesBetween: ((from: number, to: number) => Promise<StepRun['server']>) | null
  /** The machine's running totals; by default of this one. */
  readonly counters?: () => MachineCounters
  readonly onProgress: (progress: Progress) => void
  readonly onStep: (run: StepRun) => void
}

export interface RunResult {
  readonly runs: readonly StepRun[]
  /** All steps added. */
  readonly total: StepRecord
  /** Breaches that make the whole run invalid. */
  readonly breaches: readonly string[]
  /** Start of the first measured step, host clock, ms; null when none began. */
  readonly firstStart: number | null
}

/**
 * Runs a plan on a pool: warm-up, then segment after segment, each from an instant that all processes know ahead,
 * and merges what they recorded. Ends early, with what there is and a breach, when a process dies.
 *
 * @throws the signal's reason when it aborts
 */
export async function runPlan(plan: Plan, options: RunOptions): Promise<RunResult> {
  const { pool, signal, now, counters = readCounters } = options
  const runs: StepRun[] = []
  const records: Recording[] = []
  const deaths: string[] = []
  let firstStart: number | null = null
  let latest: Recording | null = null
  const abort = () => pool.stop()
  signal.addEventListener('abort', abort)
  try {
    const warmup = warmupSegment(plan)
    for (const segment of [...(warmup === null ? [] : [warmup]), ...segmentsOf(plan)]) {
      throwIfAborted(signal)
      await pool.prepare(segment, connectionsAhead(segment.steps, latest, plan.maxInFlight))
      const before = counters()
      const startAt = now() + LEAD_MS + LEAD_EACH_MS * pool.size
      const gathered = await runSegment(segment, startAt, plan, options)
      const machine = usedBetween(before, counters())
      throwIfAborted(signal)
      // Also one that died since the segment before: whose work is missing is missing from this one on.
      deaths.push(...pool.dead.map((dead) => deathText(dead, segment, startAt)))
      latest = gathered.get(segment.steps.at(-1)!.index)?.recording ?? latest
      if (segment !== warmup) {
        firstStart ??= startAt
        for (const at of segment.steps) {
          const step = gathered.get(at.index)!
          const run = { ...(await stepRun(at, startAt, firstStart, step, options)), machine }
          runs.push(run)
          if (step.recording !== null) records.push(step.recording)
          options.onStep(run)
        }
      }
      if (deaths.length > 0) break
    }
  } finally {
    signal.removeEventListener('abort', abort)
  }
  return {
    runs,
    total: Recording.total(records),
    breaches: deaths.length > 0 ? deaths : breachesOf(plan, runs),
    firstStart,
  }
}

/** What all processes sent of one step. */
interface Gathered {
  recording: Recording | null
  readonly series: Series
  readonly results: StepResult[]
}

async function runSegment(
  segment: Segment,
  startAt: number,
  plan: Plan,
  options: RunOptions,
): Promise<Map<number, Gathered>> {
  const { pool, now, onProgress } = options
  const gathered = new Map<number, Gathered>(
    segment.steps.map((at) => [at.index, { recording: null, series: new Series(), results: [] }]),
  )
  const report = () => {
    const elapsed = now() - startAt
    const at = segment.steps.findLast((step) => step.atMs <= Math.max(0, elapsed)) ?? segment.steps[0]!
    const { latest, errors } = gathered.get(at.index)!.series
    const elapsedMs = Math.max(0, elapsed - at.atMs)
    const over = at.step.durationMs !== null && elapsedMs > at.step.durationMs
    onProgress({
      phase: over ? 'settle' : at.index < 0 ? 'warm-up' : 'load',
      index: at.index,
      steps: plan.load.steps.length,
      step: at.step,
      elapsedMs,
      durationMs: at.step.durationMs,
      rate: latest?.arrivals ?? null,
      inFlight: latest?.inFlight ?? 0,
      errors,
    })
  }
  const onMessage = (message: Message) => {
    if (message.kind === 'second') {
      gathered.get(message.step)?.series.add(message.delta)
    } else if (message.kind === 'drained') {
      for (const result of message.results) {
        const step = gathered.get(result.index)!
        const recording = Recording.fromData(result.recording)
        if (step.recording === null) step.recording = recording
        else step.recording.add(recording)
        step.results.push(result)
      }
    }
  }
  report()
  const timer = setInterval(report, PROGRESS_MS)
  try {
    await pool.run(segment, startAt, onMessage)
  } finally {
    clearInterval(timer)
  }
  return gathered
}

/** Of a step from which nothing came back. */
const NO_BINS: Bins = { widthMs: 1, arrivals: [], ends: [], completions: [], outputTokens: [], inputTokens: [] }

async function stepRun(
  { index, step, atMs }: SegmentStep,
  segmentStart: number,
  firstStart: number,
  { recording, series, results }: Gathered,
  { pool, writesBetween, now }: RunOptions,
): Promise<Omit<StepRun, 'machine'>> {
  const startAt = segmentStart + atMs
  const offeredUntil = Math.max(startAt, ...results.map((result) => result.offeredUntil))
  return {
    index,
    step,
    startedMs: startAt - firstStart,
    // A step that a death cut short lasted as long as load was offered.
    durationMs: pool.dead.length > 0 ? offeredUntil - startAt : (step.durationMs ?? offeredUntil - startAt),
    record: recording ?? Recording.total([]),
    bins: recording?.bins ?? NO_BINS,
    seconds: series.toSeconds(),
    audits: results.map(auditOf).sort((a, b) => a.worker - b.worker),
    dead: pool.dead.slice(),
    server: writesBetween === null ? null : await writesBetween(startAt, now()),
  }
}

/** Which process died and where. Of steps back to back, all of whose figures are lost, the one that was under way. */
function deathText(dead: DeadProcess, segment: Segment, startAt: number): string {
  const at = segment.steps.findLast((step) => startAt + step.atMs <= dead.diedAt)
  const { index, step } = at ?? segment.steps[0]!
  const where = index < 0 ? 'in the warm-up' : `${at === undefined ? 'before' : 'in'} the step of ${stepLabel(step)}`
  return `${describeDead(dead)}, ${where}; the run was ended there`
}

/** What no verdict may rest on: requests of the schedule that nobody offered. */
function breachesOf(plan: Plan, runs: readonly StepRun[]): string[] {
  const breaches: string[] = []
  for (const run of runs) {
    const { planned } = run.record.counts
    if (run.step.requests !== null && planned !== run.step.requests) {
      breaches.push(`${run.step.requests} requests were scheduled at ${stepLabel(run.step)}, ${planned} were offered`)
    }
  }
  if (runs.length < plan.load.steps.length) breaches.push(`only ${runs.length} of ${plan.load.steps.length} steps ran`)
  return breaches
}

function throwIfAborted(signal: AbortSignal): void {
  if (!signal.aborted) return
  throw signal.reason instanceof Error ? signal.reason : new LoadError(String(signal.reason))
}
