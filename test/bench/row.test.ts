import { describe, expect, test } from 'vitest'
import type { Told } from '../../bench/bias/clients/bench-client.ts'
import { median, type Run, rowOf, verdictOf } from '../../bench/bias/row.ts'

function run(given: Partial<Told>, served: Run['served'] = { replies: 10, meanMs: 0.25, p99Ms: 1 }): Run {
  const told: Told = {
    client: 'client',
    achieved: 100,
    onTime: 1,
    e2e: { meanMs: 1, p99Ms: 5 },
    rho: 0.5,
    modelledMs: null,
    observedMs: null,
    cpuUs: 50,
    unanswered: 0,
    voids: [],
    notes: [],
    ...given,
  }
  return { told, served }
}

const LOAD = { load: '100 req/s', level: null, offered: 100 }

describe('rowOf', () => {
  test('takes each figure by itself, the server off each run', () => {
    const row = rowOf(LOAD, [
      run({ achieved: 99, e2e: { meanMs: 1, p99Ms: 9 } }),
      run({ achieved: 98, e2e: { meanMs: 3, p99Ms: 5 } }, { replies: 10, meanMs: 1, p99Ms: 2 }),
      run({ achieved: 90, e2e: { meanMs: 2, p99Ms: 7 } }),
    ])
    // Means above the server: 0.75, 2, 1.75; p99: 8, 3, 6.
    expect(row).toMatchObject({ achieved: 98, addedMean: 1.75, addedP99: 6, verdict: 'valid' })
  })

  test('has nothing added where the two cannot be compared', () => {
    expect(rowOf(LOAD, [run({}, null)])).toMatchObject({ addedMean: null, addedP99: null, cpuUs: 50 })
    expect(rowOf(LOAD, [run({ e2e: { meanMs: null, p99Ms: null } })])).toMatchObject({ addedMean: null })
  })
})

describe('median', () => {
  test.for<[values: (number | null)[], middle: number | null]>([
    [[3, 1, 2], 2],
    [[4, 1], 4],
    [[7], 7],
    [[null], null],
    [[null, 5, 6], 6],
    [[null, null, 5], null],
    [[null, 5], null],
    [[], null],
  ])('of %j is %j', ([values, middle]) => expect(median(values)).toBe(middle))
})

describe('verdictOf', () => {
  test.for<[voids: (string[] | null)[], unanswered: number, verdict: string]>([
    [[[], [], []], 0, 'valid'],
    [[['rho']], 0, 'void (rho)'],
    [[['rho'], [], ['rho', 'stall']], 0, 'void in 2 of 3 (rho, stall)'],
    [[null, null], 0, 'no audit'],
    [[null], 0.78, 'no audit, 78 % unanswered'],
    [[[]], 0.004, 'valid'],
  ])('of %j with %d unanswered', ([voids, unanswered, verdict]) => expect(verdictOf(voids, unanswered)).toBe(verdict))
})
