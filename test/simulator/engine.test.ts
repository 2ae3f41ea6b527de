import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { monotonicMs } from '../../src/simulator/clock.ts'
import { createEngine } from '../../src/simulator/engine.ts'
import type { Engine } from '../../src/simulator/engine.ts'
import { createLedger } from '../../src/simulator/ledger.ts'
import type { LedgerBook, LedgerRequest } from '../../src/simulator/ledger.ts'
import { simulatorOptions } from '../../src/simulator/options.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'

let engine: Engine
let ledger: LedgerBook

async function open(options: Partial<SimulatorOptions>): Promise<void> {
  const checked = simulatorOptions(options)
  ledger = createLedger(checked.ledger)
  engine = await createEngine(checked, ledger)
}

afterEach(() => engine.close())

interface Asked {
  readonly id: string
  readonly tokens: number
  readonly arrived?: number
  readonly waited?: number
  readonly stream?: boolean
  readonly flowing?: boolean
  readonly onPart?: (part: number) => void
}

/** Submits a job: `done` resolves after its last part. */
function submit({ id, tokens, arrived = monotonicMs(), waited = 0, stream = true, flowing = true, onPart }: Asked) {
  const sent: number[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const generation = engine.submit({
    requestId: id,
    arrived,
    waited,
    promptTokens: 1,
    outputTokens: tokens,
    stream,
    send(part, parts) {
      sent.push(part)
      onPart?.(part)
      if (part + 1 === parts) resolve()
      return flowing
    },
  })
  return { generation, sent, done }
}

function entry(id: string): LedgerRequest {
  return ledger.snapshot().requests.find((request) => request.id === id)!
}

describe('schedule', () => {
  test('token k is due at arrival + ttft + k x itl, exactly, and never sent before', async () => {
    await open({ ttftMs: 4, itlMs: 0.7 })
    const arrived = monotonicMs()
    const { sent, done } = submit({ id: 'a', tokens: 20, arrived })
    await done
    const { planned, actual, started, ended } = entry('a')
    expect(sent).toEqual(Array.from({ length: 20 }, (_, k) => k))
    expect({ started, ended }).toEqual({ started: arrived, ended: 'complete' })
    expect(planned).toEqual(Array.from({ length: 20 }, (_, k) => arrived + (4 + k * 0.7)))
    expect(actual.every((instant, k) => instant >= planned[k]!)).toBe(true)
  })

  test('a reply that does not stream is one write, when its last token is due', async () => {
    await open({ ttftMs: 4, itlMs: 0.5 })
    const arrived = monotonicMs()
    await submit({ id: 'a', tokens: 11, arrived, stream: false }).done
    expect(entry('a').planned).toEqual([arrived + (4 + 10 * 0.5)])
  })

  test('without ITL a stream is one write; without delays it is over before submit returns', async () => {
    await open({})
    const { sent } = submit({ id: 'a', tokens: 64 })
    expect(sent).toEqual([0])
    expect(entry('a')).toMatchObject({ ended: 'complete', outputTokens: 64 })
  })

  test('jitter: delays of a request depend on its number alone', async () => {
    const options = { ttftMs: 1, itlMs: 1, jitter: 0.5, seed: 7 }
    const delays = []
    for (let run = 0; run < 2; run++) {
      await open(options)
      const arrived = monotonicMs()
      await Promise.all(['a', 'b'].map((id) => submit({ id, tokens: 3, arrived }).done))
      delays.push(['a', 'b'].map((id) => entry(id).planned.map((due) => (due - arrived).toFixed(6))))
      if (run === 0) await engine.close()
    }
    expect(delays[1]).toEqual(delays[0])
    expect(delays[0]![0]).not.toEqual(delays[0]![1])
  })
})

describe('slots', () => {
  test('20 requests at once on 2 slots: two at a time, in order, without a gap', async () => {
    await open({ ttftMs: 3, slots: 2 })
    const arrived = monotonicMs()
    const ids = Array.from({ length: 20 }, (_, i) => `r${i}`)
    await Promise.all(ids.map((id) => submit({ id, tokens: 1, arrived }).done))
    // 0 0 3 3 6 6 ... ms after the arrival: saturation is exact, since a slot is free when its last token is due
    let begin = arrived
    for (let i = 0; i < 20; i += 2) {
      expect([entry(`r${i}`).started, entry(`r${i + 1}`).started]).toEqual([begin, begin])
      begin += 3
    }
  })

  test('a slot is held until the last token', async () => {
    await open({ ttftMs: 2, itlMs: 1, slots: 1 })
    const arrived = monotonicMs()
    const [, second] = [submit({ id: 'a', tokens: 6, arrived }), submit({ id: 'b', tokens: 1, arrived })]
    await second.done
    expect(entry('b').started).toBe(arrived + (2 + 5 * 1))
  })

  test('a request that was read before its slot became free starts when it is free', async () => {
    await open({ ttftMs: 1, slots: 1 })
    const arrived = monotonicMs()
    await submit({ id: 'a', tokens: 1, arrived }).done
    await submit({ id: 'b', tokens: 1, arrived }).done
    expect(entry('b').started).toBe(arrived + 1)
  })

  test('who arrives at a free slot does not inherit the past', async () => {
    await open({ ttftMs: 1, slots: 1 })
    await submit({ id: 'a', tokens: 1 }).done
    const arrived = monotonicMs()
    await submit({ id: 'b', tokens: 1, arrived }).done
    expect(entry('b').started).toBe(arrived)
  })

  test('a client that goes away frees its slot at once; one in line leaves the line', async () => {
    await open({ ttftMs: 1, itlMs: 3_600_000, slots: 1 })
    const first = Promise.withResolvers<void>()
    const running = submit({ id: 'running', tokens: 9, onPart: () => first.resolve() })
    const waiting = submit({ id: 'waiting', tokens: 1 })
    const last = submit({ id: 'last', tokens: 1 })
    await first.promise
    engine.abandon(waiting.generation)
    const before = monotonicMs()
    engine.abandon(running.generation)
    await last.done
    expect(entry('waiting')).toMatchObject({ started: null, planned: [], actual: [], ended: 'disconnected' })
    expect(entry('running')).toMatchObject({ ended: 'disconnected' })
    expect(entry('running').actual).toHaveLength(1)
    expect(entry('last').started).toBeGreaterThanOrEqual(before)
    expect(waiting.sent).toEqual([])
    expect(running.sent).toEqual([0])
  })

  test('a reply submitted while another ends takes its turn', async () => {
    await open({ ttftMs: 1, slots: 1 })
    const next = Promise.withResolvers<void>()
    const last = submit({
      id: 'a',
      tokens: 1,
      onPart: () => void submit({ id: 'b', tokens: 1 }).done.then(next.resolve),
    })
    await Promise.all([last.done, next.promise])
    expect(entry('b').started).toBe(entry('b').arrived)
  })
})

describe('requests that lay unread', () => {
  /** A whole number, so that sums are exact. Everything is due at once, and done within `submit`. */
  const past = (): number => Math.floor(monotonicMs()) - 10_000

  test('begin when they were read, and every write counts from when that can have been', async () => {
    await open({ ttftMs: 20, itlMs: 10 })
    const arrived = Math.floor(monotonicMs())
    await submit({ id: 'a', tokens: 3, arrived, waited: 1000 }).done
    expect(entry('a')).toMatchObject({ waited: 1000, started: arrived, delayed: 1000 })
    expect(entry('a').planned).toEqual([arrived + 20, arrived + 30, arrived + 40])
    const { writes, late, worstMs } = ledger.snapshot().total
    expect([writes, late]).toEqual([3, 3])
    expect(worstMs).toBeGreaterThanOrEqual(1000)
  })

  test.each<[name: string, requests: (readonly [arrived: number, waited: number])[], delayed: number[]]>([
    // One slot, 10 ms each. Read at, waited for; by how much the start was put off.
    ['a free slot: all of it', [[0, 50]], [50]],
    [
      'a slot that was taken until later than it was read: nothing',
      [
        [0, 0],
        [5, 5],
      ],
      [0, 0],
    ],
    [
      // Free since 10; the second was there from 5 on.
      'a slot that became free while it lay unread: from then on',
      [
        [0, 0],
        [30, 25],
      ],
      [0, 20],
    ],
    [
      // Without it -50 to -40, then 0 to 10, then 10 to 20.
      'those who wait for its slot: as far as they were there',
      [
        [0, 50],
        [0, 0],
        [0, 0],
      ],
      [50, 10, 10],
    ],
    [
      'who comes after the slot was idle: nothing',
      [
        [0, 50],
        [10, 0],
        [25, 0],
      ],
      [50, 0, 0],
    ],
    [
      // Read at once; without the standstill they had followed each other from -400 on.
      'many that were read together',
      [
        [0, 400],
        [0, 400],
        [0, 400],
      ],
      [400, 400, 400],
    ],
  ])('on one slot: %s', async (_, requests, delayed) => {
    await open({ ttftMs: 10, slots: 1 })
    const base = past()
    for (const [i, [arrived, waited]] of requests.entries()) {
      submit({ id: `r${i}`, tokens: 1, arrived: base + arrived, waited })
    }
    expect(ledger.snapshot().requests.map((request) => request.delayed)).toEqual(delayed)
  })

  test('are counted with the time that they would have stood in line', async () => {
    await open({})
    await engine.close()
    const counted: (number | undefined)[][] = []
    const wrote: LedgerBook['wrote'] = (...[, , , delayed, inLine]) => void counted.push([delayed, inLine])
    engine = await createEngine(simulatorOptions({ ttftMs: 10, slots: 1 }), { ...ledger, wrote })
    const arrived = past()
    // Without its wait: -6 to 4, then 4 to 14, 14 to 24.
    for (const waited of [6, 0, 0]) submit({ id: 'a', tokens: 1, arrived, waited })
    expect(counted).toEqual([
      [6, 0],
      [6, 4],
      [6, 14],
    ])
  })

  test('in line, get by a standstill no later what others had until then', async () => {
    await open({ ttftMs: 5, slots: 1 })
    const arrived = Math.floor(monotonicMs())
    const waits = [0, 2, 2]
    await Promise.all(waits.map((waited, i) => submit({ id: `r${i}`, tokens: 1, arrived, waited }).done))
    expect(ledger.snapshot().requests.map(({ started, delayed }) => [started! - arrived, delayed])).toEqual([
      [0, 0],
      [5, 0],
      [10, 0],
    ])
  })

  test('a slot that was given up by a client whose going was noticed late is handed on late by as much', async () => {
    await open({ ttftMs: 3_600_000, slots: 1 })
    const arrived = monotonicMs()
    const gone = submit({ id: 'gone', tokens: 1, arrived })
    const next = submit({ id: 'next', tokens: 1, arrived: arrived - 500 })
    engine.abandon(gone.generation, 400)
    engine.abandon(next.generation)
    expect(entry('next').delayed).toBeCloseTo(400, 6)
  })

  test('one slot: starts differ from those of a server that read in time by what the ledger says', async () => {
    await open({ ttftMs: 7, slots: 1 })
    const request = fc.record({ gap: fc.nat(20), waited: fc.constantFrom(0, 0, 0, 3, 8, 30) })
    let base = past() - 1_000_000
    fc.assert(
      fc.property(fc.array(request, { minLength: 1, maxLength: 30 }), (requests) => {
        // The slot is idle before: 30 requests are done in less.
        let arrived = (base += 1000)
        let free = -Infinity
        let ideallyFree = -Infinity
        const expected = requests.map(({ gap, waited }, i) => {
          arrived += gap
          submit({ id: `r${i}`, tokens: 1, arrived, waited })
          const started = Math.max(arrived, free)
          const ideal = Math.max(arrived - waited, ideallyFree)
          free = started + 7
          ideallyFree = ideal + 7
          return [started, started - ideal]
        })
        const { requests: ended } = ledger.snapshot()
        expect(ended.slice(-requests.length).map(({ started, delayed }) => [started, delayed])).toEqual(expected)
      }),
    )
  })
})

test('writes that find the socket full are counted', async () => {
  await open({ itlMs: 0.2 })
  await submit({ id: 'a', tokens: 3, flowing: false }).done
  expect(entry('a').blocked).toBe(3)
})
