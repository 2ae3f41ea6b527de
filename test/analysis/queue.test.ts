import { expect, test } from 'vitest'
import { simulateStep } from '../../src/analysis/queue.ts'
import { seededRandom } from '../../src/arrivals/random.ts'

const never = () => 0.5

/** A step whose rates are plain counts of [fromMs, durationMs) in bins of 50 ms. */
function stepOf(requests: number, durationMs: number, fromMs = 0) {
  const weights = Float64Array.from({ length: durationMs / 50 }, (_, bin) => (bin * 50 < fromMs ? 0 : 1))
  return { requests, durationMs, taper: { widthMs: 50, lengthMs: durationMs - fromMs, weights }, lag: 0 }
}

test.each([
  // [servers, requests, duration, from, offered, achieved, in words]; service 100 ms
  [1, 10, 2000, 0, 10, 10, 'one every 200 ms: each is over before the next'],
  [1, 10, 2000, 1000, 5, 5, 'its second half'],
  [1, 20, 1000, 0, 20, 9, 'one every 50 ms: ends at 100, 200, ..., 900 within the second'],
  [1, 20, 1000, 500, 10, 5, 'its second half: 500, 600, 700, 800, 900'],
  [2, 20, 1000, 500, 10, 10, 'two servers carry it: ends at 50 k + 100'],
])(
  '%d servers, %d requests in %d ms, from %d ms on: %d arrivals, %d ends (%s)',
  (servers, requests, durationMs, fromMs, offered, achieved) => {
    const step = stepOf(requests, durationMs, fromMs)
    expect(simulateStep({ servers, serviceMs: [100] }, step, 'constant', never)).toEqual({ offered, achieved })
  },
)

test('each arrival and end weighs what its bin weighs, arrivals as if they came later by the lag', () => {
  // Arrivals at 0, 50, 100, 150 ms, ends at 70, 140, 210, 280 ms: bins 0 1 2 3, of ends 1 2 4 5.
  const weights = Float64Array.of(0, 0, 1, 10, 100, 1000)
  const step = { requests: 4, durationMs: 200, taper: { widthMs: 50, lengthMs: 200, weights }, lag: 1 }
  expect(simulateStep({ servers: 1, serviceMs: [70] }, step, 'constant', never)).toEqual({
    offered: 0 + 1 + 10 + 100,
    achieved: 0 + 1 + 100 + 1000,
  })
})

test('Poisson arrivals given their count: all of them within the step, spread evenly', () => {
  const queue = { servers: 1, serviceMs: [0] }
  const random = seededRandom(1)
  expect(simulateStep(queue, stepOf(10_000, 1000), 'poisson', random)).toEqual({ offered: 10_000, achieved: 10_000 })
  // A quarter of them has a deviation of sqrt(10,000 x 3/16) = 43: 170 is four of these.
  const quarter = simulateStep(queue, stepOf(10_000, 1000, 750), 'poisson', random).offered
  expect(Math.abs(quarter - 2500)).toBeLessThan(170)
})
