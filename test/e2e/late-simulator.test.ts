import { expect, test } from 'vitest'
import { profileOf } from '../../src/analysis/profile.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import type { OpenStep } from '../../src/model/step.ts'
import { startProcessPool } from '../../src/pool/process-pool.ts'
import { runPlan } from '../../src/pool/run-plan.ts'
import { startSimulator } from '../../src/simulator/launch.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { planOf } from '../pool/plan.ts'

const STOPPED_MS = 400

interface Load {
  readonly server: Partial<SimulatorOptions>
  readonly rate: number
  readonly outputTokens: number
}

/** Offers the load for two steps of 2 s; the server's process is stopped in the middle of the second one. */
async function runStopped({ server: options, rate, outputTokens }: Load) {
  await using stack = new AsyncDisposableStack()
  const server = stack.adopt(await startSimulator(options), (started) => started.close())
  const step: OpenStep = { kind: 'open', rate, durationMs: 2000, requests: 2 * rate }
  const plan = planOf({
    steps: [step, step],
    url: `${server.url}/chat/completions`,
    prompts: { kind: 'synthetic', inputTokens: 16, outputTokens },
    workers: 1,
  })
  const { signal } = new AbortController()
  const pool = stack.adopt(await startProcessPool(plan, signal), (started) => started.close())
  let resumed: Promise<void> | null = null
  // Before the simulator is closed, however this ends.
  stack.defer(async () => resumed ?? undefined)
  const { runs, total, breaches } = await runPlan(plan, {
    pool,
    now: hostNow,
    signal,
    writesBetween: (from, to) => server.writesBetween(from, to),
    onStep: () => undefined,
    onProgress({ index, elapsedMs }) {
      if (resumed !== null || index !== 1 || elapsedMs < 500) return
      process.kill(server.pid, 'SIGSTOP')
      resumed = new Promise((resolve) =>
        setTimeout(() => {
          process.kill(server.pid, 'SIGCONT')
          resolve()
        }, STOPPED_MS),
      )
    },
  })
  // The client saw nothing wrong: every request was answered in full.
  expect(breaches).toEqual([])
  expect(total.counts).toMatchObject({ planned: 4 * rate, completed: 4 * rate })
  const { steps } = profileOf(plan, runs, total, breaches, seededRandom(1))
  const { requests } = await server.ledger()
  return { before: steps[0]!, stopped: steps[1]!, requests }
}

function lateServer(rate: number) {
  return {
    check: 'late-server',
    message: expect.stringMatching(
      new RegExp(`^the embedded server was late with \\d.* of its writes at ${rate} req/s \\(at worst `),
    ),
  }
}

test('a simulator that stood still shows in its ledger, and voids the step', { timeout: 60_000 }, async () => {
  const { before, stopped, requests } = await runStopped({
    server: { ttftMs: 20, itlMs: 10 },
    rate: 100,
    outputTokens: 32,
  })
  // Some 33 replies of 330 ms were under way when it stopped, half of whose 32 tokens were still to come: about 500.
  expect(stopped.server!.late).toBeGreaterThan(100)
  expect(stopped.server!.late).toBeGreaterThan(before.server!.late)
  expect(stopped.server!.worstMs).toBeGreaterThan(STOPPED_MS / 2)
  // Request by request: what was due while it stood still was written after that.
  const behind = requests.flatMap(({ planned, actual }) => actual.map((at, i) => at - planned[i]!))
  expect(Math.min(...behind)).toBeGreaterThanOrEqual(0)
  expect(behind.filter((ms) => ms > STOPPED_MS / 2).length).toBeGreaterThan(50)
  expect(stopped.voids).toContainEqual(lateServer(100))
})

test('so does one that had nothing to write meanwhile, but requests to read', { timeout: 60_000 }, async () => {
  const { before, stopped, requests } = await runStopped({
    server: { ttftMs: 5, itlMs: 0 },
    rate: 200,
    outputTokens: 1,
  })
  // 400 ms at 200 req/s: about 80 requests lay unread, most of them on connections that were opened meanwhile.
  const unread = requests.filter(({ waited }) => waited > STOPPED_MS / 2)
  expect(unread.length).toBeGreaterThan(40)
  // Their plans begin when they were read: by these alone, they were written in time.
  expect(unread.map(({ started }) => started)).toEqual(unread.map(({ arrived }) => arrived))
  expect(stopped.server!.late).toBeGreaterThan(40)
  expect(stopped.server!.late).toBeGreaterThan(before.server!.late)
  expect(stopped.server!.worstMs).toBeGreaterThan(STOPPED_MS / 2)
  expect(stopped.voids).toContainEqual(lateServer(200))
})
