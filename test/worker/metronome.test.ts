import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { openCanary } from '../../src/worker/canary.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { EARLY_MS, type Metronome, startMetronome } from '../../src/worker/metronome.ts'
import { runOpenLoop } from '../../src/worker/open-loop.ts'

/** Runs an open loop of these offsets, ms; gives when each was offered. */
async function offered(metronome: Metronome, offsets: number[]): Promise<number[]> {
  const start = hostNow() + 20
  const at: number[] = []
  await runOpenLoop({
    due: Float64Array.from(offsets, (offset) => start + offset),
    metronome,
    now: hostNow,
    offer: (i) => (at[i] = hostNow() - start),
    onTurn: () => undefined,
    signal: new AbortController().signal,
  })
  return at
}

describe('the metronome', () => {
  let metronome: Metronome
  beforeAll(async () => {
    metronome = await startMetronome()
  })
  afterAll(() => metronome.close())

  const run = (offsets: number[]) => offered(metronome, offsets)

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

test('with canaries between them every instant is still served, none early, also of one schedule after the other', async () => {
  await using stack = new AsyncDisposableStack()
  const metronome = await startMetronome()
  let canaries = 0
  const canary = await openCanary(
    (port) => metronome.sendCanaries(port),
    hostNow,
    () => canaries++,
  )
  stack.defer(async () => {
    await metronome.close()
    canary.close()
  })
  // Dense, then sparse: the thread sleeps from instant to instant, and from canary to canary.
  for (const [count, gap] of [
    [2000, 0.2],
    [20, 25],
  ] as const) {
    const before = canaries
    const offsets = Array.from({ length: count }, (_, i) => i * gap)
    const at = await offered(metronome, offsets)
    expect(at.length).toBe(count)
    expect(offsets.filter((offset, i) => !(at[i]! >= offset))).toEqual([])
    // They went on all the while, about a hundred a second.
    await vi.waitUntil(() => canaries > before + 5, { timeout: 10_000 })
  }
}, 60_000)
