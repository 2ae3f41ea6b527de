import { expect, test } from 'vitest'
import { simulator } from '../../src/spec/simulator.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { offerLoad } from '../../src/vitest/offer-load.ts'
import { checked } from '../spec/sample.ts'

const never = new AbortController().signal
const NOON = Date.UTC(2026, 0, 1, 12)

test('a time of day that is stepped in mid-run moves neither the start nor any duration', async () => {
  const spec = checked({
    target: simulator({ ttft: '5ms', itl: 0 }),
    load: [
      { rate: 50, duration: '500ms' },
      { rate: 60, duration: '500ms' },
    ],
    workers: 1,
    warmup: '200ms',
  })
  // Set back by a day as soon as it was read once.
  const readings: number[] = []
  const wallNow = () => {
    readings.push(hostNow())
    return readings.length === 1 ? NOON : NOON - 86_400_000
  }
  const { startedAt, profile } = await offerLoad(spec, never, () => undefined, wallNow)
  const after = hostNow()
  // After the warm-up, and before the load was over.
  expect(Date.parse(startedAt)).toBeGreaterThanOrEqual(NOON + 200)
  expect(Date.parse(startedAt)).toBeLessThan(NOON + after - readings[0]! - 1000)
  expect(profile.steps.map(({ durationMs }) => durationMs)).toEqual([500, 500])
  expect(profile.steps[1]!.startedMs).toBeGreaterThanOrEqual(500)
  expect(profile.steps[1]!.startedMs).toBeLessThan(after - readings[0]!)
  expect(profile.total.counts).toMatchObject({ planned: 55, completed: 55 })
  expect(profile.total.latency.e2e.min).toBeGreaterThanOrEqual(5)
  expect(profile.total.latency.e2e.max).toBeLessThan(after - readings[0]!)
}, 60_000)
