import { test as base } from 'vitest'
import type { RunFigures } from '../model/figures.ts'
import type { Report } from '../model/report.ts'
import { runAround, session } from './session.ts'
import type { SloRun } from './slo-run.ts'

/** What a test inside an `slo` receives: the figures of the one load that all of its tests share. */
export interface SloFixtures extends RunFigures {
  /** All of it, JSON-safe, as the report's file will have it (verdicts of the tests so far). */
  readonly report: Report
  /** Marks the test as made here. */
  readonly _slo: SloRun
}

type Use<T> = (value: T) => Promise<void>
type Context = { readonly task: object & { readonly name: string } }

/** A fixture that hands out one figure. Vitest reads the names it needs from the parameter's pattern. */
function figure<K extends keyof RunFigures>(name: K) {
  return async ({ task }: Context, use: Use<RunFigures[K]>) => use(runOf(task).figures()[name])
}

/**
 * The run a test belongs to.
 *
 * @throws Error for a test outside an `slo`
 */
function runOf(task: Context['task']): SloRun {
  const run = runAround(task)
  if (run === undefined) {
    throw new Error(
      `"${task.name}" was made by vitest-slo's test but stands in no slo(): move it into the body of one, or import test from 'vitest'`,
    )
  }
  return run
}

/** Vitest's `test` with the figures of the load as fixtures; only inside the body of an `slo`. */
export const test = base.extend<SloFixtures>({
  _slo: [
    async ({ task }: Context, use: Use<SloRun>) => {
      session().ownTests.add(task)
      await use(runOf(task))
    },
    { auto: true },
  ],
  p50: figure('p50'),
  p75: figure('p75'),
  p90: figure('p90'),
  p95: figure('p95'),
  p99: figure('p99'),
  p999: figure('p999'),
  mean: figure('mean'),
  min: figure('min'),
  max: figure('max'),
  percentile: figure('percentile'),
  rate: figure('rate'),
  throughput: figure('throughput'),
  goodput: figure('goodput'),
  errors: figure('errors'),
  steps: figure('steps'),
  at: figure('at'),
  saturation: figure('saturation'),
  usable: figure('usable'),
  client: figure('client'),
  report: async ({ task }: Context, use: Use<Report>) => {
    const report = runOf(task).report()
    if (report === null) throw new Error('no load was offered: there is no report')
    await use(report)
  },
})
