import { type RunnerTestCase, type SerializedConfig, TestRunner } from 'vitest'
import { InvalidMeasurementError } from '../model/errors.ts'
import { runAround, session } from './session.ts'

type CancelReason = Parameters<TestRunner['cancel']>[0]
type Task = Parameters<TestRunner['onAfterRunTask']>[0]

/**
 * Vitest's runner with three things of ours: it tells a running load that the run was cancelled (only the runner
 * hears of it while a hook runs), lets progress out while a hook runs, and keeps verdicts that nobody may turn green.
 */
export class SloRunner extends TestRunner {
  constructor(config: SerializedConfig) {
    super(config)
    session().runner = this
  }

  override cancel(reason: CancelReason): void {
    super.cancel(reason)
    session().cancel.abort(reason)
  }

  override onAfterTryTask(test: RunnerTestCase): void {
    super.onAfterTryTask(test)
    if (runAround(test) !== undefined && !session().ownTests.has(test)) {
      throw new Error(
        `"${test.name}" is in an slo() but was made by Vitest's own test: import { test } from 'vitest-slo' instead`,
      )
    }
  }

  /** `test.fails` turns any error green; an invalid or inconclusive measurement is no expected failure. */
  override onAfterRunTask(task: Task): void {
    super.onAfterRunTask(task)
    if (task.type !== 'test' || !task.fails || task.result?.state !== 'pass') return
    const assertions = runAround(task)?.assertionsOf(task.fullTestName) ?? []
    const open = assertions.find(({ verdict }) => verdict === 'invalid' || verdict === 'inconclusive')
    if (open === undefined) return
    const { name, message, stack } = new InvalidMeasurementError(
      `test.fails hides no ${open.verdict} verdict: ${open.message}`,
    )
    task.result.state = 'fail'
    task.result.errors = [...(task.result.errors ?? []), { name, message, ...(stack === undefined ? {} : { stack }) }]
  }
}
