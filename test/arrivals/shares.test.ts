import { describe, expect, test } from 'vitest'
import { closedShare, shareOf } from '../../src/arrivals/shares.ts'
import type { ClosedStep } from '../../src/model/step.ts'

describe('shareOf', () => {
  test.each([
    // 0, 3, 6, 9 of 0..9.
    { count: 10, worker: 0, workers: 3, share: { first: 0, stride: 3, count: 4 } },
    // 2, 5, 8.
    { count: 10, worker: 2, workers: 3, share: { first: 2, stride: 3, count: 3 } },
    // One process has it all.
    { count: 10, worker: 0, workers: 1, share: { first: 0, stride: 1, count: 10 } },
    // More processes than requests: the last one has none.
    { count: 10, worker: 9, workers: 64, share: { first: 9, stride: 64, count: 1 } },
    { count: 10, worker: 63, workers: 64, share: { first: 63, stride: 64, count: 0 } },
    { count: Infinity, worker: 1, workers: 2, share: { first: 1, stride: 2, count: Infinity } },
  ])('$count for process $worker of $workers', ({ count, worker, workers, share }) => {
    expect(shareOf(count, worker, workers)).toEqual(share)
  })
})

describe('closedShare', () => {
  const step = (concurrency: number, requests: number | null): ClosedStep => ({
    kind: 'closed',
    concurrency,
    durationMs: requests === null ? 1000 : null,
    requests,
  })

  test.each([
    // Slots 0, 2, 4 and requests 0, 2, .., 10.
    {
      name: 'an even deal',
      of: step(5, 11),
      worker: 0,
      workers: 2,
      share: { slots: 3, requests: { first: 0, stride: 2, count: 6 } },
    },
    // Only processes 0 and 1 have a slot, so they alone have requests: 1, 3, .., 9.
    {
      name: 'fewer slots than processes',
      of: step(2, 10),
      worker: 1,
      workers: 8,
      share: { slots: 1, requests: { first: 1, stride: 2, count: 5 } },
    },
    {
      name: 'a process without a slot',
      of: step(2, 10),
      worker: 2,
      workers: 8,
      share: { slots: 0, requests: { first: 2, stride: 2, count: 0 } },
    },
    // Ended by its duration: no limit, but numbers of its own.
    {
      name: 'no number of requests',
      of: step(4, null),
      worker: 1,
      workers: 3,
      share: { slots: 1, requests: { first: 1, stride: 3, count: Infinity } },
    },
    {
      name: 'no number of requests and no slot',
      of: step(1, null),
      worker: 1,
      workers: 3,
      share: { slots: 0, requests: { first: 1, stride: 1, count: 0 } },
    },
  ])('$name', ({ of, worker, workers, share }) => expect(closedShare(of, worker, workers)).toEqual(share))
})
