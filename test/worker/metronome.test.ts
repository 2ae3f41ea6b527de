import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostNow } from '../../src/worker/clock.ts'
import { EARLY_MS, type Metronome, startMetronome } from '../../src/worker/metronome.ts'
import { runOpenLoop } from '../../src/worker/open-loop.ts'

describe('the metronome', () => {
  let metronome: Metronome
  beforeAll(async () => {
    metronome = await startMetronome()
  })
  afterAll(() => metronome.close())

  /** Runs an open loop of these offsets, ms; gives when each was offered. */
  async function run(offsets: number[]): Promise<number[]> {
    const start = hostNow() + 20
    const at: number[] = []
    await runOpenLoop({
      due: Float64Array.from(offsets, (offset) => start + offset),
      metronome,
      now: hostNow,
      offer: () => at.push(hostNow() - start),
      signal: new AbortController().signal,
    })
    return at
  }

  test('wakes for every instant, and no request goes out before it is due', async () => {
    const offsets = Array.from({ length: 300 }, (_, i) => i * 0.7)
    const at = await run(offsets)
    expect(at.length).toBe(300)
    for (const [i, instant] of at.entries()) expect(instant).toBeGreaterThanOrEqual(offsets[i]!)
  })

  test('serves a second schedule after the first, and instants that have passed', async () => {
    expect((await run([0, 1, 2])).length).toBe(3)
    expect((await run([-50, -40, -30])).length).toBe(3)
    expect((await run([5])).length).toBe(1)
  })

  test('after a stop wakes nobody', async () => {
    const wakes: number[] = []
    metronome.start(Float64Array.of(hostNow() + 30), () => wakes.push(hostNow()))
    metronome.stop()
    // A later schedule is served, the stopped one is not: the thread does one after the other.
    await run([60])
    expect(wakes).toEqual([])
  })

  test('wakes at most its earliness ahead', async () => {
    const due = hostNow() + 50
    const woke = await new Promise<number>((resolve) => metronome.start(Float64Array.of(due), () => resolve(hostNow())))
    expect(woke).toBeGreaterThanOrEqual(due - 2 * EARLY_MS)
  })
})
