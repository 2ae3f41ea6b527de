import { describe, expect, test } from 'vitest'
import type { DeadProcess, LoadPool } from '../../src/pool/load-pool.ts'
import type { MachineCounters } from '../../src/pool/machine.ts'
import { runPlan } from '../../src/pool/run-plan.ts'
import type { Step } from '../../src/model/step.ts'
import { planOf } from './plan.ts'

const open = (rate: number): Step => ({ kind: 'open', rate, durationMs: 1000, requests: rate })

/** A point of a segment at which a load process is noticed dead; null for none. */
type Death = { segment: number; during: 'prepare' | 'run'; afterMs: number } | null

/** Load processes that offer nothing; `onRun` hears of every segment. */
function idlePool(
  dies: Death,
  onRun: () => void = () => undefined,
): {
  pool: LoadPool
  now: () => number
} {
  const dead: DeadProcess[] = []
  let time = 1000
  const die = (at: number) => dead.push({ worker: 1, pid: 42, reason: 'SIGKILL', diedAt: at })
  const pool: LoadPool = {
    size: 2,
    processes: [
      { worker: 0, pid: 41 },
      { worker: 1, pid: 42 },
    ],
    dead,
    async prepare({ number }) {
      if (number === dies?.segment && dies.during === 'prepare') die(time)
      return null
    },
    async run({ number }, startAt) {
      onRun()
      if (number === dies?.segment && dies.during === 'run') die(startAt + dies.afterMs)
      time = startAt + 1000
    },
    stop: () => undefined,
    close: async () => undefined,
  }
  return { pool, now: () => time }
}

describe('a load process that dies is missing from the segment under way on', () => {
  const steps = [open(50), open(60), open(70)]
  test.each([
    ['while the warm-up is prepared', { segment: 0, during: 'prepare', afterMs: 0 }, {}, 'in the warm-up', []],
    ['in the warm-up', { segment: 0, during: 'run', afterMs: 5 }, {}, 'in the warm-up', []],
    [
      'while the second step is prepared',
      { segment: 2, during: 'prepare', afterMs: 0 },
      {},
      'before the step of 60 req/s',
      [50, 60],
    ],
    [
      'before the second step starts',
      { segment: 2, during: 'run', afterMs: -1 },
      {},
      'before the step of 60 req/s',
      [50, 60],
    ],
    [
      'at the start of the second step',
      { segment: 2, during: 'run', afterMs: 0 },
      {},
      'in the step of 60 req/s',
      [50, 60],
    ],
    ['in the last step', { segment: 3, during: 'run', afterMs: 999 }, {}, 'in the step of 70 req/s', [50, 60, 70]],
    [
      'in the second of steps back to back',
      { segment: 1, during: 'run', afterMs: 1500 },
      { settleMs: 0 },
      'in the step of 60 req/s',
      [50, 60, 70],
    ],
  ] as const)('%s', async (_, dies, options, where, ran) => {
    const { pool, now } = idlePool(dies)
    const { runs, breaches } = await runPlan(planOf({ steps, warmupMs: 1000, ...options }), {
      pool,
      now,
      signal: new AbortController().signal,
      writesBetween: null,
      onProgress: () => undefined,
      onStep: () => undefined,
    })
    expect(breaches).toEqual([`load process 2 (pid 42) died: SIGKILL, ${where}; the run was ended there`])
    expect(runs.map(({ step }) => step.kind === 'open' && step.rate)).toEqual(ran)
    // The steps before it are whole.
    const lost = runs.map((run) => run.dead.length)
    const whole = 'settleMs' in options ? 0 : Math.max(0, ran.length - 1)
    expect(lost).toEqual(ran.map((__, i) => (i < whole ? 0 : 1)))
  })
})

describe('what the machine took', () => {
  const steps = [open(50), open(60), open(70)]

  /** Counters of which every segment adds one period of 10 ms, and 5 ms of steal; more each time. */
  async function machineOf(settleMs: number, change: (counters: MachineCounters, runs: number) => MachineCounters) {
    let ran = 0
    const { pool, now } = idlePool(null, () => ran++)
    const { runs } = await runPlan(planOf({ steps, warmupMs: 1000, settleMs }), {
      pool,
      now,
      signal: new AbortController().signal,
      writesBetween: null,
      counters: () => {
        // 1, 3, 6, 10, ...: each segment takes one more than the one before, 1 the warm-up.
        const total = (ran * (ran + 1)) / 2
        const counters = { cgroup: '/own', throttledMs: 10 * total, throttledPeriods: total, stealMs: 5 * total }
        return change(counters, ran)
      },
      onProgress: () => undefined,
      onStep: () => undefined,
    })
    return runs.map(({ machine }) => machine)
  }

  test('is told of each step, from its start to its end, without the warm-up', async () => {
    expect(await machineOf(1000, (counters) => counters)).toEqual([
      { throttledMs: 20, throttledPeriods: 2, stealMs: 10 },
      { throttledMs: 30, throttledPeriods: 3, stealMs: 15 },
      { throttledMs: 40, throttledPeriods: 4, stealMs: 20 },
    ])
  })

  test('of steps back to back is that of all of them', async () => {
    const all = { throttledMs: 20, throttledPeriods: 2, stealMs: 10 }
    expect(await machineOf(0, (counters) => counters)).toEqual([all, all, all])
  })

  test('is not known where the counters are not, or of another cgroup', async () => {
    const moved = await machineOf(1000, (counters, ran) => ({ ...counters, cgroup: ran < 3 ? '/own' : '/other' }))
    expect(moved).toEqual([
      { throttledMs: 20, throttledPeriods: 2, stealMs: 10 },
      // It was moved in the second step.
      { throttledMs: null, throttledPeriods: null, stealMs: 15 },
      { throttledMs: 40, throttledPeriods: 4, stealMs: 20 },
    ])
    const none = { throttledMs: null, throttledPeriods: null, stealMs: null }
    expect(await machineOf(1000, () => ({ cgroup: null, ...none }))).toEqual([none, none, none])
  })
})
