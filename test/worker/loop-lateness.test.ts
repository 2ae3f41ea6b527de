import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { LoopLateness } from '../../src/worker/loop-lateness.ts'
import { block, nextTurn, turnNumber } from './event-loop.ts'

/** On a clock and a pulse that the test moves; turns of the loop are real. */
describe('what a read may have waited', () => {
  let now: number
  let lateness: LoopLateness
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    now = 0
    lateness = new LoopLateness(() => now)
  })
  afterEach(() => {
    lateness.stop()
    vi.useRealTimers()
  })

  /** Lets time pass in which the pulse beats in time. */
  function pass(ms: number): void {
    for (const end = now + ms; now < end;) {
      now += 20
      vi.advanceTimersByTime(20)
    }
  }

  /** The clock moves, the loop does not turn. */
  function standStill(ms: number): void {
    now += ms
  }

  test('is its place in its turn of the loop: nothing for the first, the others as long as those before took', async () => {
    const tally = lateness.begin()
    await nextTurn()
    expect([10, 13, 13, 17].map((at) => lateness.read(at))).toEqual([0, 3, 3, 7])
    await nextTurn()
    expect([18, 19].map((at) => lateness.read(at))).toEqual([0, 1])
    expect(tally.position).toMatchObject({ count: 6, max: 7 })
    expect(tally.takeSecond()).toMatchObject({ positionMax: 7, canaries: 0 })
  })

  test('counts from whatever the loop did first in the turn: offering, or a canary', async () => {
    await nextTurn()
    lateness.work(5)
    expect(lateness.read(9)).toBe(4)
    await nextTurn()
    lateness.canary(10, 10)
    expect(lateness.read(12)).toBe(2)
  })

  test('holds the longest wait of a canary for a second, and lets go of it', async () => {
    await nextTurn()
    lateness.canary(0, 8)
    lateness.canary(5, 8)
    expect(lateness.recent).toBe(8)
    // 4 ms after the first of its turn, and 8 that it may have waited before that.
    expect(lateness.read(12)).toBe(12)
    pass(1080)
    expect(lateness.recent).toBe(8)
    pass(20)
    expect(lateness.recent).toBe(0)
    await nextTurn()
    expect(lateness.read(now)).toBe(0)
  })

  test('holds a standstill that ended just before, though the pulse has not beaten yet', async () => {
    const tally = lateness.begin()
    pass(100)
    standStill(500)
    await nextTurn()
    expect(lateness.read(now)).toBe(500)
    expect(lateness.read(now + 1)).toBe(501)
    expect(tally.stallMs).toBe(500)
  })

  test('holds one that stands between two turns of reading', async () => {
    pass(40)
    await nextTurn()
    expect(lateness.read(now + 2)).toBe(0)
    standStill(302)
    await nextTurn()
    // The loop was last seen at its read, 300 ms before.
    expect(lateness.read(now)).toBe(300)
  })

  test('holds one that nothing but an overdue beat tells of', () => {
    const tally = lateness.begin()
    pass(40)
    standStill(300)
    vi.advanceTimersByTime(20)
    // Due 20 ms after the beat before; but the loop may have stopped right after that.
    expect([lateness.recent, tally.stallMs]).toEqual([300, 300])
    pass(1100)
    expect([lateness.recent, tally.stallMs]).toEqual([0, 300])
  })

  test('does not take the grain of a timer for a standstill', async () => {
    standStill(25)
    await nextTurn()
    expect(lateness.read(now)).toBe(0)
    standStill(1)
    await nextTurn()
    // Now the beat is overdue by more than that; the loop was seen a millisecond ago.
    expect(lateness.read(now)).toBe(1)
  })

  test('forgets what was before a load, also a standstill that no beat has told of', async () => {
    lateness.canary(0, 70)
    standStill(5000)
    lateness.forget()
    const tally = lateness.begin()
    await nextTurn()
    expect(lateness.read(now)).toBe(0)
    pass(20)
    expect([lateness.recent, tally.stallMs]).toEqual([0, 0])
  })

  test('a tally has what came since it began, and its canaries go where they belong', async () => {
    const first = lateness.begin()
    await nextTurn()
    lateness.read(1)
    lateness.canary(0, 2)
    const recorded = new LatencyHistogram(2)
    const second = lateness.begin(recorded)
    lateness.canary(1, 4)
    // Two clocks may differ by their grain: a canary is never read before it was written.
    lateness.canary(4.001, 4)
    expect([first.position.count, second.position.count]).toEqual([1, 0])
    expect(first.takeSecond()).toMatchObject({ canaries: 1, canaryMax: 2 })
    expect(recorded).toMatchObject({ count: 2, min: 0, max: 3 })
    expect(second.takeSecond()).toMatchObject({ canaries: 2, canaryMean: 1.5, canaryMax: 3 })
  })
})

describe('in a real loop', () => {
  const BLOCKED_MS = 100
  const READ_MS = 5

  /** Pairs of connected sockets: what is written to the first comes out of the second. */
  async function pairs(count: number, stack: AsyncDisposableStack): Promise<(readonly [Socket, Socket])[]> {
    const server = createServer({ noDelay: true }).listen(0, '127.0.0.1')
    stack.defer(() => void server.close())
    await once(server, 'listening')
    const made: (readonly [Socket, Socket])[] = []
    for (let i = 0; i < count; i++) {
      const near = connect((server.address() as AddressInfo).port, '127.0.0.1')
      const [[far]] = (await Promise.all([once(server, 'connection'), once(near, 'connect')])) as [[Socket], unknown]
      for (const socket of [near, far]) stack.defer(() => void socket.destroy())
      made.push([far, near])
    }
    return made
  }

  test('sockets that became readable while it stood still have growing places, and the standstill in their bound', async () => {
    await using stack = new AsyncDisposableStack()
    const lateness = stack.adopt(new LoopLateness(hostNow), (started) => started.stop())
    const sockets = await pairs(5, stack)
    const reads: { turn: number; at: number; bound: number }[] = []
    const all = Promise.withResolvers<void>()
    for (const [, reader] of sockets) {
      reader.on('data', () => {
        const at = hostNow()
        reads.push({ turn: turnNumber(), at, bound: lateness.read(at) })
        block(READ_MS)
        if (reads.length === sockets.length) all.resolve()
      })
    }
    await nextTurn()
    lateness.forget()
    const tally = lateness.begin()
    for (const [writer] of sockets) writer.write('x')
    block(BLOCKED_MS)
    await all.promise

    // The kernel had all of them before the loop turned.
    expect(new Set(reads.map(({ turn }) => turn)).size).toBe(1)
    const places = reads.map(({ at }) => at - reads[0]!.at)
    for (const [i, place] of places.entries()) expect(place).toBeGreaterThanOrEqual(i * READ_MS)
    expect(tally.position.count).toBe(sockets.length)
    expect(tally.position.min).toBe(0)
    expect(tally.position.max).toBeCloseTo(places.at(-1)!, 2)
    for (const [i, { bound }] of reads.entries()) expect(bound - places[i]!).toBeGreaterThan(BLOCKED_MS - 0.001)
    expect(tally.stallMs).toBeGreaterThanOrEqual(BLOCKED_MS)
  })

  test('a loop that stood still without a read tells of it by its pulse', async () => {
    await using stack = new AsyncDisposableStack()
    const lateness = stack.adopt(new LoopLateness(hostNow), (started) => started.stop())
    lateness.forget()
    block(BLOCKED_MS)
    await vi.waitUntil(() => lateness.recent > 0, { interval: 1, timeout: 10_000 })
    expect(lateness.recent).toBeGreaterThanOrEqual(BLOCKED_MS)
  })
})
