import { describe, expect, test } from 'vitest'
import type { DeadProcess, LoadPool } from '../../src/pool/load-pool.ts'
import { runPlan } from '../../src/pool/run-plan.ts'
import type { Step } from '../../src/model/step.ts'
import { planOf } from './plan.ts'

const open = (rate: number): Step => ({ kind: 'open', rate, durationMs: 1000, requests: rate })

/** Load processes that offer nothing; one of them is noticed dead at a chosen point of a chosen segment. */
function poolThatLoses(dies: { segment: number; during: 'prepare' | 'run'; afterMs: number }): {
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
      if (number === dies.segment && dies.during === 'prepare') die(time)
      return null
    },
    async run({ number }, startAt) {
      if (number === dies.segment && dies.during === 'run') die(startAt + dies.afterMs)
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
    const { pool, now } = poolThatLoses(dies)
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
