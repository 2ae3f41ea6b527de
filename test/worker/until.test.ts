import { expect, test } from 'vitest'
import { hostNow } from '../../src/worker/clock.ts'
import { until } from '../../src/worker/until.ts'

const never = new AbortController().signal

test('waits for the instant, and never less', async () => {
  const instant = hostNow() + 30.7
  await until(instant, never)
  expect(hostNow()).toBeGreaterThanOrEqual(instant)
})

test('an instant that has passed is no wait', async () => {
  await until(hostNow() - 1000, never)
})

test.each([
  ['while it waits', (abort: AbortController) => queueMicrotask(() => abort.abort())],
  ['before it waits', (abort: AbortController) => abort.abort()],
])('ends at once when it is aborted %s, also from an instant beyond the longest timer', async (_, act) => {
  const abort = new AbortController()
  act(abort)
  await until(hostNow() + 2 ** 40, abort.signal)
  expect(abort.signal.aborted).toBe(true)
})
