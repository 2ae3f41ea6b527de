import { describe, expect, test } from 'vitest'
import { k6Told } from '../../../bench/bias/clients/k6.ts'

const WORKLOAD = { rate: 1000, seconds: 5, tokens: 1, workMs: 0, seed: 1 }

/** The object that `handleSummary` is given, cut to what concerns HTTP (shape of the documentation). */
function summary(metrics: Readonly<Record<string, unknown>>): string {
  return JSON.stringify({
    root_group: { name: '', path: '', id: 'd41d8cd98f00b204e9800998ecf8427e', groups: [], checks: [] },
    options: { summaryTrendStats: ['avg', 'med', 'p(99)', 'max'], summaryTimeUnit: '', noColor: false },
    state: { isStdOutTTY: false, isStdErrTTY: false, testRunDurationMs: 5001.2 },
    metrics,
  })
}

const REQUESTS = { type: 'counter', contains: 'default', values: { count: 4900, rate: 979.8 } }
const DURATION = {
  type: 'trend',
  contains: 'time',
  values: { avg: 0.75, med: 0.5, 'p(99)': 4.25, max: 9.5 },
}

describe('k6Told', () => {
  test('reads count, mean and p99 in ms, and CPU per reply', () => {
    const told = k6Told(summary({ http_reqs: REQUESTS, http_req_duration: DURATION }), WORKLOAD, 980)
    expect(told).toMatchObject({ achieved: 980, e2e: { meanMs: 0.75, p99Ms: 4.25 }, cpuUs: 200, unanswered: 0 })
    expect(told).toMatchObject({ voids: null, rho: null, notes: [] })
  })

  test('counts dropped arrivals and failed requests as unanswered, and names the dropped', () => {
    const dropped = { type: 'counter', contains: 'default', values: { count: 51, rate: 10.2 } }
    const failed = { type: 'rate', contains: 'default', values: { rate: 0.01, passes: 49, fails: 4851 } }
    const metrics = { http_reqs: REQUESTS, http_req_duration: DURATION, dropped_iterations: dropped }
    const told = k6Told(summary({ ...metrics, http_req_failed: failed }), WORKLOAD, null)
    expect(told.unanswered).toBeCloseTo((51 + 49) / 5000)
    expect(told.notes).toEqual(['k6: 51 arrivals dropped'])
    expect(told.cpuUs).toBeNull()
  })

  test('refuses the machine-readable shape of k6 1.5, in which metrics are a list', () => {
    const json = JSON.stringify({
      version: '1.0.0',
      results: { metrics: [{ name: 'http_reqs', values: { count: 1 } }] },
    })
    expect(() => k6Told(json, WORKLOAD, null)).toThrow('its shape has changed')
  })
})
