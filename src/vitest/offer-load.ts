import { profileOf } from '../analysis/profile.ts'
import { seededRandom } from '../arrivals/random.ts'
import { LoadError } from '../model/errors.ts'
import type { Plan } from '../model/plan.ts'
import type { Profile } from '../model/profile.ts'
import { stepLabel } from '../model/step.ts'
import { readMachine } from '../pool/machine.ts'
import { startProcessPool } from '../pool/process-pool.ts'
import { type Progress, runPlan } from '../pool/run-plan.ts'
import { finishedStep, stepLine } from '../report/finished-step.ts'
import { planLines, type Progress as ReportedProgress } from '../report/progress.ts'
import type { CheckedSpec } from '../spec/check.ts'
import { deadlineMs, planOf, plannedTotals } from '../spec/plan.ts'
import { resolveTarget } from '../spec/target.ts'
import type { Sizing } from '../spec/workers.ts'
import { hostNow } from '../worker/clock.ts'
import type { SloMeta } from './meta.ts'

/** Random stream of the analysis' bootstrap; the steps' schedules take 0 (warm-up), 1, 2, ... */
const ANALYSIS_STREAM = 0xffff_ffff

/** What came of offering a load. */
export interface OfferedLoad {
  readonly plan: Plan
  readonly profile: Profile
  /** Wall-clock time of the first measured step's start, ISO 8601. */
  readonly startedAt: string
}

/**
 * Offers a checked spec's load once: target, load processes, steps, analysis. Everything that it started has ended
 * when it settles, whichever way.
 *
 * @param cancel ends it at once
 * @param onMeta hears the plan, progress and finished steps
 * @param wallNow time of day, ms; read once
 * @throws SpecError for a target that is known only now and cannot be used
 * @throws LoadError when it was cancelled, or did not end within its bound
 */
export async function offerLoad(
  checked: CheckedSpec,
  cancel: AbortSignal,
  onMeta: (meta: SloMeta) => void,
  wallNow: () => number = Date.now,
): Promise<OfferedLoad> {
  const { target, server } = await resolveTarget(checked.target, { signal: cancel })
  try {
    const plan = planOf(checked, target)
    const bound = deadlineMs(plan)
    const deadline = new AbortController()
    const timer = setTimeout(() => {
      const seconds = Math.round(bound / 1000)
      deadline.abort(new LoadError(`the load of "${plan.name}" was stopped after ${seconds} s, well past its length`))
    }, bound)
    const onExit = ({ code, signal }: { code: number | null; signal: string | null }): void => {
      const how = signal ?? `code ${code}`
      deadline.abort(new LoadError(`the embedded server of "${plan.name}" ended in mid-run (${how})`))
    }
    // Against a server of ours that has ended the rest of the load would measure nothing.
    void server?.exited.then(onExit)
    const signal = AbortSignal.any([cancel, deadline.signal])
    try {
      return await runLoad(plan, checked.sizing, server, signal, onMeta, wallNow)
    } finally {
      clearTimeout(timer)
    }
  } catch (error) {
    throw cancel.aborted ? new LoadError(`the load of "${checked.name}" was cancelled`, { cause: error }) : error
  } finally {
    await server?.close()
  }
}

async function runLoad(
  plan: Plan,
  sizing: Sizing,
  server: Awaited<ReturnType<typeof resolveTarget>>['server'],
  signal: AbortSignal,
  onMeta: (meta: SloMeta) => void,
  wallNow: () => number,
): Promise<OfferedLoad> {
  const machine = readMachine()
  let meta: SloMeta = { plan: planLines(plannedTotals(plan), plan, sizing, machine).join('\n'), stepLines: [] }
  onMeta(meta)
  const pool = await startProcessPool(plan, signal)
  // Both clocks at one moment: a time of day that is stepped later moves neither the start nor any duration.
  const [host, wall] = [hostNow(), wallNow()]
  try {
    const result = await runPlan(plan, {
      pool,
      now: hostNow,
      signal,
      writesBetween: server === null ? null : (from, to) => server.writesBetween(from, to),
      onProgress: (progress) => onMeta({ ...meta, progress: progressOf(plan, progress) }),
      onStep(run) {
        meta = { ...meta, stepLines: [...meta.stepLines, stepLine(finishedStep(plan.name, run))] }
        onMeta(meta)
      },
    })
    const random = seededRandom(plan.seed, ANALYSIS_STREAM)
    return {
      plan,
      startedAt: new Date(wall + (result.firstStart ?? host) - host).toISOString(),
      profile: profileOf(plan, result.runs, result.total, result.breaches, random, machine.cores),
    }
  } finally {
    await pool.close()
  }
}

function progressOf(plan: Plan, { index, step, ...progress }: Progress): ReportedProgress {
  return {
    ...progress,
    slo: plan.name,
    stepIndex: Math.max(0, index),
    label: stepLabel(step),
  }
}
