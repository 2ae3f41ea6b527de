import { describe, expect, test } from 'vitest'
import type { CostSample } from '../../src/pool/cost-sample.ts'
import { costAtHalf, nextRate } from '../../src/pool/cost-search.ts'

/** A step at this rate whose replies cost so much; events cost what replies do. */
function sample(rate: number, replyMs: number, changes: Partial<CostSample> = {}): CostSample {
  return { rate, rho: (rate * replyMs) / 1000, replyMs, eventMs: replyMs, fault: null, ...changes }
}

describe('the next rate', () => {
  test.each<[string, readonly CostSample[], number]>([
    // full at 20,000/s: half of it, less what an open loop costs more (0.6)
    ['begins below half of what a closed loop did', [], 6000],
    // 0.05 ms a reply: 10,000/s keep the loop half busy
    ['is the one that should be half', [sample(6000, 0.05)], 10_000],
    ['goes down too', [sample(6000, 0.125)], 4000],
    // 0.01 ms would be 50,000/s
    ['goes up by three at most', [sample(6000, 0.01)], 18_000],
    // 1 ms would be 500/s
    ['goes down by three at most', [sample(6000, 1)], 2000],
    ['is half the last one after a step that was not sound', [sample(6000, 0.01, { fault: 'stood still' })], 3000],
    ['looks at the last step only', [sample(6000, 0.01), sample(8000, 0.0625)], 8000],
  ])('%s', (_, samples, rate) => {
    expect(nextRate(20_000, samples)).toBeCloseTo(rate, 6)
  })

  test('comes to a half-busy loop from anywhere, where costs do not change', () => {
    for (const replyMs of [0.01, 0.08, 0.8]) {
      const samples: CostSample[] = []
      for (let i = 0; i < 5; i++) samples.push(sample(nextRate(10_000, samples), replyMs))
      expect(samples.at(-1)!.rho).toBeCloseTo(0.5, 9)
    }
  })
})

describe('the cost', () => {
  const at = (rho: number, eventMs: number, fault: string | null = null) => sample(0, 0, { rho, eventMs, fault })

  test.each<[string, readonly CostSample[], { ms: number; limited: boolean } | null]>([
    ['is the median near half', [at(0.4, 3), at(0.5, 1), at(0.6, 2)], { ms: 2, limited: false }],
    ['of two is the higher', [at(0.4, 1), at(0.5, 2)], { ms: 2, limited: false }],
    // both ends belong to it, what is beyond does not
    ['is of 0.35 to 0.65', [at(0.34, 9), at(0.35, 2), at(0.65, 1), at(0.66, 9)], { ms: 2, limited: false }],
    ['is of sound steps', [at(0.5, 9, 'stood still'), at(0.5, 1)], { ms: 1, limited: false }],
    // the nearest is the lowest bound, and a bound it is
    ['below half is a bound, of the nearest', [at(0.1, 4), at(0.3, 2), at(0.2, 3)], { ms: 2, limited: true }],
    ['above half is the dearest', [at(0.9, 2), at(0.8, 3), at(0.7, 1)], { ms: 3, limited: true }],
    ['on both sides is the one from below', [at(0.9, 2), at(0.2, 3)], { ms: 3, limited: true }],
    ['without a sound step is none', [at(0.5, 1, 'stood still')], null],
  ])('%s', (_, samples, cost) => {
    expect(costAtHalf(samples)).toEqual(cost)
  })
})
