import { describe, expect, test } from 'vitest'
import type { Calibration } from '../../src/model/calibration.ts'
import type { Step } from '../../src/model/step.ts'
import { BUILT_IN_COST, shortfallOf, type Sizing, type SizingInput, sizingOf } from '../../src/spec/workers.ts'

/** 0.04 ms a request and 0.01 ms a token: a stream of 64 costs 0.68 ms. */
const CALIBRATION: Calibration = {
  requestMs: 0.04,
  tokenMs: 0.01,
  limited: [],
  measuredAt: '2026-11-29T15:00:00.000Z',
  fingerprint: {
    platform: 'linux',
    arch: 'x64',
    cpu: 'Some CPU',
    cores: 8,
    node: '24.21.0',
    'vitest-slo': '0.1.0',
    undici: '8.13.1',
  },
}

const open = (rate: number): Step => ({ kind: 'open', rate, durationMs: 1000, requests: rate })
const closed = (concurrency: number): Step => ({ kind: 'closed', concurrency, durationMs: 1000, requests: null })

function sized(steps: readonly Step[], changes: Partial<Omit<SizingInput, 'load'>> = {}): Sizing {
  const load = { kind: 'list', steps } as const
  const input = { auto: true, cores: 16, calibration: CALIBRATION, tokens: 64, maxInFlight: undefined }
  return sizingOf({ ...input, ...changes, load })
}

describe('auto makes load processes that are half busy at most', () => {
  test.each<[number, number, number, number]>([
    // rate, tokens, loop seconds per second, load processes
    [10, 64, 0.0068, 1],
    // 500 x 0.68 ms = 0.34
    [500, 64, 0.34, 1],
    // 1,000 x (0.04 + 0.46) ms: exactly half of one
    [1000, 46, 0.5, 1],
    // a little more than half of one
    [1000, 47, 0.51, 2],
    // 2,500 x 0.4 ms is 1, which floating point may not know
    [2500, 36, 1, 2],
    // 4,000 x 0.68 ms
    [4000, 64, 2.72, 6],
    // replies that do not stream: 25,000 x 0.04 ms
    [25_000, 0, 1, 2],
  ])('%d req/s x %d tokens ask %d: %i', (rate, tokens, demand, workers) => {
    const sizing = sized([open(rate)], { tokens })
    expect(sizing.busiest!.processes).toBeCloseTo(demand, 12)
    expect(sizing).toMatchObject({ workers, basis: 'calibrated', busiest: { rate, tokens } })
  })

  test('the step that asks most decides', () => {
    expect(sized([open(100), open(4000), open(2000)])).toMatchObject({ workers: 6, busiest: { rate: 4000 } })
  })
})

describe('within the cores that there are', () => {
  test.each<[number, number, number]>([
    // cores, whole cores, load processes of a load that asks for 6: one core is left to the rest
    [16, 16, 6],
    [7, 7, 6],
    [6, 6, 5],
    [2, 2, 1],
    [1, 1, 1],
    // shares of a container
    [0.5, 1, 1],
    [1.9, 1, 1],
    [4.5, 4, 3],
  ])('%d cores count as %i, and get %i', (cores, whole, workers) => {
    expect(sized([open(4000)], { cores })).toMatchObject({ cores: whole, workers })
  })

  test.each<[Partial<SizingInput>, number]>([
    [{ maxInFlight: 2 }, 2],
    [{ maxInFlight: 1 }, 1],
    [{ maxInFlight: 1000 }, 6],
  ])('and no more than may have a request each: %j', (changes, workers) => {
    expect(sized([open(4000)], changes).workers).toBe(workers)
  })

  test('and never more than a number may be', () => {
    expect(sized([open(1_000_000)], { cores: 1024 }).workers).toBe(256)
  })
})

describe('a closed loop, whose rate nobody knows, gets all cores but one', () => {
  test.each<[readonly Step[], Partial<SizingInput>, number]>([
    [[closed(64)], { cores: 8 }, 7],
    [[closed(64)], { cores: 1 }, 1],
    // a slot each
    [[closed(3)], { cores: 8 }, 3],
    [[closed(2), closed(5)], { cores: 8 }, 5],
    [[closed(64)], { cores: 8, maxInFlight: 4 }, 4],
    // whichever of both kinds wants more
    [[closed(2), open(4000)], { cores: 8 }, 6],
    [[closed(64), open(10)], { cores: 8 }, 7],
  ])('%j, %j: %i', (steps, changes, workers) => {
    expect(sized(steps, changes).workers).toBe(workers)
  })

  test('and asks nothing that could be told', () => {
    expect(sized([closed(64)]).busiest).toBeNull()
    expect(shortfallOf(sized([closed(64)]), 1, 0.85)).toBeNull()
  })
})

describe('without a calibration', () => {
  test.each<[SizingInput['calibration'], Sizing['basis']]>([
    [null, 'built-in'],
    ['foreign', 'foreign'],
  ])('%j counts by the built-in costs', (calibration, basis) => {
    // 1,000 x (0.06 + 64 x 0.02) ms
    const sizing = sized([open(1000)], { calibration })
    expect(sizing.busiest!.processes).toBeCloseTo(1.34, 12)
    expect(sizing).toMatchObject({ workers: 3, basis })
  })

  test('they are these', () => {
    expect(BUILT_IN_COST).toEqual({ requestMs: 0.06, tokenMs: 0.02 })
  })
})

describe('a load asks more than its load processes have', () => {
  test.each<[string, number, number, number, number | null, number | null]>([
    // rate (0.68 ms each), cores, set: better, offered
    // 2.72 of 3: rho 0.91; six are half busy
    ['more processes serve it', 4000, 16, 3, 6, null],
    // three of four cores: 0.85 x 3 / 0.68 ms = 3,750/s
    ['there are more cores, and not enough', 4000, 4, 1, 3, 3750],
    ['there are no more cores', 4000, 2, 1, null, 1250],
    ['there is one core', 4000, 1, 1, null, 1250],
    // more processes than cores are no more than the cores: 4 x 0.85 / 0.68 ms = 5,000/s
    ['more are set than there are cores', 6000, 4, 16, null, 5000],
  ])('%s', (_, rate, cores, set, better, offers) => {
    const shortfall = shortfallOf(sized([open(rate)], { cores, auto: false }), set, 0.85)
    expect(shortfall).toMatchObject({ demand: { rate, tokens: 64 }, better })
    if (offers === null) expect(shortfall!.offers).toBeNull()
    else expect(shortfall!.offers).toBeCloseTo(offers, 6)
  })

  test.each([
    // rate, set, rho: 0.68 ms each
    [1249, 1, 0.85],
    [3749, 3, 0.85],
    [1470, 1, 1],
    [10, 1, 0.85],
  ])('%d req/s for %i at rho %d is no more than it has', (rate, set, rho) => {
    expect(shortfallOf(sized([open(rate)]), set, rho)).toBeNull()
  })

  test('by the limit that is set', () => {
    expect(shortfallOf(sized([open(100)]), 1, 0.05)).toMatchObject({ better: null })
  })
})
