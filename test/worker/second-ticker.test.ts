import { expect, test, vi } from 'vitest'
import { hostNow } from '../../src/worker/clock.ts'
import { tickSeconds } from '../../src/worker/second-ticker.ts'

test('numbers the seconds from the start, and skips those in which the loop stood still', async () => {
  const seen: number[] = []
  // Started 2.9 s ago, as if the loop had stood still since.
  const end = tickSeconds(hostNow() - 2900, (second) => seen.push(second))
  await vi.waitUntil(() => seen.length === 2, { timeout: 10_000 })
  expect(seen).toEqual([0, 2])
  expect(end()).toBeGreaterThanOrEqual(3)
})
