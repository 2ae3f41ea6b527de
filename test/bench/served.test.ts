import { describe, expect, test } from 'vitest'
import { summaryOf } from '../../bench/bias/sample-summary.ts'
import { servedBetween } from '../../bench/bias/served.ts'

function request(arrived: number, actual: number[], ended: 'complete' | 'disconnected' = 'complete') {
  return {
    id: null,
    arrived,
    waited: 0,
    started: arrived,
    delayed: 0,
    promptTokens: 1,
    outputTokens: 1,
    planned: actual,
    actual,
    blocked: 0,
    ended,
  }
}

describe('servedBetween', () => {
  test('takes arrival to last write of complete replies to requests of that time', () => {
    const ledger = [
      request(99, [100]),
      request(100, [101, 104]),
      request(150, [152]),
      request(160, [161], 'disconnected'),
      request(201, [300]),
    ]
    expect(servedBetween(ledger, 100, 200)).toEqual({ replies: 2, meanMs: 3, p99Ms: 4 })
  })

  test('of nothing is nothing', () => {
    expect(servedBetween([], 0, 1)).toEqual({ replies: 0, meanMs: null, p99Ms: null })
  })
})

describe('summaryOf', () => {
  test('takes p99 by nearest rank', () => {
    const samples = Array.from({ length: 200 }, (_, i) => 200 - i)
    expect(summaryOf(samples)).toEqual({ meanMs: 100.5, p99Ms: 198 })
    expect(summaryOf([7])).toEqual({ meanMs: 7, p99Ms: 7 })
  })
})
