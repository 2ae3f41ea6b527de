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
  readonly stream?: boolean
  readonly flowing?: boolean
  readonly onPart?: (part: number) => void
}

/** Submits a job: `done` resolves after its last part. */
function submit({ id, tokens, arrived = monotonicMs(), stream = true, flowing = true, onPart }: Asked) {
  const sent: number[] = []
  const { promise: done, resolve } = Promise.withResolvers<void>()
  const generation = engine.submit({
    requestId: id,
    arrived,
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

test('writes that find the socket full are counted', async () => {
  await open({ itlMs: 0.2 })
  await submit({ id: 'a', tokens: 3, flowing: false }).done
  expect(entry('a').blocked).toBe(3)
})
