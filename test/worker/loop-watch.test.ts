import { expect, test } from 'vitest'
import { hostNow } from '../../src/worker/clock.ts'
import { LoopWatch } from '../../src/worker/loop-watch.ts'

/** Keeps the loop from turning. */
function block(ms: number): void {
  const until = hostNow() + ms
  while (hostNow() < until);
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

test('tells how long the loop stood still', async () => {
  const watch = new LoopWatch(hostNow(), 0, hostNow)
  await turn()
  block(300)
  await turn()
  watch.offered(0)
  // A pulse is due every 20 ms.
  expect(watch.finish(0).stallMs).toBeGreaterThan(270)
})

test('tells the utilisation of each second, and the mean', async () => {
  const watch = new LoopWatch(hostNow(), 100, hostNow)
  await turn()
  block(150)
  const busy = watch.second()
  await new Promise((resolve) => setTimeout(resolve, 150))
  const idle = watch.second()
  watch.offered(107)
  const audit = watch.finish(3)
  expect(busy).toBeGreaterThan(0.5)
  expect(idle).toBeLessThan(busy)
  expect(audit).toMatchObject({ worker: 3, pid: process.pid, rho: [busy, idle], events: 7 })
  expect(audit.rhoMean).toBeGreaterThan(idle)
  expect(audit.rhoMean).toBeLessThan(busy)
})

test('what comes after the load was offered is no second of it, but a stall still counts', async () => {
  const watch = new LoopWatch(hostNow(), 0, hostNow)
  watch.offered(5)
  block(200)
  watch.second()
  await turn()
  const audit = watch.finish(0)
  expect(audit.rho).toEqual([])
  expect(audit.events).toBe(5)
  expect(audit.stallMs).toBeGreaterThan(170)
})

test('a part of a second too short to tell repeats the figure before', async () => {
  const watch = new LoopWatch(hostNow(), 0, hostNow)
  block(150)
  const whole = watch.second()
  expect(watch.rest()).toBe(whole)
  watch.offered(0)
  watch.finish(0)
})
