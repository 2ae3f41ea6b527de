import { type RunnerTestCase, type SerializedConfig, TestRunner } from 'vitest'
import { runAround, session } from './session.ts'

type CancelReason = Parameters<TestRunner['cancel']>[0]

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
  override async onAfterRetryTask(...[test, options]: Parameters<TestRunner['onAfterRetryTask']>): Promise<void> {
    await super.onAfterRetryTask(test, options)
    if (test.type !== 'test' || !test.fails || test.result?.state !== 'fail') return
    const assertions = runAround(test)?.assertionsOf(test.id) ?? []
    // Vitest flips the result after this hook.
    if (assertions.some(({ verdict }) => verdict === 'invalid' || verdict === 'inconclusive')) test.fails = false
  }
}
