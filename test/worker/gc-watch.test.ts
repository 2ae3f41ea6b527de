import { expect, test } from 'vitest'
import { type GcPauses, GcWatch } from '../../src/worker/gc-watch.ts'
import { nextTurn } from './event-loop.ts'

/** Enough for the young generation to be collected several times. */
function makeGarbage(): void {
  let kept: object[] = []
  for (let i = 0; i < 300_000; i++) {
    if (i % 1000 === 0) kept = []
    kept.push({ i, text: [i] })
  }
}

/** Makes garbage until the watch tells of a collection, at most 100 times; what it told. */
async function collected(watch: GcWatch): Promise<GcPauses> {
  let taken = watch.take()
  for (let i = 0; i < 100 && taken.pauses === 0; i++) {
    makeGarbage()
    // Node tells of a collection in a later turn.
    await nextTurn()
    taken = watch.take()
  }
  return taken
}

test('counts the pauses of the garbage collector, once each', async () => {
  const watch = new GcWatch()
  const first = await collected(watch)
  expect(first.pauses).toBeGreaterThan(0)
  expect(first.longestMs).toBeGreaterThan(0)
  expect(first.totalMs).toBeGreaterThanOrEqual(first.longestMs)
  expect(first.totalMs).toBeLessThanOrEqual(first.pauses * first.longestMs)
  // Nothing new in the same turn.
  expect(watch.take()).toEqual({ pauses: 0, totalMs: 0, longestMs: 0 })
  expect((await collected(watch)).pauses).toBeGreaterThan(0)
  watch.stop()
})

test('counts nothing once it was stopped', async () => {
  const watch = new GcWatch()
  watch.stop()
  const other = new GcWatch()
  // The other one shows that there was something to count.
  expect((await collected(other)).pauses).toBeGreaterThan(0)
  expect(watch.take()).toEqual({ pauses: 0, totalMs: 0, longestMs: 0 })
  other.stop()
})
