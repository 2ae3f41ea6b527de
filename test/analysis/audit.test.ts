import { describe, expect, test } from 'vitest'
import { clientAudit, modelledWaitMs, voidsOf } from '../../src/analysis/audit.ts'
import { DEFAULT_LIMITS } from '../../src/model/plan.ts'
import type { StepRun, WorkerAudit } from '../../src/model/profile.ts'
import { countsOf, openStep, recordOf, runOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

function audit(given: Partial<WorkerAudit> = {}): WorkerAudit {
  const rho = given.rho ?? [0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]
  return { worker: 2, pid: 123, rho, rhoMean: 0.2, stallMs: 5, events: 1000, elapsedMs: 10_000, ...given }
}

function voids(given: Partial<StepRun>, cores?: number) {
  return voidsOf(
    runOf(openStep(4000), { record: recordOf({ counts: countsOf(100) }), audits: [audit()], ...given }),
    DEFAULT_LIMITS,
    cores,
  )
}

/** So many busy seconds of so many. */
function busy(seconds: number, of: number): WorkerAudit {
  return audit({ rho: Array.from({ length: of }, (_, i) => (i < seconds ? 0.93 : 0.2)) })
}

test('a sound step has no reason', () => {
  expect(voids({})).toEqual([])
})

describe('a busy load process', () => {
  test.each([
    [1, 5, 0, 'one second is never enough, though it is a fifth'],
    [2, 20, 1, 'two seconds, a tenth'],
    [2, 21, 0, 'two seconds, less than a tenth'],
    [2, 2, 1, 'two of two'],
    [3, 30, 1, 'three of thirty'],
  ])('%d busy seconds of %d: %d reasons (%s)', (seconds, of, reasons) => {
    expect(voids({ audits: [busy(seconds, of)] })).toHaveLength(reasons)
  })

  test('says which, how busy, how long, the limit, and what to do', () => {
    expect(voids({ audits: [audit({ worker: 1 }), busy(4, 10)] })).toEqual([
      {
        check: 'rho',
        message:
          'load process 3 (pid 123) reached rho 0.93 in 4 of 10 s at 4000 req/s, the limit is 0.85: use more workers',
      },
    ])
  })

  test('a limit is reached at its own value', () => {
    expect(voids({ audits: [audit({ rho: [0.85, 0.85] })] })).toHaveLength(1)
    expect(voids({ audits: [audit({ rho: [0.849, 0.849] })] })).toEqual([])
  })

  test('where every core has a worker, more workers are no mend', () => {
    expect(voids({ audits: [busy(4, 10)] }, 2)[0]?.message).toContain('use a machine with more cores')
    expect(voids({ audits: [busy(4, 10)] }, 8)[0]?.message).toContain('use more workers')
  })
})

test.each([
  [
    'a stall beyond the limit',
    { audits: [audit({ stallMs: 251 })] },
    'stall',
    'load process 3 (pid 123) stood still for 251 ms at 4000 req/s, the limit is 250 ms: leave more of the machine to it',
  ],
  [
    'a dead load process',
    { dead: [{ worker: 1, pid: 77, reason: 'SIGKILL' }] },
    'dead-process',
    'load process 2 (pid 77) died at 4000 req/s: SIGKILL; its requests are lost, run again',
  ],
  [
    'a request that was planned and never told of again',
    { record: recordOf({ counts: { ...countsOf(100), planned: 103 } }) },
    'lost-requests',
    '3 requests lost at 4000 req/s (103 planned, 100 sent, 0 unsent), the limit is 0: run again',
  ],
  [
    'a request that was sent and has no end',
    { record: recordOf({ counts: { ...countsOf(100), completed: 98 } }) },
    'lost-requests',
    '2 requests lost at 4000 req/s (100 sent, 98 ended), the limit is 0: run again',
  ],
  [
    'a request told of twice',
    { record: recordOf({ counts: { ...countsOf(100), planned: 99 } }) },
    'lost-requests',
    '1 request counted too often at 4000 req/s (99 planned, 100 sent, 0 unsent), the limit is 0: run again',
  ],
  [
    'failures of the client',
    { record: recordOf({ counts: countsOf(100, { failed: 3 }), byKind: { client: 2, reset: 1 } }) },
    'client-failures',
    '2 requests failed for want of descriptors or ports of the client at 4000 req/s, the limit is 0: raise the limit of open files, or lower maxInFlight',
  ],
  [
    'an embedded server that was late',
    { server: { writes: 1000, late: 11, worstMs: 40 } },
    'late-server',
    'the embedded server was late with 1.1 % of its writes at 4000 req/s (at worst 40 ms), the limit is 1 %: offer less, or leave it a core of its own',
  ],
] as const)('%s voids the step', (_, given, check, message) => {
  expect(voids(given)).toEqual([{ check, message }])
})

test('what is within its limit voids nothing', () => {
  expect(
    voids({
      audits: [audit({ stallMs: 250 })],
      server: { writes: 1000, late: 10, worstMs: 40 },
      record: recordOf({ counts: countsOf(100, { failed: 50, unsent: 10 }), byKind: { reset: 50, unsent: 10 } }),
    }),
  ).toEqual([])
})

test.each([
  // S = rho x elapsed / events; W = rho x S / (1 - rho) with cv = 1
  [0.5, 10_000, 1000, 5, 'S = 5 ms, W = 0.5 x 5 / 0.5'],
  [0.2, 10_000, 2000, 0.25, 'S = 1 ms, W = 0.2 x 1 / 0.8'],
  [0, 10_000, 10, 0, 'idle'],
])('at rho %d over %d ms with %d events the modelled wait is %d ms (%s)', (rhoMean, elapsedMs, events, wait) => {
  expect(modelledWaitMs(audit({ rhoMean, elapsedMs, events }))).toBeCloseTo(wait, 12)
})

test.each([
  ['without events', { events: 0 }],
  ['near rho 1', { rhoMean: 0.95 }],
])('there is no modelled wait %s', (_, given) => {
  expect(modelledWaitMs(audit(given))).toBeNull()
})

test('the audit of a run takes the worst process of any step, and the send lag of all requests', () => {
  const runs = [
    runOf(openStep(10), { audits: [audit({ worker: 0, rhoMean: 0.1 }), audit({ worker: 1, rhoMean: 0.5 })] }),
    runOf(openStep(20), { audits: [audit({ worker: 0, rhoMean: 0.3 })], dead: [{ worker: 2, pid: 1, reason: 'x' }] }),
  ]
  const total = recordOf({ latency: { sendLag: distributionOf(upTo(200)) } })
  expect(clientAudit(runs, total)).toEqual({
    workers: 3,
    rho: 0.5,
    sendLagP99: 198,
    biasObserved: 100.5,
    // S = 0.5 x 10,000 / 1000 = 5 ms; W = 5 ms.
    biasModelled: 5,
  })
})

test('a run without load processes has no figures of them', () => {
  expect(clientAudit([], recordOf())).toEqual({
    workers: 0,
    rho: 0,
    sendLagP99: null,
    biasObserved: null,
    biasModelled: null,
  })
})
