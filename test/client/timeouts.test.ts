import { afterEach, describe, expect, test } from 'vitest'
import { Watch, sweepPeriodMs } from '../../src/client/timeouts.ts'
import type { Phase, Timed } from '../../src/client/timeouts.ts'

const TIMEOUTS = { connectMs: 500, firstByteMs: 1000, idleMs: 2000, totalMs: 10_000 }

/** A watch on a clock and a lateness that the test moves; its own timer is not waited for. */
function watchAt(start: number) {
  let now = start
  const lateness = { recent: 0, read: () => 0 }
  const watch = new Watch<Timed>(TIMEOUTS, () => now, lateness)
  watches.push(watch)
  const expired: string[] = []
  return {
    watch,
    lateness,
    expired,
    add(name: string, phase: Phase, since: number, begun = since): Timed {
      const item: Timed = {
        phase,
        since,
        begun,
        slot: -1,
        expire(kind, limitMs) {
          watch.remove(item)
          expired.push(`${name}: ${kind} ${limitMs}`)
        },
      }
      watch.add(item)
      return item
    },
    /** Moves the clock in steps of the sweep's period, as its timer does. */
    moveTo(until: number) {
      for (now += 50; now <= until; now += 50) watch.sweep()
      now = until
    },
    jumpTo(instant: number) {
      now = instant
      watch.sweep()
    },
  }
}

const watches: Watch<Timed>[] = []
afterEach(() => {
  for (const watch of watches.splice(0)) watch.stop()
})

describe('Watch', () => {
  test.each<[Phase, number, string]>([
    ['connect', 500, 'a: timeout-connect 500'],
    ['first-byte', 1000, 'a: timeout-first-byte 1000'],
    ['idle', 2000, 'a: timeout-idle 2000'],
  ])('phase %s ends after %i ms', (phase, limit, expected) => {
    const { add, moveTo, expired } = watchAt(0)
    add('a', phase, 0)
    moveTo(limit)
    expect(expired).toEqual([])
    moveTo(limit + 50)
    expect(expired).toEqual([expected])
  })

  test.each<[Phase, number, string]>([
    ['connect', 500, 'a: timeout-connect 500'],
    ['first-byte', 1000, 'a: timeout-first-byte 1000'],
    ['idle', 2000, 'a: timeout-idle 2000'],
    ['idle', 10_000, 'a: timeout-total 10000'],
  ])('phase %s and its %i ms are longer by what the process was late itself', (phase, limit, expected) => {
    const { add, moveTo, lateness, expired } = watchAt(0)
    const total = expected.includes('total')
    const item = add('a', phase, 0)
    lateness.recent = 300
    // Bytes that come all the while leave only the total.
    for (let at = 0; total && at < limit; at += 1000) {
      moveTo(at)
      Object.assign(item, { since: at })
    }
    moveTo(limit + 300)
    expect(expired).toEqual([])
    moveTo(limit + 350)
    expect(expired).toEqual([expected])
  })

  test('are as long as before once the process is in time again', () => {
    const { add, moveTo, lateness, expired } = watchAt(0)
    add('a', 'connect', 0)
    lateness.recent = 300
    moveTo(750)
    expect(expired).toEqual([])
    lateness.recent = 0
    moveTo(800)
    expect(expired).toEqual(['a: timeout-connect 500'])
  })

  test('the total bounds a request whose bytes keep coming', () => {
    const { add, moveTo, expired } = watchAt(9900)
    add('a', 'idle', 9900, 0)
    moveTo(10_050)
    expect(expired).toEqual(['a: timeout-total 10000'])
  })

  test('several that are overdue all expire, others stay', () => {
    const { add, moveTo, expired, watch } = watchAt(0)
    add('a', 'connect', 0)
    const b = add('b', 'idle', 0)
    add('c', 'connect', 0)
    const d = add('d', 'idle', 0)
    moveTo(550)
    expect(expired.sort()).toEqual(['a: timeout-connect 500', 'c: timeout-connect 500'])
    expect([...watch.items()].sort((x, y) => x.slot - y.slot)).toHaveLength(2)
    expect(new Set(watch.items())).toEqual(new Set([b, d]))
  })

  test('after a standstill of the process nobody is judged before one more turn', () => {
    const { add, moveTo, jumpTo, expired } = watchAt(0)
    const late = add('late', 'first-byte', 0)
    add('hung', 'first-byte', 0)
    moveTo(900)
    jumpTo(1500)
    expect(expired).toEqual([])
    // The reply had been in the socket all the time.
    Object.assign(late, { phase: 'idle', since: 1500 })
    moveTo(1550)
    expect(expired).toEqual(['hung: timeout-first-byte 1000'])
  })

  test('a process that is always late still has bounds', () => {
    const { add, jumpTo, expired } = watchAt(0)
    add('hung', 'first-byte', 0)
    jumpTo(1200)
    jumpTo(2400)
    expect(expired).toEqual(['hung: timeout-first-byte 1000'])
  })
})

test.each([
  // A tenth of the shortest bound, within 5 and 100 ms.
  [{}, 50],
  [{ idleMs: 200 }, 20],
  [{ totalMs: 10 }, 5],
  [{ connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 }, 100],
])('the sweep’s period for %j is %i ms', (timeouts, period) => {
  expect(sweepPeriodMs({ ...TIMEOUTS, ...timeouts })).toBe(period)
})
