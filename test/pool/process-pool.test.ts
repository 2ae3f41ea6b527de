import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import type { Step } from '../../src/model/step.ts'
import type { LoadPool } from '../../src/pool/load-pool.ts'
import { startProcessPool } from '../../src/pool/process-pool.ts'
import { segmentsOf } from '../../src/pool/segments.ts'
import { type Progress, runPlan, type RunResult } from '../../src/pool/run-plan.ts'
import { type RunningSimulator, startSimulator } from '../../src/simulator/launch.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { planOf } from './plan.ts'

const never = new AbortController().signal
const open = (rate: number, durationMs: number): Step => ({
  kind: 'open',
  rate,
  durationMs,
  requests: Math.round((rate * durationMs) / 1000),
})

let server: RunningSimulator
beforeAll(async () => {
  server = await startSimulator({ ttftMs: 5, itlMs: 1 })
})
afterAll(() => server.close())

function plan(options: Partial<Plan> & { steps: readonly Step[] }): Plan {
  return planOf({ url: `${server.url}/chat/completions`, ...options })
}

async function run(
  of: Plan,
  during: { onProgress?: (progress: Progress, pool: LoadPool) => void; signal?: AbortSignal } = {},
): Promise<RunResult> {
  const pool = await startProcessPool(of, never)
  try {
    return await runPlan(of, {
      pool,
      now: hostNow,
      signal: during.signal ?? never,
      writesBetween: (from, to) => server.writesBetween(from, to),
      onProgress: (progress) => during.onProgress?.(progress, pool),
      onStep: () => undefined,
    })
  } finally {
    await pool.close()
  }
}

describe('load processes', () => {
  test('offer the whole schedule between them and lose nothing', async () => {
    const { runs, total, breaches } = await run(plan({ steps: [open(60, 1000), open(90, 1000)], workers: 3 }))
    expect(breaches).toEqual([])
    expect(runs.map((step) => step.record.counts)).toEqual([
      { planned: 60, sent: 60, unsent: 0, completed: 60, failed: 0, timedOut: 0, aborted: 0 },
      { planned: 90, sent: 90, unsent: 0, completed: 90, failed: 0, timedOut: 0, aborted: 0 },
    ])
    expect(total.counts.completed).toBe(150)
    expect(runs.map((step) => step.audits.map((audit) => audit.worker))).toEqual([
      [0, 1, 2],
      [0, 1, 2],
    ])
    // 4 tokens a reply, counted by the server's usage.
    expect(total.outputTokens).toBe(600)
    expect(total.withoutUsage).toBe(0)
    expect(runs[0]!.bins.arrivals.reduce((sum, count) => sum + count, 0)).toBe(60)
    expect(runs[0]!.seconds.reduce((sum, second) => sum + second.completed, 0)).toBe(60)
    expect(runs[0]!.server!.writes).toBeGreaterThanOrEqual(60)
  })

  test('keep a concurrency, by number of requests and by time', async () => {
    const { runs } = await run(
      plan({
        steps: [
          { kind: 'closed', concurrency: 5, durationMs: null, requests: 40 },
          { kind: 'closed', concurrency: 3, durationMs: 400, requests: null },
        ],
      }),
    )
    expect(runs[0]!.record.counts).toMatchObject({ planned: 40, completed: 40 })
    const second = runs[1]!.record.counts
    expect(second.completed).toBe(second.planned)
    expect(second.planned).toBeGreaterThan(3)
    expect(runs[1]!.durationMs).toBe(400)
  })

  test('more of them than requests work, and so does a concurrency below their number', async () => {
    const steps: Step[] = [
      { kind: 'open', rate: 20, durationMs: 500, requests: 10 },
      { kind: 'closed', concurrency: 2, durationMs: null, requests: 10 },
    ]
    const { runs, breaches } = await run(plan({ steps, workers: 12 }))
    expect(breaches).toEqual([])
    expect(runs.map((step) => step.record.counts.completed)).toEqual([10, 10])
  }, 60_000)

  test('a rate below one a second works', async () => {
    const { total } = await run(plan({ steps: [{ kind: 'open', rate: 0.5, durationMs: 2000, requests: 1 }] }))
    expect(total.counts.completed).toBe(1)
  })

  test('the warm-up is never counted', async () => {
    const { total } = await run(plan({ steps: [open(50, 500)], warmupMs: 500 }))
    expect(total.counts.planned).toBe(25)
  })

  test('steps back to back keep each request in its own step', async () => {
    const slow = { prompts: { kind: 'synthetic', inputTokens: 8, outputTokens: 300 } } as const
    // 300 tokens take 0.3 s: most of the first step's replies end in the second.
    const { runs } = await run(plan({ steps: [open(40, 400), open(20, 400)], settleMs: 0, ...slow }))
    expect(runs.map((step) => step.record.counts.planned)).toEqual([16, 8])
    expect(runs[0]!.record.counts.completed).toBe(16)
    expect(runs[1]!.startedMs).toBe(400)
  })

  test('what is in flight after the settle time is aborted and counts so in its step', async () => {
    const steps: Step[] = [{ kind: 'open', rate: 50, durationMs: 200, requests: 10 }]
    const endless = { prompts: { kind: 'synthetic', inputTokens: 8, outputTokens: 60_000 } } as const
    const { runs } = await run(plan({ steps, settleMs: 100, ...endless }))
    expect(runs[0]!.record.counts).toMatchObject({ planned: 10, sent: 10, completed: 0, aborted: 10 })
  })

  test('arrivals beyond maxInFlight count as unsent', async () => {
    const endless = { prompts: { kind: 'synthetic', inputTokens: 8, outputTokens: 60_000 } } as const
    const { runs } = await run(plan({ steps: [open(50, 400)], workers: 1, maxInFlight: 4, settleMs: 50, ...endless }))
    expect(runs[0]!.record.counts).toMatchObject({ planned: 20, sent: 4, unsent: 16, aborted: 4 })
    expect(runs[0]!.record.byKind).toMatchObject({ unsent: 16 })
  })

  test('one that is killed is named, and the run ends as a breach', async () => {
    let killed = 0
    const { breaches, runs } = await run(plan({ steps: [open(50, 60_000), open(50, 1000)], workers: 2 }), {
      onProgress({ elapsedMs, rate }, pool) {
        if (killed !== 0 || rate === null || elapsedMs < 1000) return
        killed = pool.processes[1]!.pid
        process.kill(killed, 'SIGKILL')
      },
    })
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain(`load process 2 (pid ${killed}) died`)
    expect(breaches[0]).toContain('50 req/s')
    expect(runs).toHaveLength(1)
    // The other one handed over what it had.
    expect(runs[0]!.record.counts.completed).toBeGreaterThan(0)
    expect(runs[0]!.dead.map((dead) => dead.worker)).toEqual([1])
  }, 30_000)

  test('of steps back to back, the one is named in which a process was killed', async () => {
    let killed = false
    const { breaches, runs } = await run(plan({ steps: [open(50, 60_000), open(40, 1000)], workers: 2, settleMs: 0 }), {
      onProgress({ rate }, pool) {
        if (killed || rate === null) return
        killed = true
        process.kill(pool.processes[0]!.pid, 'SIGKILL')
      },
    })
    expect(runs).toHaveLength(2)
    expect(breaches).toEqual([expect.stringContaining('in the step of 50 req/s')])
  }, 30_000)

  test('one that was killed between two segments ends the next one at once', async () => {
    const of = plan({ steps: [open(50, 60_000)] })
    const pool = await startProcessPool(of, never)
    try {
      process.kill(pool.processes[0]!.pid, 'SIGKILL')
      await expect.poll(() => pool.dead, { timeout: 10_000 }).toHaveLength(1)
      await pool.run(segmentsOf(of)[0]!, hostNow(), () => undefined)
    } finally {
      await pool.close()
    }
  }, 30_000)

  test('one that stands still is ended with the others', async () => {
    const pool = await startProcessPool(plan({ steps: [open(50, 1000)] }), never)
    const pids = pool.processes.map(({ pid }) => pid)
    process.kill(pids[0]!, 'SIGSTOP')
    await pool.close()
    for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  }, 30_000)

  test('an aborted run ends with the reason and leaves no process behind', async () => {
    const abort = new AbortController()
    let pids: number[] = []
    const running = run(plan({ steps: [open(50, 60_000)] }), {
      signal: abort.signal,
      onProgress({ rate }, pool) {
        pids = pool.processes.map(({ pid }) => pid)
        if (rate !== null) abort.abort(new Error('enough'))
      },
    })
    await expect(running).rejects.toThrow('enough')
    expect(pids).toHaveLength(2)
    for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  }, 30_000)

  test('a server that is not there is counted by kind, and the run goes on to its end', async () => {
    const { total, breaches } = await run(
      planOf({ steps: [open(40, 500)], url: 'http://127.0.0.1:1/v1/chat/completions' }),
    )
    expect(breaches).toEqual([])
    expect(total.counts).toMatchObject({ planned: 20, completed: 0, failed: 20 })
    expect(total.byKind).toEqual({ refused: 20 })
    expect(total.examples).toHaveLength(1)
  })
})

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
