import { describe, expect, test } from 'vitest'
import { clientAudit, modelledWaitMs } from '../../src/analysis/audit.ts'
import type { WorkerAudit } from '../../src/model/audit.ts'
import { DEFAULT_LIMITS } from '../../src/model/plan.ts'
import type { StepRun } from '../../src/model/profile.ts'
import { auditOf, binsOf, countsOf, openStep, recordOf, runOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

test.each([
  // S = rho x elapsed / events; W = rho x S / (1 - rho) with cv = 1
  [0.5, 10_000, 1000, 5, 'S = 5 ms, W = 0.5 x 5 / 0.5'],
  [0.2, 10_000, 2000, 0.25, 'S = 1 ms, W = 0.2 x 1 / 0.8'],
  [0, 10_000, 10, 0, 'idle'],
])('at rho %d over %d ms with %d events the modelled wait is %d ms (%s)', (rhoMean, elapsedMs, events, wait) => {
  expect(modelledWaitMs(auditOf({ rhoMean, elapsedMs, events }))).toBeCloseTo(wait, 12)
})

test.each([
  ['without events', { events: 0 }],
  ['near rho 1', { rhoMean: 0.95 }],
])('there is no modelled wait %s', (_, given) => {
  expect(modelledWaitMs(auditOf(given))).toBeNull()
})

test('the audit of a run takes the worst process of any step, and lag and canaries of all', () => {
  const runs = [
    runOf(openStep(10), { audits: [auditOf({ worker: 0, rhoMean: 0.1 }), auditOf({ worker: 1, rhoMean: 0.5 })] }),
    runOf(openStep(20), {
      audits: [auditOf({ worker: 0, rhoMean: 0.3 })],
      dead: [{ worker: 2, pid: 1, reason: 'x' }],
    }),
  ]
  const total = recordOf({
    latency: { sendLag: distributionOf(upTo(200)) },
    canary: distributionOf(upTo(50).map((n) => n / 100)),
  })
  expect(clientAudit(runs, total, DEFAULT_LIMITS)).toEqual({
    workers: 3,
    rho: 0.5,
    sendLagP99: 198,
    // Mean lag 100.5, mean wait of the canaries 0.255.
    biasObserved: 100.755,
    // S = 0.5 x 10,000 / 1000 = 5 ms; W = 5 ms.
    biasModelled: 5,
    // p50: 100 and 0.25; p99: 198 and 0.5 (rank 50 of 50).
    floor: { p50: 100.25, p99: 198.5 },
    limit: null,
  })
})

test('without canaries the lag is all there is', () => {
  const total = recordOf({ latency: { sendLag: distributionOf([1, 3]) } })
  expect(clientAudit([], total, DEFAULT_LIMITS)).toMatchObject({ biasObserved: 2, floor: { p50: 1, p99: 3 } })
})

test('a run without load processes has no figures of them', () => {
  expect(clientAudit([], recordOf(), DEFAULT_LIMITS)).toEqual({
    workers: 0,
    rho: 0,
    sendLagP99: null,
    biasObserved: null,
    biasModelled: null,
    floor: null,
    limit: null,
  })
})

describe('the client’s own limit', () => {
  /** A step of 10 s in which so many requests ended each second, with processes of these utilisations. */
  function run(perSecond: number, rhos: readonly number[], given: Partial<StepRun> = {}): StepRun {
    const audits: WorkerAudit[] = rhos.map((rhoMean, worker) => auditOf({ worker, rhoMean }))
    const ends = Array.from({ length: 100 }, () => perSecond / 10)
    return runOf(openStep(perSecond), { audits, bins: binsOf(100, { arrivals: ends, completions: ends }), ...given })
  }
  const limitOf = (...runs: readonly StepRun[]) => clientAudit(runs, recordOf(), DEFAULT_LIMITS).limit

  test.each<[string, readonly StepRun[], number | null]>([
    ['by proportion: at rho 0.5 it did 1000/s, at 0.85 it will do 1700/s', [run(1000, [0.5])], 1700],
    ['of the busiest process, which ends first', [run(1000, [0.2, 0.5])], 1700],
    ['of the step in which it was busiest', [run(100, [0.2]), run(1000, [0.5]), run(400, [0.3])], 1700],
    ['beyond the limit of rho: less than it offered', [run(4000, [1])], 3400],
    ['a step in which nothing ended says nothing', [run(1000, [0.5]), run(0, [0.9])], 1700],
    ['nor one of which no process told', [run(1000, [])], null],
    ['nor idle processes', [run(1000, [0])], null],
    [
      'nor a step shorter than a time bin',
      [run(1000, [], { durationMs: 50, audits: [auditOf({ rhoMean: 0.5, elapsedMs: 50 })] })],
      null,
    ],
  ])('%s', (_, runs, limit) => {
    expect(limitOf(...runs)).toBe(limit)
  })

  test('what ended while the step drained is not counted', () => {
    const ends = Array.from({ length: 150 }, () => 100)
    expect(limitOf(run(1000, [0.5], { bins: binsOf(100, { completions: ends }) }))).toBe(1700)
  })

  test('nor what was never sent', () => {
    // 10,000 ended in 10 s, of which 4000 were not sent: 600/s at rho 0.5.
    const record = recordOf({ counts: countsOf(10_000, { unsent: 4000 }) })
    expect(limitOf(run(1000, [0.5], { record }))).toBe(1020)
  })

  test('a process that fell behind took longer than its step: its rate is over all of that time', () => {
    // 40,000 of a step of 4 s ended in the 10 s that it took to offer them, none of them in the first five.
    const ends = Array.from({ length: 100 }, (_, i) => (i < 50 ? 0 : 800))
    const overrun = { durationMs: 4000, bins: binsOf(100, { completions: ends }) }
    expect(limitOf(run(10_000, [1], overrun))).toBe(3400)
  })

  test('another limit of rho is another end', () => {
    expect(clientAudit([run(1000, [0.5])], recordOf(), { ...DEFAULT_LIMITS, rho: 0.7 }).limit).toBe(1400)
  })
})
