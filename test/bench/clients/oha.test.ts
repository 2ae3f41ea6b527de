import { describe, expect, test } from 'vitest'
import { ohaTold } from '../../../bench/bias/clients/oha.ts'

const WORKLOAD = { rate: 1000, seconds: 5, tokens: 1, workMs: 0, seed: 1 }

/** Output by oha's JSON schema, cut to the parts that matter; times in seconds. */
const OUTPUT = {
  summary: { successRate: 1, total: 5.0012, slowest: 0.0098, fastest: 0.0001, average: 0.00045, requestsPerSec: 999.8 },
  latencyPercentiles: { p10: 0.0002, p50: 0.0004, p99: 0.0021, 'p99.9': 0.0043, 'p99.99': 0.0098 },
  statusCodeDistribution: { '200': 4990 },
  errorDistribution: { 'aborted due to deadline': 3 },
}

describe('ohaTold', () => {
  test('reads replies, mean and p99, and turns seconds into ms', () => {
    const told = ohaTold(JSON.stringify(OUTPUT), WORKLOAD, 499)
    expect(told.achieved).toBe(998)
    expect(told.e2e.meanMs).toBeCloseTo(0.45)
    expect(told.e2e.p99Ms).toBeCloseTo(2.1)
    expect(told.cpuUs).toBeCloseTo(100)
  })

  test('takes what the end cut off for no failure, and other errors and statuses for one', () => {
    expect(ohaTold(JSON.stringify(OUTPUT), WORKLOAD, null).unanswered).toBe(0)
    const bad = {
      ...OUTPUT,
      statusCodeDistribution: { '200': 4990, '503': 6 },
      errorDistribution: { 'aborted due to deadline': 3, 'connection closed before message completed': 4 },
    }
    expect(ohaTold(JSON.stringify(bad), WORKLOAD, null).unanswered).toBeCloseTo(10 / 5000)
  })

  test('has no latency where there was no reply: NaN comes as null', () => {
    const none = {
      ...OUTPUT,
      summary: { ...OUTPUT.summary, average: null },
      latencyPercentiles: { ...OUTPUT.latencyPercentiles, p99: null },
      statusCodeDistribution: {},
    }
    const told = ohaTold(JSON.stringify(none), WORKLOAD, 10)
    expect(told).toMatchObject({ achieved: 0, e2e: { meanMs: null, p99Ms: null }, cpuUs: null })
  })

  test('refuses another shape', () => {
    expect(() => ohaTold('{}', WORKLOAD, null)).toThrow('its shape has changed')
  })
})
