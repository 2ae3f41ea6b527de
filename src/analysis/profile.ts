import type { Plan } from '../model/plan.ts'
import type { Profile, StepProfile, StepRecord, StepRun } from '../model/profile.ts'
import { stepLabel } from '../model/step.ts'
import { clientAudit } from './audit.ts'
import type { Instrument } from './mend.ts'
import type { Random } from './queue.ts'
import { saturationOf } from './saturation.ts'
import { sustainOf } from './sustain.ts'
import { usableOf } from './usable.ts'
import { voidsOf } from './voids.ts'
import { lowestStep, rampOf, windowOf } from './window.ts'

/**
 * What the runs of a plan's steps mean: windows, voids, who carried what, the saturation point and the usable rate.
 *
 * @param total all steps added.
 * @param breaches what makes the whole run invalid: lost processes, broken invariants.
 * @param random for the bootstrap of the saturation point: seed it, so that a run is judged the same way twice.
 * @param cores that can be used on this machine, may be a fraction: for the advice that void steps give.
 */
export function profileOf(
  plan: Plan,
  runs: readonly StepRun[],
  total: StepRecord,
  breaches: readonly string[],
  random: Random,
  cores = 1,
): Profile {
  const client = clientAudit(runs, total, plan.limits)
  const instrument: Instrument = { workers: plan.workers, cores, limit: client.limit }
  const steps = runs.map((run) => stepProfile(plan, runs, run, instrument))
  return {
    loadKind: plan.load.kind,
    steps,
    total,
    saturation: saturationOf(steps, plan.arrivals, random, client.limit),
    usable: usableOf(steps, plan.attainment),
    objectives: Object.keys(plan.objectives).length > 0,
    attainment: plan.attainment,
    breaches,
    client,
  }
}

function stepProfile(plan: Plan, runs: readonly StepRun[], run: StepRun, instrument: Instrument): StepProfile {
  const lowest = lowestStep(runs, run.step.kind) ?? run
  const window = windowOf(run, rampOf(run, lowest))
  const open = run.step.kind === 'open'
  return {
    ...run,
    label: stepLabel(run.step),
    window,
    voids: voidsOf(run, plan.limits, instrument),
    sustain: open
      ? sustainOf(run, window, lowest.record.latency.e2e.mean ?? 0, plan.attainment, plan.settleMs > 0)
      : null,
  }
}
