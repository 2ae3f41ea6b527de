import { describe, expect, test } from 'vitest'
import { ScratchTrace } from '../../src/client/trace.ts'
import { tpotMs } from '../../src/metrics/latencies.ts'

function begun(): ScratchTrace {
  const trace = new ScratchTrace()
  trace.begin(0, 0, 0, 0)
  return trace
}

/** What a trace says of its reads: stamp, content events and delay of each. */
const readsOf = ({ reads, readAt, readEvents, readDelay }: ScratchTrace) =>
  Array.from({ length: reads }, (_, i) => [readAt[i], readEvents[i], readDelay[i]])

describe('a trace', () => {
  test('keeps stamp, events and delay of each read that brought content', () => {
    const trace = begun()
    trace.content(4, 10, 0.5, 2)
    trace.content(7, 20, 3, 1)
    expect(readsOf(trace)).toEqual([
      [10, 2, 0.5],
      [20, 1, 3],
    ])
    expect([trace.firstToken, trace.lastToken]).toEqual([10, 20])
  })

  test('what one read brought in several pieces is one read, as late as it was', () => {
    const trace = begun()
    trace.content(4, 10, 0.5, 2)
    trace.content(4, 10, 0.5, 3)
    expect(readsOf(trace)).toEqual([[10, 5, 0.5]])
  })

  test('may let its first read weigh more: TPOT leaves those tokens out', () => {
    // 12 tokens, 10 of them never sent. Two events share the rest: 1 each, and 10 x 2 / 2 more for the first.
    const trace = begun()
    trace.content(1, 100, 0, 1)
    trace.content(2, 120, 0, 1)
    trace.outputTokens = 12
    trace.lead(10)
    expect(readsOf(trace)).toEqual([
      [100, 11, 0],
      [120, 1, 0],
    ])
    expect(tpotMs(trace)).toBe(20)
  })

  test('without reads has none to weigh', () => {
    const trace = begun()
    trace.lead(10)
    trace.content(1, 100, 0, 1)
    expect(readsOf(trace)).toEqual([[100, 1, 0]])
  })

  test('keeps the delay of the read that brought the first visible text, not of a later one', () => {
    const trace = begun()
    trace.content(1, 10, 7, 1)
    trace.visible(20, 4)
    trace.visible(30, 9)
    expect([trace.firstVisible, trace.firstVisibleDelay]).toEqual([20, 4])
  })

  test('grows all that it keeps of reads alike', () => {
    const trace = begun()
    // 16 have room at first.
    const reads = Array.from({ length: 100 }, (_, i) => [i, 1 + (i % 3), i / 10] as const)
    for (const [at, events, delay] of reads) trace.content(at, at, delay, events)
    expect(readsOf(trace)).toEqual(reads)
  })

  test('filled again for another request keeps nothing of the one before', () => {
    const trace = begun()
    for (let i = 0; i < 20; i++) trace.content(i, i, i, 1)
    trace.visible(3, 3)
    trace.begin(1, 2, 40, 41)
    expect(trace).toMatchObject({ reads: 0, firstToken: Number.NaN, firstVisible: Number.NaN, lastToken: Number.NaN })
    // The number of a read may come again on another connection.
    trace.content(19, 50, 0, 1)
    trace.visible(50, 0)
    expect(readsOf(trace)).toEqual([[50, 1, 0]])
    expect([trace.firstToken, trace.firstVisibleDelay]).toEqual([50, 0])
  })
})
