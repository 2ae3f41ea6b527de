import { expect, test } from 'vitest'
import { simulateStep } from '../../src/analysis/queue.ts'
import { seededRandom } from '../../src/arrivals/random.ts'

const never = () => 0.5

test.each([
  // [servers, requests, duration, from, arrivals, ends, in words]; service 100 ms
  [1, 10, 2000, 0, 10, 10, 'one every 200 ms: each is over before the next'],
  [1, 10, 2000, 1000, 5, 5, 'its second half'],
  [1, 20, 1000, 0, 20, 9, 'one every 50 ms: ends at 100, 200, ..., 900 within the second'],
  [1, 20, 1000, 500, 10, 5, 'its second half: 500, 600, 700, 800, 900'],
  [2, 20, 1000, 500, 10, 10, 'two servers carry it: ends at 50 k + 100'],
])(
  '%d servers, %d requests in %d ms, from %d ms on: %d arrivals, %d ends (%s)',
  (servers, requests, durationMs, fromMs, arrivals, ends) => {
    const step = { requests, durationMs, fromMs, toMs: durationMs }
    expect(simulateStep({ servers, serviceMs: [100] }, step, 'constant', never)).toEqual({ arrivals, ends })
  },
)

test('Poisson arrivals given their count: all of them within the step, spread evenly', () => {
  const step = { requests: 10_000, durationMs: 1000, fromMs: 0, toMs: 1000 }
  const queue = { servers: 1, serviceMs: [0] }
  const random = seededRandom(1)
  expect(simulateStep(queue, step, 'poisson', random)).toEqual({ arrivals: 10_000, ends: 10_000 })
  // A quarter of them has a deviation of sqrt(10,000 x 3/16) = 43: 170 is four of these.
  const quarter = simulateStep(queue, { ...step, fromMs: 750 }, 'poisson', random).arrivals
  expect(Math.abs(quarter - 2500)).toBeLessThan(170)
})
