import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { RecentMax } from '../../src/worker/recent-max.ts'

/** Notes values by their instants, ascending, then looks at an instant. */
function valueAt(look: number, values: Readonly<Record<number, number>>): number {
  const recent = new RecentMax()
  for (const [at, value] of Object.entries(values)) recent.note(Number(at), value)
  recent.advance(look)
  return recent.value
}

describe('the largest value of the last second', () => {
  test.each<[string, number, Record<number, number>, number]>([
    ['is 0 when nothing was noted', 5000, {}, 0],
    ['is the one that was noted', 0, { 0: 3 }, 3],
    ['is the largest of several', 400, { 0: 3, 200: 7, 400: 5 }, 7],
    ['is still there after a second', 1099, { 0: 3 }, 3],
    ['is gone after 1.1 s', 1100, { 0: 3 }, 0],
    // Noted in the bucket of 100 to 200 ms, which is let go of at 1200.
    ['is kept as long as its tenth of a second', 1199, { 150: 3 }, 3],
    ['and no longer', 1200, { 150: 3 }, 0],
    ['falls back to the next largest', 1150, { 50: 9, 350: 4 }, 4],
    ['falls back again', 1400, { 50: 9, 350: 4 }, 0],
    ['is gone after a pause far longer than the window', 1e9, { 0: 3, 900: 4 }, 0],
    ['is what was noted after such a pause', 1e9 + 1, { 0: 3, 1e9: 2 }, 2],
    ['knows the clock of a host that has been up for a month', 2.6e9 + 1050, { 2.6e9: 8 }, 8],
  ])('%s', (_, look, values, expected) => {
    expect(valueAt(look, values)).toBe(expected)
  })

  test('is 0 after it was cleared, and the next one counts', () => {
    const recent = new RecentMax()
    recent.note(0, 9)
    recent.note(300, 5)
    recent.clear()
    expect(recent.value).toBe(0)
    recent.note(310, 2)
    expect(recent.value).toBe(2)
  })
})

test('it is at least the largest of the last 1000 ms, and never more than the largest of the last 1100 ms', () => {
  const step = fc.record({
    // Often within the window, at times far beyond it.
    gap: fc.oneof(fc.double({ min: 0, max: 250, noNaN: true }), fc.constantFrom(0, 100, 1000, 1100, 5000)),
    value: fc.option(fc.double({ min: 0, max: 300, noNaN: true }), { nil: null }),
  })
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), fc.array(step, { maxLength: 60 }), (start, steps) => {
      const recent = new RecentMax()
      const noted: { at: number; value: number }[] = []
      let now = start
      for (const { gap, value } of steps) {
        now += gap
        if (value === null) recent.advance(now)
        else {
          recent.note(now, value)
          noted.push({ at: now, value })
        }
        const since = (ms: number) => Math.max(0, ...noted.filter(({ at }) => at >= now - ms).map((one) => one.value))
        expect(recent.value).toBeGreaterThanOrEqual(since(1000))
        expect(recent.value).toBeLessThanOrEqual(since(1100))
      }
    }),
  )
})
