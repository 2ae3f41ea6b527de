import { relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, inject, type RunnerTestSuite, test as vitestTest, TestRunner } from 'vitest'
import { SpecError } from '../model/errors.ts'
import { writeReport } from '../report/json.ts'
import type { SloOptions } from '../spec/options.ts'
import { type SloMeta, withoutHistograms } from './meta.ts'
import { runAround, session } from './session.ts'
import { placedAt, SloRun, type SpecContext } from './slo-run.ts'

/** Registers the tests that one load feeds. */
export type SloBody = () => void | Promise<void>

interface SloCall {
  (name: string, options: SloOptions, body: SloBody): void
}

export interface Slo extends SloCall {
  /** Neither offers its load nor runs its tests. */
  readonly skip: SloCall
  /** Only this one (and others marked so) of the file. */
  readonly only: SloCall
  /** A plan for later: listed, never run. */
  todo(name: string, options?: SloOptions, body?: SloBody): void
  skipIf(condition: unknown): SloCall
  runIf(condition: unknown): SloCall
}

type Mode = 'run' | 'skip' | 'only'

/**
 * Declares one load and the tests that judge it: `slo('chat', { target, load }, () => { test(...) })`.
 *
 * When its suite starts the options are checked (all problems at once), then the body's own `beforeAll` hooks run,
 * then the load is offered once, and every test of the body reads its figures. Without a selected test no load is
 * offered. Two of one name in a file are an error.
 */
export const slo: Slo = Object.assign(register('run'), {
  skip: register('skip'),
  only: register('only'),
  todo(name: string): void {
    describe(name, () => vitestTest.todo('is planned'))
  },
  skipIf: (condition: unknown) => register(condition ? 'skip' : 'run'),
  runIf: (condition: unknown) => register(condition ? 'run' : 'skip'),
})

function register(mode: Mode): SloCall {
  return function call(name, options, body) {
    const place: { stack?: string } = {}
    Error.captureStackTrace(place, call)
    const frames = (place.stack ?? '').split('\n').slice(1).join('\n')
    const choose = mode === 'run' ? describe : describe[mode]
    choose(name, { concurrent: false }, async () => {
      const { suite, file } = TestRunner.getCurrentSuite()
      if (suite === undefined || file === undefined) throw new Error('slo() found no suite to stand in')
      if (runAround(suite.suite) !== undefined) {
        throw placedAt(frames, new Error(`slo("${name}") stands inside another slo()`))
      }
      if (typeof body !== 'function') {
        throw placedAt(frames, new TypeError(`slo("${name}") needs a body: slo(name, options, () => { ... })`))
      }
      const run = new SloRun(name, options, frames)
      session().runs.set(suite, run)
      countName(file.filepath, name)
      // Before the body's hooks: a spec that cannot run must not start anyone's server.
      beforeAll(() => run.check(() => specContext(file.filepath, name)))
      await body()
      // Nothing would judge the load: Vitest says that the suite has no test.
      if (TestRunner.getCurrentSuite().tasks.length === 0) return
      beforeAll(async ({}, suite) => {
        const tell = (meta: SloMeta) => {
          suite.meta.slo = meta
          void session().runner?.onTaskUpdate?.([[suite.id, suite.result, suite.meta]], [])
        }
        await alone(() => run.load(session().cancel.signal, tell))
      }, 0)
      afterAll(async ({}, suite) => {
        const report = run.report(otherFailures(suite, run))
        const { file } = run
        if (report === null || file === null) return
        // The tables are printed from this, even where the file cannot be written.
        suite.meta.slo = { ...(suite.meta.slo as SloMeta), report: withoutHistograms(report), file }
        await writeReport(report, file)
        const verdict = run.wholeVerdict()
        if (verdict !== null) throw verdict
      })
    })
  }
}

type Task = RunnerTestSuite['tasks'][number]

/** What failed in a suite although every matcher of figures passed: plain assertions, errors, hooks; a sentence each. */
function otherFailures({ tasks }: { readonly tasks: readonly Task[] }, run: SloRun): string[] {
  return tasks.flatMap((task) => {
    if (task.type === 'suite') return otherFailures(task, run)
    if (task.result?.state !== 'fail') return []
    if (run.assertionsOf(task.id).some(({ verdict }) => verdict !== 'pass')) return []
    return [`${task.name} failed: ${(task.result.errors?.[0]?.message ?? 'no reason given').split('\n')[0]}`]
  })
}

/** One load at a time, whatever runs side by side. */
function alone(load: () => Promise<void>): Promise<void> {
  const shared = session()
  const mine = shared.lastLoad.then(load)
  shared.lastLoad = mine.catch(() => undefined)
  return mine
}

function countName(file: string, name: string): void {
  const { names } = session()
  const ofFile = names.get(file) ?? new Map<string, number>()
  names.set(file, ofFile)
  ofFile.set(name, (ofFile.get(name) ?? 0) + 1)
}

function refuseSecond(file: string, name: string): void {
  const count = session().names.get(file)?.get(name) ?? 0
  if (count < 2) return
  const message = `${count} slo() of this file have it: reports are kept by name, give each its own`
  throw new SpecError(`slo "${name}"`, [{ path: 'name', message }])
}

function specContext(file: string, name: string): SpecContext {
  refuseSecond(file, name)
  const project = inject('vitest-slo') as ReturnType<typeof inject<'vitest-slo'>> | undefined
  if (project === undefined || session().runner === undefined) {
    throw new Error(`slo() runs only in a project made by sloProject() or slo() from 'vitest-slo/config'`)
  }
  const { root, defaults } = project
  const spec = relative(root, file).replaceAll('\\', '/')
  return { root, spec, outputDir: resolve(root, project.outputDir), defaults }
}

declare module 'vitest' {
  interface ProvidedContext {
    'vitest-slo': {
      /** Root of the project. */
      readonly root: string
      readonly outputDir: string
      /** The project's options, checked: plain data. */
      readonly defaults: Readonly<Record<string, unknown>>
    }
  }
}
