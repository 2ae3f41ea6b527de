import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Plan } from '../../src/model/plan.ts'
import type { Step } from '../../src/model/step.ts'
import type { LoadPool } from '../../src/pool/load-pool.ts'
import { startProcessPool } from '../../src/pool/process-pool.ts'
import { segmentsOf } from '../../src/pool/segments.ts'
import { type Progress, runPlan, type RunResult } from '../../src/pool/run-plan.ts'
import { type RunningSimulator, startSimulator } from '../../src/simulator/launch.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { planOf } from './plan.ts'

// Processes start and end, on machines that may have little time for them.
vi.setConfig({ testTimeout: 60_000 })

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

  test('watch themselves: loop, CPU, send lag, reads and canaries of each, by the second and over the step', async () => {
    const { runs, total } = await run(plan({ steps: [open(200, 2500)], workers: 2 }))
    const [{ audits, machine, record }] = runs as [RunResult['runs'][number]]
    expect(audits.map(({ worker }) => worker)).toEqual([0, 1])
    expect(new Set(audits.map(({ pid }) => pid)).size).toBe(2)
    for (const audit of audits) {
      // Two whole seconds; a process that stood still in one of them has fewer.
      expect(audit.seconds.length).toBeGreaterThanOrEqual(1)
      expect(audit.seconds.length).toBeLessThanOrEqual(2)
      for (const { rho, cpu, gcMs, canaries, sendLagP50, sendLagP99, sendLagMax } of audit.seconds) {
        expect(rho).toBeGreaterThan(0)
        expect(rho).toBeLessThanOrEqual(1)
        expect(cpu).toBeGreaterThan(0)
        expect(gcMs).toBeGreaterThanOrEqual(0)
        expect(canaries).toBeGreaterThan(5)
        expect([sendLagP50, sendLagP99, sendLagMax]).toEqual([sendLagP50, sendLagP99, sendLagMax].sort(ascending))
      }
      // Every request is an event, and so is each of its reads: one to five.
      expect(audit.sendLag.count).toBe(250)
      expect(audit.position.count).toBeGreaterThanOrEqual(250)
      expect(audit.events).toBeGreaterThanOrEqual(500)
      // A hundred a second, and some while it drains.
      expect(audit.canary.count).toBeGreaterThan(25)
      expect(audit.canary.count).toBeLessThan(1000)
      expect(audit.canary.min).toBeGreaterThan(0)
      expect(audit.cpuMs).toBeGreaterThan(0)
      // From the step's start, which a busy machine notices late.
      expect(audit.elapsedMs).toBeGreaterThan(1000)
      expect(audit.mostInFlight).toBeGreaterThan(0)
      expect(audit.unsent).toBe(0)
      expect(audit.gc.longestMs).toBeLessThanOrEqual(audit.gc.totalMs)
    }
    // The step's own, and the whole run's, is that of all processes.
    const canaries = audits.reduce((sum, { canary }) => sum + canary.count, 0)
    expect([record.canary.count, total.canary.count]).toEqual([canaries, canaries])
    // Less than it took as measured, and never more.
    for (const metric of ['ttft', 'e2e', 'ntpot'] as const) {
      expect(record.least[metric].count).toBe(record.latency[metric].count)
      expect(record.least[metric].mean).toBeLessThan(record.latency[metric].mean!)
    }
    expect(Object.keys(machine).sort()).toEqual(['stealMs', 'throttledMs', 'throttledPeriods'])
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
  })

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
  })

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
  })

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
  })

  test('one that stands still is ended with the others', async () => {
    const pool = await startProcessPool(plan({ steps: [open(50, 1000)] }), never)
    const pids = pool.processes.map(({ pid }) => pid)
    process.kill(pids[0]!, 'SIGSTOP')
    await pool.close()
    for (const pid of pids) await expect.poll(() => isAlive(pid), { timeout: 5000 }).toBe(false)
  })

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
  })

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

function ascending(a: number | null, b: number | null): number {
  return Number(a) - Number(b)
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
}
