import { expect, test } from 'vitest'
import { createAlarm, EARLY_MS, toMicros } from '../../src/simulator/alarm.ts'
import { monotonicMs } from '../../src/simulator/clock.ts'

/** Arms the alarm and waits for the wake that is due; the number of wakes that came before it was. */
async function prematureWakes(arm: (set: (instant: number) => void, start: number) => number): Promise<number> {
  let due = NaN
  let premature = 0
  const woken = Promise.withResolvers<void>()
  const alarm = await createAlarm(() => {
    const now = monotonicMs()
    if (now < due - EARLY_MS) premature++
    if (now >= due - EARLY_MS) woken.resolve()
  })
  due = arm(alarm.set, monotonicMs())
  await woken.promise
  await alarm.close()
  return premature
}

test.each<[string, (set: (instant: number) => void, start: number) => number]>([
  [
    'wakes when it is due, and not before',
    (set, start) => {
      set(start + 20)
      return start + 20
    },
  ],
  [
    'an earlier instant replaces a later one: the thread is roused from its sleep',
    (set, start) => {
      set(start + 3_600_000)
      set(start + 10)
      return start + 10
    },
  ],
  [
    'a later instant replaces an earlier one',
    (set, start) => {
      set(start + 200)
      set(start + 210)
      return start + 210
    },
  ],
  [
    'an instant that is past wakes too',
    (set, start) => {
      set(start - 5)
      return start - 5
    },
  ],
])('%s', async (_, arm) => {
  expect(await prematureWakes(arm)).toBe(0)
})

test('none of a thousand instants in a row is slept through', async () => {
  let left = 1000
  let due = Infinity
  let set: ((instant: number) => void) | null = null
  const done = Promise.withResolvers<void>()
  const alarm = await createAlarm(() => {
    if (left === 0) return
    if (monotonicMs() >= due - EARLY_MS) {
      left--
      due = monotonicMs() + (left % 4) * 0.1
    }
    if (left === 0) done.resolve()
    else set?.(due)
  })
  set = alarm.set
  due = monotonicMs() + 1
  set(due)
  await done.promise
  await alarm.close()
  expect(left).toBe(0)
})

test.each([
  [0.001, 1],
  [1, 1000],
  // 2^32 us are 71.6 minutes: then the words begin again
  [4_294_967.296 + 1, 1000],
  [2_147_483.648, -(2 ** 31)],
])('instant %d ms is %d us modulo 2^32', (ms, micros) => {
  expect(toMicros(ms)).toBe(micros)
})
