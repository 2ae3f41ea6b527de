import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { GcWatch } from '../../src/worker/gc-watch.ts'
import { LoopLateness } from '../../src/worker/loop-lateness.ts'
import { type Instruments, LoopWatch } from '../../src/worker/loop-watch.ts'
import { block, nextTurn } from './event-loop.ts'

const NO_LAG = new LatencyHistogram(2).toData()

let instruments: Instruments & { readonly lateness: LoopLateness; readonly gc: GcWatch }
beforeEach(() => {
  instruments = { now: hostNow, lateness: new LoopLateness(hostNow), gc: new GcWatch() }
})
afterEach(() => {
  instruments.lateness.stop()
  instruments.gc.stop()
})

/** A watch over a step that begins now, or so much later, ms; after so many events. */
function watchFrom(events: number, canary = new LatencyHistogram(2), ahead = 0): LoopWatch {
  instruments.lateness.forget()
  return new LoopWatch({ startAt: hostNow() + ahead, recording: { canary } }, events, instruments)
}

test('tells how long the loop stood still', async () => {
  const watch = watchFrom(0)
  await nextTurn()
  block(300)
  // The loop tells of it in one of its next turns, as long as a pulse takes to beat.
  await vi.waitUntil(() => instruments.lateness.recent > 0, { interval: 1 })
  watch.offered(0)
  expect(watch.finish(0, 0).stallMs).toBeGreaterThanOrEqual(300)
})

test('tells the utilisation of each second and its CPU, and the mean', async () => {
  const watch = watchFrom(100)
  await nextTurn()
  block(150)
  const busy = watch.second(NO_LAG)
  await new Promise((resolve) => setTimeout(resolve, 150))
  const idle = watch.second(NO_LAG)
  watch.offered(107)
  const audit = watch.finish(3, 12)
  expect(busy).toBeGreaterThan(0.5)
  expect(idle).toBeLessThan(busy)
  expect(audit).toMatchObject({ worker: 3, pid: process.pid, events: 7, mostInFlight: 12 })
  expect(audit.seconds.map(({ rho }) => rho)).toEqual([busy, idle])
  expect(audit.rhoMean).toBeGreaterThan(idle)
  expect(audit.rhoMean).toBeLessThan(busy)
  // In cores: all threads of this process over the time that has passed, however little of the machine it got.
  const [first, second] = audit.seconds.map(({ cpu }) => cpu)
  expect(first).toBeGreaterThan(0)
  expect(second).toBeGreaterThanOrEqual(0)
  expect(audit.cpuMs).toBeGreaterThan(0)
  expect(audit.elapsedMs).toBeGreaterThanOrEqual(300)
})

test('begins with the step, whatever the loop did before', async () => {
  const before = hostNow()
  const watch = watchFrom(0, new LatencyHistogram(2), 200)
  block(200)
  const begun = hostNow()
  await new Promise((resolve) => setTimeout(resolve, 300))
  // Half of the time since it was made, had that counted.
  expect(watch.second(NO_LAG)).toBeLessThan(0.3)
  watch.offered(0)
  const { elapsedMs, rhoMean, seconds } = watch.finish(0, 0)
  expect(rhoMean).toBeLessThan(0.3)
  expect(elapsedMs).toBeGreaterThan(0)
  expect(elapsedMs).toBeLessThanOrEqual(hostNow() - begun)
  expect(elapsedMs).toBeLessThan(hostNow() - before - 200)
  expect(seconds).toHaveLength(1)
})

test('tells the send lag, the positions and the canaries of each second', async () => {
  const canary = new LatencyHistogram(2)
  const watch = watchFrom(0, canary)
  const lag = new LatencyHistogram(2)
  // Nearest rank of ten: p50 is the fifth, p99 the tenth.
  for (const ms of [1, 2, 3, 4, 5, 6, 7, 8, 9, 40]) lag.record(ms)
  await nextTurn()
  const at = hostNow()
  for (const position of [0, 0.5, 2]) instruments.lateness.read(at + position)
  instruments.lateness.canary(at, at + 1)
  instruments.lateness.canary(at, at + 3)
  watch.second(lag.toData())
  watch.second(NO_LAG)
  watch.offered(0)
  const audit = watch.finish(0, 0)
  expect(audit.seconds).toEqual([
    expect.objectContaining({
      sendLagP50: expect.closeTo(5, 1),
      sendLagP99: 40,
      sendLagMax: 40,
      positionMax: expect.closeTo(2, 5),
      canaries: 2,
      canaryMean: expect.closeTo(2, 5),
      canaryMax: expect.closeTo(3, 5),
    }),
    expect.objectContaining({
      sendLagP50: null,
      sendLagP99: null,
      sendLagMax: null,
      positionMax: 0,
      canaries: 0,
      canaryMean: null,
      canaryMax: null,
    }),
  ])
  expect(LatencyHistogram.fromData(audit.position)).toMatchObject({ count: 3, min: 0, max: 2 })
  expect(canary).toMatchObject({ count: 2, max: 3 })
})

test("tells the garbage collector's pauses of each second, and of the whole, the end included", () => {
  const pauses = [
    // Before the step: none of it.
    { pauses: 9, totalMs: 99, longestMs: 50 },
    { pauses: 2, totalMs: 5, longestMs: 4 },
    { pauses: 0, totalMs: 0, longestMs: 0 },
    { pauses: 1, totalMs: 3, longestMs: 3 },
  ]
  const take = vi.spyOn(instruments.gc, 'take').mockImplementation(() => pauses.shift()!)
  const watch = watchFrom(0)
  watch.second(NO_LAG)
  watch.second(NO_LAG)
  watch.offered(0)
  const audit = watch.finish(0, 0)
  expect(audit.seconds.map(({ gcMs }) => gcMs)).toEqual([5, 0])
  expect(audit.gc).toEqual({ pauses: 3, totalMs: 8, longestMs: 4 })
  expect(take).toHaveBeenCalledTimes(4)
})

test('what comes after the load was offered is no second of it, but a stall still counts', async () => {
  const watch = watchFrom(0)
  watch.offered(5)
  block(200)
  watch.second(NO_LAG)
  await vi.waitUntil(() => instruments.lateness.recent > 0, { interval: 1 })
  const audit = watch.finish(0, 0)
  expect(audit.seconds).toEqual([])
  expect(audit.events).toBe(5)
  expect(audit.stallMs).toBeGreaterThanOrEqual(200)
})

test('a part of a second too short to tell repeats the figure before', () => {
  const watch = watchFrom(0)
  block(150)
  const whole = watch.second(NO_LAG)
  expect(watch.rest()).toBe(whole)
  watch.offered(0)
  watch.finish(0, 0)
})

test('cannot be ended before the load', () => {
  expect(() => watchFrom(0).finish(0, 0)).toThrow('the watch was ended before the load')
})
