import { describe, expect, test } from 'vitest'
import type { Instrument } from '../../src/analysis/mend.ts'
import { voidsOf } from '../../src/analysis/voids.ts'
import type { VoidReason, WorkerAudit } from '../../src/model/audit.ts'
import type { MachineUse } from '../../src/model/machine.ts'
import { DEFAULT_LIMITS, type Limits } from '../../src/model/plan.ts'
import type { StepRun } from '../../src/model/profile.ts'
import { auditOf, countsOf, openStep, recordOf, runOf } from './records.ts'

const EIGHT_CORES: Instrument = { workers: 2, cores: 8, limit: 4100 }

function voids(given: Partial<StepRun>, instrument = EIGHT_CORES, limits: Partial<Limits> = {}): VoidReason[] {
  const run = runOf(openStep(4000), { record: recordOf({ counts: countsOf(100) }), audits: [auditOf()], ...given })
  return voidsOf(run, { ...DEFAULT_LIMITS, ...limits }, instrument)
}

/** So many busy seconds of so many. */
function busy(seconds: number, of: number, worker = 0, rho = 0.93): WorkerAudit {
  return auditOf({ worker, rho: Array.from({ length: of }, (_, i) => (i < seconds ? rho : 0.2)) })
}

test('a sound step has no reason', () => {
  expect(voids({})).toEqual([])
  expect(voids({ audits: [] })).toEqual([])
})

describe('busy load processes', () => {
  test.each([
    [1, 5, 0, 'one second is never enough, though it is a fifth'],
    [2, 20, 1, 'two seconds, a tenth'],
    [2, 21, 0, 'two seconds, less than a tenth'],
    [2, 2, 1, 'two of two'],
    [3, 30, 1, 'three of thirty'],
  ])('%d busy seconds of %d: %d reasons (%s)', (seconds, of, reasons) => {
    expect(voids({ audits: [busy(seconds, of)] })).toHaveLength(reasons)
  })

  test('a limit is reached at its own value', () => {
    expect(voids({ audits: [auditOf({ rho: [0.85, 0.85] })] })).toHaveLength(1)
    expect(voids({ audits: [auditOf({ rho: [0.849, 0.849] })] })).toEqual([])
  })

  test('the limits can be set', () => {
    const audits = [auditOf({ rho: [0.6, 0.6, 0.6, 0.2, 0.2, 0.2] })]
    expect(voids({ audits }, EIGHT_CORES, { rho: 0.6 })).toHaveLength(1)
    expect(voids({ audits }, EIGHT_CORES, { rho: 0.6, busySeconds: 0.5 })).toHaveLength(1)
    expect(voids({ audits }, EIGHT_CORES, { rho: 0.6, busySeconds: 0.51 })).toEqual([])
  })

  test.each<[string, readonly WorkerAudit[], string]>([
    ['one of one', [busy(4, 10)], 'the load process reached rho 0.93 at 4000 req/s (4 of 10 s'],
    ['one of several', [auditOf({ worker: 1 }), busy(4, 10)], '1 of 2 load processes reached rho 0.93 at 4000 req/s'],
    [
      'all',
      [busy(2, 10), busy(4, 10, 1, 0.97)],
      'all 2 load processes reached rho 0.97 at 4000 req/s (4 of 10 s at or above the limit of 0.85); this machine has 8 cores: set workers to 4',
    ],
    [
      'some, counted together, with the highest figures among them',
      [busy(9, 10, 0, 0.86), busy(2, 12, 1, 0.99), auditOf({ worker: 2, rho: [1, 0.2, 0.2] })],
      '2 of 3 load processes reached rho 0.99 at 4000 req/s (9 of 12 s',
    ],
  ])('%s: one reason', (_, audits, message) => {
    expect(voids({ audits })).toEqual([{ check: 'rho', message: expect.stringContaining(message) }])
  })

  test('the message ends with what to do on this machine', () => {
    expect(voids({ audits: [busy(4, 10), busy(4, 10, 1)] })[0]?.message).toMatch(
      /; this machine has 8 cores: set workers to 4$/,
    )
    expect(voids({ audits: [busy(4, 10)] }, { workers: 1, cores: 2, limit: 4100 })[0]?.message).toMatch(
      /; this machine has 2 cores, none left for more workers: use one with more, or offer at most about 4100 req\/s$/,
    )
  })
})

test.each<[string, Partial<StepRun>, VoidReason['check'], string]>([
  [
    'a stall beyond the limit',
    { audits: [auditOf({ worker: 2, stallMs: 251 })] },
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
])('%s voids the step', (_, given, check, message) => {
  expect(voids(given)).toEqual([{ check, message }])
})

test('what is within its limit voids nothing', () => {
  expect(
    voids({
      audits: [auditOf({ stallMs: 250 })],
      server: { writes: 1000, late: 10, worstMs: 40 },
      record: recordOf({ counts: countsOf(100, { failed: 50 }), byKind: { reset: 50 } }),
    }),
  ).toEqual([])
  expect(voids({ server: { writes: 0, late: 0, worstMs: 0 } })).toEqual([])
})

test('every stalled process has a reason of its own, and every check comes in one order', () => {
  const found = voids({
    dead: [{ worker: 2, pid: 9, reason: 'exit code 1' }],
    record: recordOf({
      counts: { ...countsOf(100, { unsent: 4, failed: 2 }), planned: 101 },
      byKind: { client: 2, unsent: 4 },
    }),
    audits: [auditOf({ stallMs: 900, rho: [0.9, 0.9] }), auditOf({ worker: 1, stallMs: 300 })],
    server: { writes: 10, late: 10, worstMs: 40 },
  })
  expect(found.map(({ check }) => check)).toEqual([
    'dead-process',
    'lost-requests',
    'rho',
    'stall',
    'stall',
    'in-flight',
    'client-failures',
    'late-server',
  ])
})

describe('what the machine withheld is named', () => {
  const used = (given: Partial<MachineUse>): MachineUse => {
    return { throttledMs: null, throttledPeriods: null, stealMs: null, ...given }
  }
  test.each<[Partial<MachineUse>, string]>([
    [{}, ''],
    [{ throttledMs: 100, stealMs: 100 }, ''],
    [{ throttledMs: 1420, throttledPeriods: 30 }, ' (its CPU quota throttled it for 1420 ms)'],
    [{ stealMs: 250 }, ' (the host gave 250 ms of its CPU to others)'],
    [
      { throttledMs: 300, throttledPeriods: 9, stealMs: 250 },
      ' (its CPU quota throttled it for 300 ms, the host gave 250 ms of its CPU to others)',
    ],
  ])('%j', (given, clause) => {
    const machine = used(given)
    const [stall, rho] = [
      voids({ machine, audits: [auditOf({ stallMs: 400 })] }),
      voids({ machine, audits: [busy(4, 10)] }),
    ].map((found) => found[0]?.message)
    expect(stall).toBe(
      `load process 1 (pid 123) stood still for 400 ms at 4000 req/s, the limit is 250 ms${clause}: leave more of the machine to it`,
    )
    expect(rho).toBe(
      `the load process reached rho 0.93 at 4000 req/s (4 of 10 s at or above the limit of 0.85)${clause}; this machine has 8 cores: set workers to 4`,
    )
    // Taken from a client that kept up, it is no reason.
    expect(voids({ machine })).toEqual([])
  })
})

describe('requests not sent because as many were in flight as may be', () => {
  const full = (unsent: number, given: Parameters<typeof recordOf>[0] = {}) =>
    recordOf({ counts: countsOf(1000, { unsent }), byKind: { unsent }, ...given })

  test('are the server’s failures while the client is healthy', () => {
    expect(voids({ record: full(300) })).toEqual([])
    // 693 of 700 on time are 99 %.
    expect(voids({ record: full(300, { onTime: 693 }) })).toEqual([])
    expect(voids({ record: full(300), audits: [auditOf({ rho: [0.84, 0.84] })] })).toEqual([])
  })

  test('void the step when a load process was at the limit of rho for but a second', () => {
    expect(voids({ record: full(300), audits: [auditOf(), busy(1, 10, 1, 0.9)] })).toEqual([
      {
        check: 'in-flight',
        message:
          '300 requests could not be sent at 4000 req/s, as many in flight as maxInFlight allows, while a load process was at rho 0.90, the limit is 0.85; this machine has 8 cores: set workers to 4',
      },
    ])
  })

  test('void the step when others were sent late', () => {
    expect(voids({ record: full(1, { onTime: 900 }) })).toEqual([
      {
        check: 'in-flight',
        message:
          '1 request could not be sent at 4000 req/s, as many in flight as maxInFlight allows, while only 90.1 % of the others were sent on time, the limit is 99 %; this machine has 8 cores: set workers to 3',
      },
    ])
  })

  test('an unhealthy client that could send all it should is no matter of the cap', () => {
    expect(voids({ record: full(0, { onTime: 10 }), audits: [busy(1, 10)] })).toEqual([])
  })
})
