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
 * A fixture that may have nothing to hand out: what is missing is told where the test reads it, at the author's line,
 * and not while fixtures are made, where there is none.
 */
function readLater<K extends 'goodput' | 'saturation' | 'usable'>(name: K) {
  return async ({ task }: Context, use: Use<RunFigures[K]>) => {
    const figures = runOf(task).figures()
    await use(readOr(() => figures[name]))
  }
}

function readOr<T extends object>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    return throwingOnRead(error)
  }
}

function throwingOnRead<T extends object>(error: unknown): T {
  const get = (_: object, key: string | symbol): undefined => {
    // A promise asks its value for these.
    if (typeof key === 'symbol' || key === 'then') return undefined
    if (error instanceof Error) Error.captureStackTrace(error, get)
    throw error
  }
  return new Proxy({}, { get }) as T
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
  goodput: readLater('goodput'),
  errors: figure('errors'),
  steps: figure('steps'),
  at: figure('at'),
  saturation: readLater('saturation'),
  usable: readLater('usable'),
  client: figure('client'),
  report: async ({ task }: Context, use: Use<Report>) => {
    const report = runOf(task).report()
    if (report === null) throw new Error('no load was offered: there is no report')
    await use(report)
  },
})
