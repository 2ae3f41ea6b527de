import type { TestRunner, VitestTestRunner } from 'vitest'
import type { SloRun } from './slo-run.ts'

type Suite = object & { readonly suite?: unknown }

/**
 * What the runner and the spec's functions share in one test process. It hangs on `globalThis`, since a linked
 * workspace may load the two entries of the package twice.
 */
export interface Session {
  /** Our runner; undefined when the spec runs under another one. */
  runner: (TestRunner & Pick<VitestTestRunner, 'onTaskUpdate'>) | undefined
  /** Aborts on Ctrl-C in watch mode, on bail, on a cancelled run. */
  readonly cancel: AbortController
  readonly runs: WeakMap<Suite, SloRun>
  /** How often each name was given to an `slo`, by spec file. */
  readonly names: Map<string, Map<string, number>>
  /** Tests that were made by our `test`. */
  readonly ownTests: WeakSet<object>
  /** Ends of the loads so far: one load at a time, whatever runs side by side. */
  lastLoad: Promise<unknown>
}

const KEY = Symbol.for('vitest-slo.session')

export function session(): Session {
  const place = globalThis as { [KEY]?: Session }
  return (place[KEY] ??= {
    runner: undefined,
    cancel: new AbortController(),
    runs: new WeakMap(),
    names: new Map(),
    ownTests: new WeakSet(),
    lastLoad: Promise.resolve(),
  })
}

/** The `slo` around a suite or test; undefined outside one. */
export function runAround(task: unknown): SloRun | undefined {
  const { runs } = session()
  for (let at = task; typeof at === 'object' && at !== null; at = (at as Suite).suite) {
    const run = runs.get(at)
    if (run !== undefined) return run
  }
  return undefined
}
