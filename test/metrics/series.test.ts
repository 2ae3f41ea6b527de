import { describe, expect, test } from 'vitest'
import { SecondCounter } from '../../src/metrics/second.ts'
import { type SecondDelta, Series } from '../../src/metrics/series.ts'

interface Events {
  readonly arrivals: number
  /** E2E of each reply, ms; TTFT is half of it. */
  readonly replies?: readonly number[]
  readonly sendLag?: number
}

function delta(worker: number, sequence: number, second: number, events: Events, rho = 0.1): SecondDelta {
  const counter = new SecondCounter()
  for (let i = 0; i < events.arrivals; i++) counter.arrive()
  for (const e2e of events.replies ?? []) counter.complete(events.sendLag ?? 0, e2e / 2, e2e)
  return { ...counter.take(), worker, sequence, second, rho }
}

describe('Series', () => {
  test('sums counts over load processes and takes the worst rho, and percentiles of the send lag over all', () => {
    const series = new Series()
    series.add(delta(0, 0, 0, { arrivals: 3, replies: [1, 1], sendLag: 0.5 }, 0.7))
    series.add(delta(1, 0, 0, { arrivals: 2, replies: [1], sendLag: 4 }, 0.2))
    expect(series.toSeconds()).toEqual([
      {
        second: 0,
        arrivals: 5,
        completed: 3,
        errors: 0,
        inFlight: 2,
        ttftP50: 0.5,
        ttftP99: 0.5,
        e2eP50: 1,
        e2eP99: 1,
        rho: 0.7,
        sendLagP99: 4,
        sendLagMax: 4,
      },
    ])
  })

  test('percentiles are of all replies together, never averaged', () => {
    const series = new Series()
    // 98 replies of 0.1 ms in one process, 2 of 0.2 ms in the other: p50 0.1, and rank 99 of 100 is 0.2.
    series.add(delta(0, 0, 0, { arrivals: 98, replies: Array.from({ length: 98 }, () => 0.1) }))
    series.add(delta(1, 0, 0, { arrivals: 2, replies: [0.2, 0.2] }))
    expect(series.toSeconds()[0]).toMatchObject({ ttftP50: 0.05, ttftP99: 0.1, e2eP50: 0.1, e2eP99: 0.2 })
  })

  test('the send lag is of all that were sent and ended: rank 99 of 100 is not the longest', () => {
    const series = new Series()
    series.add(delta(0, 0, 0, { arrivals: 99, replies: Array.from({ length: 99 }, () => 1), sendLag: 0.1 }))
    series.add(delta(1, 0, 0, { arrivals: 1, replies: [1], sendLag: 30 }))
    expect(series.toSeconds()[0]).toMatchObject({ sendLagP99: 0.1, sendLagMax: 30 })
  })

  test('there are no percentiles without replies, nor a send lag', () => {
    const series = new Series()
    series.add(delta(0, 0, 0, { arrivals: 1 }))
    const none = { ttftP50: null, ttftP99: null, e2eP50: null, e2eP99: null, sendLagP99: null, sendLagMax: null }
    expect(series.toSeconds()[0]).toMatchObject(none)
  })

  test('a failure has a send lag, a request that was not sent has none', () => {
    const counter = new SecondCounter()
    counter.arrive()
    counter.arrive()
    counter.fail(2)
    counter.unsent()
    const series = new Series()
    series.add({ ...counter.take(), worker: 0, sequence: 0, second: 0, rho: 0 })
    expect(series.toSeconds()[0]).toMatchObject({ errors: 2, inFlight: 0, sendLagP99: 2, sendLagMax: 2 })
    expect(counter.take().sendLag.count).toBe(0)
  })

  test('its newest second, what is in flight and the errors so far are those of the whole series', () => {
    const series = new Series()
    expect([series.latest, series.errors]).toEqual([null, 0])
    const failed = { ...delta(0, 0, 0, { arrivals: 5, replies: [1] }), errors: 2 }
    series.add(failed)
    series.add(failed)
    series.add(delta(0, 1, 1, { arrivals: 3 }))
    // The other process's word of the second before comes late: 4 of its requests are in flight.
    series.add(delta(1, 0, 0, { arrivals: 4 }))
    expect(series.latest).toEqual({ arrivals: 3, inFlight: 7 })
    const seconds = series.toSeconds()
    expect(series.latest).toMatchObject({ arrivals: seconds.at(-1)!.arrivals, inFlight: seconds.at(-1)!.inFlight })
    expect(series.errors).toBe(seconds.reduce((sum, second) => sum + second.errors, 0))
  })

  test('a delta that comes twice changes nothing', () => {
    const series = new Series()
    const once = delta(0, 7, 0, { arrivals: 2, replies: [1] })
    expect(series.add(once)).toBe(true)
    const before = series.toSeconds()
    expect(series.add(structuredClone(once))).toBe(false)
    expect(series.toSeconds()).toEqual(before)
    // The same number of another load process is another delta.
    expect(series.add({ ...once, worker: 1 })).toBe(true)
  })

  test('a load process that skips a second keeps its requests in flight', () => {
    const series = new Series()
    series.add(delta(1, 0, 0, { arrivals: 2 }))
    series.add(delta(0, 0, 0, { arrivals: 5 }))
    series.add(delta(0, 1, 1, { arrivals: 1 }))
    // Second 0: 5 + 2. In second 1 process 0 has 1, and process 1, which says nothing, still its 2.
    expect(series.toSeconds().map(({ second, inFlight }) => [second, inFlight])).toEqual([
      [0, 7],
      [1, 3],
    ])
  })

  test('of two deltas for one second the later says what is in flight, in whatever order they come', () => {
    const [earlier, later] = [delta(0, 3, 0, { arrivals: 5 }), delta(0, 4, 0, { arrivals: 1 })]
    for (const deltas of [
      [earlier, later],
      [later, earlier],
    ]) {
      const series = new Series()
      for (const one of deltas) series.add(one)
      expect(series.toSeconds()).toMatchObject([{ arrivals: 6, inFlight: 1 }])
    }
  })
})
