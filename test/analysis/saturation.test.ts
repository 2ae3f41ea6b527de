import { describe, expect, test } from 'vitest'
import { saturationOf } from '../../src/analysis/saturation.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import type { Check } from '../../src/model/audit.ts'
import type { StepProfile, Sustain } from '../../src/model/profile.ts'
import { binsOf, closedStep, countsOf, openStep, recordOf, stepProfileOf } from './records.ts'
import { distributionOf } from './samples.ts'

interface Given {
  readonly state?: Sustain['state']
  /** Successful replies per second; the rate unless given. */
  readonly achieved?: number
  readonly failed?: number
  readonly void?: string
  /** Which check it is void by; rho unless given. */
  readonly check?: Check
  /** Of every reply, ms; 100 unless given. */
  readonly e2e?: number
  /** Share of the requests that were sent on time; all unless given. */
  readonly onTime?: number
}

/** A step of 10 s without a ramp; arrivals and replies come evenly, some a fraction in a bin. */
function step(rate: number, { state = 'stable', achieved = rate, failed = 0, ...given }: Given = {}): StepProfile {
  const planned = rate * 10
  const growth = state === 'saturated' && failed === 0 ? 1 - achieved / rate : 0
  return stepProfileOf(openStep(rate), {
    window: { fromMs: 0, toMs: 10_000, arrivals: planned, completions: achieved * 10, outputTokens: 0, inputTokens: 0 },
    bins: binsOf(100, { arrivals: evenly(rate), completions: evenly(achieved) }),
    record: recordOf({
      counts: countsOf(planned, { failed }),
      onTime: planned * (given.onTime ?? 1),
      latency: { e2e: distributionOf(Array.from({ length: planned - failed }, () => given.e2e ?? 100)) },
    }),
    sustain: { state, growth, growthLow: growth * 0.9, growthHigh: growth * 1.1, reason: `it is ${state}` },
    voids: given.void === undefined ? [] : [{ check: given.check ?? 'rho', message: given.void }],
  })
}

/** Counts in a hundred bins of 100 ms. */
function evenly(perSecond: number): number[] {
  return Array.from({ length: 100 }, () => perSecond / 10)
}

/** The rate at which the client of these runs ends. */
const CLIENT_LIMIT = 7512

function bounded(...steps: readonly StepProfile[]) {
  return saturationOf(steps, 'poisson', seededRandom(1), CLIENT_LIMIT)
}

function saturation(...steps: readonly StepProfile[]) {
  return saturationOf(steps, 'poisson', seededRandom(1))
}

test('there is none without open-loop steps', () => {
  expect(saturation(stepProfileOf(closedStep(4)))).toBeNull()
})

test('a step whose requests were sent late bends nothing: what fell behind may be the client', () => {
  const late = (onTime: number) => [step(20), step(40), step(80, { state: 'undecided', achieved: 45, onTime })] as const
  expect(saturation(...late(1))).toMatchObject({ reached: 'within' })
  expect(saturation(...late(0.98))).toMatchObject({ reached: 'not-reached', rate: 40 })
})

test('where every step was late nothing is fitted', () => {
  const undecided = { state: 'undecided', onTime: 0.5 } as const
  expect(saturation(step(20, undecided), step(40, { ...undecided, achieved: 10 }))).toMatchObject({
    reached: 'unknown',
  })
})

describe('not reached', () => {
  test('all stable: at least the highest declared rate', () => {
    expect(saturation(step(20), step(40), step(80))).toEqual({
      rate: 80,
      bound: 'at-least',
      interval: null,
      lastSustained: 80,
      firstSaturated: null,
      reached: 'not-reached',
      reason: 'not reached up to 80 req/s',
    })
  })

  test('one stable step gives the bound too', () => {
    expect(saturation(step(20))).toMatchObject({ rate: 20, bound: 'at-least', reached: 'not-reached' })
  })

  test('an undecided step is never the last sustained', () => {
    expect(saturation(step(20), step(40, { state: 'undecided' }))).toMatchObject({
      rate: 20,
      bound: 'at-least',
      lastSustained: 20,
      reason: 'not reached up to 20 req/s; 40 req/s is undecided: it is undecided',
    })
  })

  test('a void step is no saturation: it is left out and named', () => {
    const late = step(80, { state: 'saturated', achieved: 50, void: 'load process 1 (pid 7) reached rho 0.93' })
    expect(saturation(step(20), step(40), late)).toMatchObject({
      rate: 40,
      bound: 'at-least',
      reached: 'not-reached',
      firstSaturated: null,
      reason: 'not reached up to 40 req/s; void and left out: 80 req/s (load process 1 (pid 7) reached rho 0.93)',
    })
  })

  test('a client-bound step above a stable one is not the server’s saturation: the reason names the client’s own limit', () => {
    const busy = 'all 2 load processes reached rho 0.99 at 80 req/s'
    const late = step(80, { state: 'saturated', achieved: 50, void: busy })
    expect(bounded(step(20), step(40), late)).toEqual({
      rate: 40,
      bound: 'at-least',
      interval: null,
      lastSustained: 40,
      firstSaturated: null,
      reached: 'not-reached',
      reason: `not reached up to 40 req/s; the client's own limit is about 7500 req/s; void and left out: 80 req/s (${busy})`,
    })
  })

  test('nor is one above which the client kept up again', () => {
    const hiccup = step(40, { state: 'saturated', achieved: 10, void: 'it was busy' })
    expect(bounded(step(20), hiccup, step(80))).toMatchObject({ rate: 80, reached: 'not-reached', lastSustained: 80 })
  })

  test('the client’s limit is told only where the client was the limit', () => {
    const dead = step(80, { void: 'load process 1 died', check: 'dead-process' })
    expect(bounded(step(20), dead)?.reason).toBe(
      'not reached up to 20 req/s; void and left out: 80 req/s (load process 1 died)',
    )
    expect(bounded(step(20), step(40))?.reason).toBe('not reached up to 40 req/s')
  })

  test('closed-loop steps take no part', () => {
    expect(saturation(step(20), stepProfileOf(closedStep(4)))).toMatchObject({ rate: 20, reached: 'not-reached' })
  })
})

describe('within', () => {
  test('carried up to 40, saturated from 80 on: the capacity of the hinge, in its interval', () => {
    const found = saturation(
      step(10),
      step(20),
      step(40),
      step(80, { state: 'saturated', achieved: 50 }),
      step(160, { state: 'saturated', achieved: 50 }),
    )!
    expect(found).toMatchObject({
      rate: expect.closeTo(50, 0),
      bound: null,
      lastSustained: 40,
      firstSaturated: 80,
      reached: 'within',
      reason: '80 req/s is saturated: it is saturated',
    })
    const [low, high] = found.interval!
    expect(low).toBeLessThanOrEqual(50)
    expect(low).toBeGreaterThan(45)
    expect(high).toBeGreaterThanOrEqual(50)
    expect(high).toBeLessThan(55)
  })

  test('the order of the steps does not matter', () => {
    const up = saturation(step(20), step(40), step(80, { state: 'saturated', achieved: 50 }))
    const down = saturation(step(80, { state: 'saturated', achieved: 50 }), step(40), step(20))
    expect(down).toEqual(up)
  })

  test('a server that sheds load: its failures are no replies, so the rate of replies shows it', () => {
    const shedding = step(80, { state: 'saturated', achieved: 50, failed: 300 })
    expect(saturation(step(20), step(40), shedding)).toMatchObject({
      reached: 'within',
      rate: expect.closeTo(50, 0),
      firstSaturated: 80,
    })
  })

  test('a server that collapses beyond its capacity: no less than what it carried', () => {
    // The hinge would have C = (20/20 + 0/80) / (1/20 + 1/80) = 16.
    expect(saturation(step(20), step(80, { state: 'saturated', achieved: 0, failed: 800 }))).toMatchObject({
      reached: 'within',
      rate: 20,
    })
  })

  test('a saturated step whose replies keep up by chance: no more than its rate', () => {
    expect(saturation(step(20), step(80, { state: 'saturated', achieved: 81 }))).toMatchObject({
      reached: 'within',
      rate: 80,
    })
  })

  test('undecided steps take part in the fit: a knee that no step shows alone', () => {
    const found = saturation(
      step(20),
      step(80, { state: 'undecided', achieved: 50 }),
      step(90, { state: 'undecided', achieved: 50 }),
    )
    expect(found).toMatchObject({
      reached: 'within',
      rate: expect.closeTo(50, 0),
      lastSustained: 20,
      firstSaturated: null,
      reason: 'successful replies fall behind the arrivals by more than chance',
    })
  })

  test('a lag that chance explains is no knee', () => {
    // 34 of 40 replies: (3.4 - 4)^2 / 4 = 0.09 gained; sweeps that are carried gain up to 0.16 in 95 %.
    expect(saturation(step(2), step(4, { state: 'undecided', achieved: 3.4 }))).toMatchObject({
      reached: 'not-reached',
      rate: 2,
    })
  })

  test.each([
    [3840, 'not-reached', 2000, '4 % behind, which 1600 missing replies make certain: less than a rate is told by'],
    [3600, 'within', 3600, '10 % behind'],
  ])('%d of 4000 per second carried: %s (%s)', (achieved, reached, rate) => {
    const found = saturation(step(2000), step(4000, { state: 'undecided', achieved }))!
    expect(found.reached).toBe(reached)
    expect(found.rate! / rate).toBeCloseTo(1, 2)
  })

  test('replies are compared with the arrivals that they are of, one service time earlier', () => {
    // 40 per second, and 160 from 6 s on; the replies follow 1 s later, so that the window has 120 fewer.
    const rises = (at: number) => Array.from({ length: 100 }, (_, bin) => (bin < at ? 0 : 4) + (bin < at + 60 ? 0 : 12))
    const window = { fromMs: 2500, toMs: 10_000, arrivals: 780, completions: 660, outputTokens: 0, inputTokens: 0 }
    const busy = { ...step(88, { state: 'undecided' }), window }
    const followed = { ...busy, bins: binsOf(100, { arrivals: rises(0), completions: rises(10) }) }
    expect(saturation(step(20, { e2e: 1000 }), followed)).toMatchObject({ reached: 'not-reached' })
    const behind = { ...busy, bins: binsOf(100, { arrivals: rises(0), completions: rises(20) }) }
    expect(saturation(step(20, { e2e: 1000 }), behind)).toMatchObject({ reached: 'within' })
  })

  test('a capacity that lies at the first saturated rate is not corrected beyond it', () => {
    const found = saturation(step(5, { e2e: 4000 }), step(80, { state: 'saturated', achieved: 79 }))!
    expect(found.rate).toBe(80)
    expect(found.interval![1]).toBeGreaterThanOrEqual(80)
  })

  test('where the fit is moved to the last sustained rate, the interval has that rate in it', () => {
    const found = saturation(step(20, { e2e: 4000 }), step(80, { state: 'saturated', achieved: 0, failed: 800 }))!
    expect(found.rate).toBe(20)
    expect(found.interval![0]).toBeLessThanOrEqual(20)
  })

  test('one step gives a bound only, whatever it carried', () => {
    expect(saturation(step(400, { achieved: 200 }))).toMatchObject({ reached: 'not-reached', rate: 400 })
  })

  test('a stable step above a saturated one is not the last sustained', () => {
    const found = saturation(step(20), step(40, { state: 'saturated', achieved: 30 }), step(80))
    expect(found).toMatchObject({ lastSustained: 20, firstSaturated: 40 })
  })
})

test('a void step beside a saturated one is named with the client’s limit, and moves nothing', () => {
  const steps = [step(20), step(40), step(80, { state: 'saturated', achieved: 50 })]
  const late = step(160, { state: 'saturated', achieved: 30, void: 'it was busy', check: 'in-flight' })
  const found = bounded(...steps, late)!
  expect(found).toMatchObject({ ...saturation(...steps), reason: expect.any(String) })
  expect(found.reason).toMatch(/; the client's own limit is about 7500 req\/s; void and left out: 160 req\/s/)
})

describe('already passed', () => {
  test('the lowest step is saturated: at most arrivals less growth', () => {
    expect(
      saturation(step(80, { state: 'saturated', achieved: 50 }), step(160, { state: 'saturated', achieved: 50 })),
    ).toEqual({
      rate: expect.closeTo(50, 9),
      bound: 'at-most',
      interval: null,
      lastSustained: null,
      firstSaturated: 80,
      reached: 'already-passed',
      reason: 'the lowest step: 80 req/s is saturated: it is saturated',
    })
  })

  test('replies that come in waves: what a whole wave carries, not what the window cuts off', () => {
    // 10 replies every 2 s. The window from 5 s on has the waves of 5.9, 7.9 and 9.9 s, by count 30 in 5 s.
    const wave = Array.from({ length: 100 }, (_, bin) => (bin % 20 === 19 ? 10 : 0))
    const full = stepProfileOf(openStep(10), {
      window: { fromMs: 5000, toMs: 10_000, arrivals: 50, completions: 30, outputTokens: 0, inputTokens: 0 },
      bins: binsOf(100, { arrivals: Array.from({ length: 100 }, () => 1), completions: wave }),
      record: recordOf({ counts: countsOf(100), latency: { e2e: distributionOf([2000, 5000, 6500]) } }),
      sustain: { state: 'saturated', growth: 0.5, growthLow: 0.4, growthHigh: 0.6, reason: 'it is saturated' },
    })
    expect(saturation(full)).toMatchObject({ rate: expect.closeTo(5, 9), bound: 'at-most' })
  })

  test('by failures alone: at most the successful replies', () => {
    expect(saturation(step(80, { state: 'saturated', achieved: 48, failed: 320 }))).toMatchObject({
      rate: 48,
      bound: 'at-most',
      reached: 'already-passed',
    })
  })
})

describe('unknown', () => {
  test.each([
    [
      'no step decided',
      [step(20, { state: 'undecided' })],
      'no step is known to be carried; 20 req/s is undecided: it is undecided',
    ],
    [
      'all void',
      [step(20, { void: 'it stalled' })],
      'no open-loop step can be used; void and left out: 20 req/s (it stalled)',
    ],
    [
      'a contradiction',
      [step(20, { state: 'saturated', achieved: 15 }), step(40)],
      '20 req/s is saturated: it is saturated; yet 40 req/s is stable',
    ],
    [
      'no reply at all',
      [step(20, { state: 'saturated', achieved: 0, failed: 200 })],
      'no request got a successful reply',
    ],
  ])('%s', (_, steps, reason) => {
    expect(saturation(...steps)).toMatchObject({ rate: null, bound: null, interval: null, reached: 'unknown', reason })
  })
})

test('undecided steps alone are no saturation point, however far their replies fall behind', () => {
  const behind = { state: 'undecided', achieved: 5 } as const
  expect(saturation(step(10, behind), step(20, behind))).toMatchObject({ reached: 'unknown', rate: null, bound: null })
})
