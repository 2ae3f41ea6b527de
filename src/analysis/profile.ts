import type { Plan } from '../model/plan.ts'
import type { Profile, StepProfile, StepRecord, StepRun } from '../model/profile.ts'
import { stepLabel } from '../model/step.ts'
import { clientAudit, voidsOf } from './audit.ts'
import type { Random } from './queue.ts'
import { saturationOf } from './saturation.ts'
import { sustainOf } from './sustain.ts'
import { usableOf } from './usable.ts'
import { lowestStep, rampOf, windowOf } from './window.ts'

/**
 * What the runs of a plan's steps mean: windows, voids, who carried what, the saturation point and the usable rate.
 *
 * @param total all steps added.
 * @param breaches what makes the whole run invalid: lost processes, broken invariants.
 * @param random for the bootstrap of the saturation point: seed it, so that a run is judged the same way twice.
 * @param cores of the host, for the advice that void steps give.
 */
export function profileOf(
  plan: Plan,
  runs: readonly StepRun[],
  total: StepRecord,
  breaches: readonly string[],
  random: Random,
  cores?: number,
): Profile {
  const steps = runs.map((run) => stepProfile(plan, runs, run, cores))
  return {
    loadKind: plan.load.kind,
    steps,
    total,
    saturation: saturationOf(steps, plan.arrivals, random),
    usable: usableOf(steps, plan.attainment),
    objectives: Object.keys(plan.objectives).length > 0,
    attainment: plan.attainment,
    breaches,
    client: clientAudit(runs, total),
  }
}

function stepProfile(plan: Plan, runs: readonly StepRun[], run: StepRun, cores: number | undefined): StepProfile {
  const lowest = lowestStep(runs, run.step.kind) ?? run
  const window = windowOf(run, rampOf(run, lowest))
  const open = run.step.kind === 'open'
  return {
    ...run,
    label: stepLabel(run.step),
    window,
    voids: voidsOf(run, plan.limits, cores),
    sustain: open
      ? sustainOf(run, window, lowest.record.latency.e2e.mean ?? 0, plan.attainment, plan.settleMs > 0)
      : null,
  }
}
