import { describe, expect, test } from 'vitest'
import type { Metronome } from '../../src/worker/metronome.ts'
import { runOpenLoop } from '../../src/worker/open-loop.ts'

/** A metronome and a clock that the test moves. */
function virtualTime() {
  let time = 0
  let wake: (() => void) | undefined
  const metronome: Metronome = {
    start: (_, onWake) => (wake = onWake),
    served: () => undefined,
    stop: () => (wake = undefined),
    sendCanaries: () => undefined,
    close: () => Promise.resolve(),
  }
  return {
    metronome,
    now: () => time,
    /** Moves the clock only. */
    set(instant: number) {
      time = instant
    },
    /** Moves the clock and wakes the loop, as the metronome would. */
    wakeAt(instant: number) {
      time = instant
      wake?.()
    },
  }
}

function offered(due: number[]) {
  const time = virtualTime()
  const sent: { i: number; at: number }[] = []
  /** Instant of each turn, and how many had been offered before it. */
  const turns: { at: number; before: number }[] = []
  const abort = new AbortController()
  const done = runOpenLoop({
    due: Float64Array.from(due),
    metronome: time.metronome,
    now: time.now,
    offer: (i) => sent.push({ i, at: time.now() }),
    onTurn: (at) => turns.push({ at, before: sent.length }),
    signal: abort.signal,
  })
  return { time, sent, turns, abort, done }
}

describe('an open loop', () => {
  test('offers each request at its instant, never before', async () => {
    const { time, sent, done } = offered([10, 20, 30])
    time.wakeAt(9)
    expect(sent).toEqual([])
    time.wakeAt(10)
    time.wakeAt(20.5)
    time.wakeAt(30)
    await done
    expect(sent).toEqual([
      { i: 0, at: 10 },
      { i: 1, at: 20.5 },
      { i: 2, at: 30 },
    ])
  })

  test('offers all that is due after the loop stood still: arrivals never wait for anything', async () => {
    const { time, sent, done } = offered([1, 2, 3, 500])
    time.wakeAt(400)
    expect(sent.map(({ i }) => i)).toEqual([0, 1, 2])
    time.wakeAt(500)
    await done
  })

  test('looks again by itself when the next instant is closer than a wake', async () => {
    const { time, sent, done } = offered([10])
    // 0.05 ms early, as the metronome wakes: no further wake will come.
    time.wakeAt(9.95)
    expect(sent).toEqual([])
    time.set(10)
    await done
    expect(sent).toEqual([{ i: 0, at: 10 }])
  })

  test('gives replies their turn after a batch, and still offers all', async () => {
    const due = Array.from({ length: 1000 }, (_, i) => i / 1000)
    const { time, sent, done } = offered(due)
    time.wakeAt(5)
    expect(sent.length).toBeLessThan(1000)
    await done
    expect(sent.map(({ i }) => i)).toEqual(due.map((_, i) => i))
  })

  test('says when a turn begins, before it offers anything in it', async () => {
    const { time, sent, turns, done } = offered([10, 10.5, 20, 30])
    time.wakeAt(9)
    time.wakeAt(11)
    time.wakeAt(30)
    await done
    expect(sent.length).toBe(4)
    expect(turns).toEqual([
      { at: 9, before: 0 },
      { at: 11, before: 0 },
      { at: 30, before: 2 },
    ])
    // It is over: nothing begins any more.
    time.wakeAt(31)
    expect(turns.length).toBe(3)
  })

  test('each batch of many that are due is a turn of its own', async () => {
    const { time, sent, turns, done } = offered(Array.from({ length: 300 }, (_, i) => i / 1000))
    time.wakeAt(5)
    await done
    expect(sent.length).toBe(300)
    expect(turns.map(({ before }) => before)).toEqual([0, 128, 256])
  })

  test('ends at once when it is aborted, and offers nothing more', async () => {
    const { time, sent, abort, done } = offered([10, 20])
    time.wakeAt(10)
    abort.abort()
    await done
    time.wakeAt(20)
    expect(sent).toEqual([{ i: 0, at: 10 }])
  })

  test('has nothing to do without requests', async () => {
    const { sent, done } = offered([])
    await done
    expect(sent).toEqual([])
  })
})
