import { describe, expect, test } from 'vitest'
import { figuresOf } from '../../src/analysis/figures.ts'
import { judge, judgeNumber, worstVerdict } from '../../src/analysis/judge.ts'
import type { Figures, RunFigures } from '../../src/model/figures.ts'
import type { Counts, Distribution, Profile, Saturation, StepProfile, Usable } from '../../src/model/profile.ts'
import { type Quantity, quantity } from '../../src/model/quantity.ts'
import type { Comparison, Verdict } from '../../src/model/verdict.ts'
import { closedStep, countsOf, openStep, profileWith, recordOf, stepProfileOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

const below = (limit: number): Comparison => ({ kind: 'below', limit })
const atMost = (limit: number): Comparison => ({ kind: 'at-most', limit })
const above = (limit: number): Comparison => ({ kind: 'above', limit })
const atLeast = (limit: number): Comparison => ({ kind: 'at-least', limit })
const between = (low: number, high: number): Comparison => ({ kind: 'between', low, high })
const outside = (low: number, high: number): Comparison => ({ kind: 'outside', low, high })

interface Given {
  /** TTFT of the replies, ms. */
  readonly ttft?: readonly number[]
  /** By how much each was sent late, and by how much more its read may have been late, ms. */
  readonly lagMs?: number
  readonly readMs?: number
  /** Requests that failed; the others are the replies. */
  readonly failed?: number
  readonly counts?: Counts
  readonly good?: number
  readonly goodLessClient?: number
  readonly onTime?: number
  readonly sendLag?: Distribution
  readonly step?: Partial<StepProfile>
  readonly profile?: Partial<Profile>
}

/** Figures of one step at 20 req/s for 10 s; 100 replies of 1..100 ms unless given. */
function figures({ ttft = upTo(100), failed = 0, lagMs = 0, readMs = 0, ...given }: Given = {}): RunFigures {
  const counts = given.counts ?? countsOf(ttft.length + failed, { failed })
  const record = recordOf({
    counts,
    latency: { ttft: distributionOf(ttft), ...(given.sendLag && { sendLag: given.sendLag }) },
    fromSent: { ttft: distributionOf(ttft.map((ms) => ms - lagMs)) },
    least: { ttft: distributionOf(ttft.map((ms) => ms - lagMs - readMs)) },
    good: given.good ?? null,
    goodLessClient: given.goodLessClient ?? given.good ?? null,
    onTime: given.onTime ?? counts.sent,
  })
  const window = { fromMs: 0, toMs: 10_000, arrivals: 200, completions: 180, outputTokens: 1800, inputTokens: 0 }
  const step = stepProfileOf(openStep(20), { record, window, ...given.step })
  return figuresOf(profileWith([step], { objectives: given.good !== undefined, ...given.profile }))
}

const late: Given = { lagMs: 8, readMs: 2 }

function verdictOf(figure: Quantity, comparison: Comparison): Verdict {
  return judge(figure, comparison).verdict
}

describe('percentiles', () => {
  test.each<[string, Given, (run: RunFigures) => Quantity, Comparison, Verdict]>([
    // Enough samples: by the percentile itself. p50 needs 5, p95 59, p99 299.
    ['met', {}, (run) => run.p95.ttft, below(96), 'pass'],
    ['met at the limit, where it may be reached', {}, (run) => run.p95.ttft, atMost(95), 'pass'],
    ['missed at the limit, where it may not', {}, (run) => run.p95.ttft, below(95), 'fail'],
    ['missed', {}, (run) => run.p95.ttft, atMost(94), 'fail'],
    ['a lower limit met', {}, (run) => run.p50.ttft, atLeast(50), 'pass'],
    ['a lower limit missed', {}, (run) => run.p50.ttft, above(50), 'fail'],
    ['between, inclusive', {}, (run) => run.p50.ttft, between(50, 50), 'pass'],
    ['not between: above', {}, (run) => run.p50.ttft, between(10, 49), 'fail'],
    ['not between: below', {}, (run) => run.p50.ttft, between(51, 60), 'fail'],
    ['outside', {}, (run) => run.p50.ttft, outside(51, 60), 'pass'],
    ['not outside', {}, (run) => run.p50.ttft, outside(50, 60), 'fail'],
    ['min and max need one sample', { ttft: [7] }, (run) => run.max.ttft, below(8), 'pass'],
    ['the maximum missed', { ttft: [7] }, (run) => run.max.ttft, below(7), 'fail'],

    // Too few samples forbid only to pass. 100 requests of the 299 for p99.
    ['too few to pass', {}, (run) => run.p99.ttft, below(200), 'inconclusive'],
    // 1 breach of 100 at 1 %: P = 63 %; 3: 7.9 %; 4: 1.8 %.
    ['too few, and missed by no more than chance', {}, (run) => run.p99.ttft, atMost(97), 'inconclusive'],
    ['too few, but refuted', {}, (run) => run.p99.ttft, atMost(96), 'fail'],
    [
      'too few for a lower limit: p50 needs five',
      { ttft: [50, 60] },
      (run) => run.p50.ttft,
      atLeast(10),
      'inconclusive',
    ],
    // Both of two below at 50 %: P = 25 %. All of six: 1.6 %, but six are enough anyway; four: 6.3 %.
    ['too few to refute a lower limit', { ttft: [1, 1, 1, 1] }, (run) => run.p50.ttft, atLeast(10), 'inconclusive'],
    ['one side too few, the other refuted: it fails', {}, (run) => run.p99.ttft, between(0, 50), 'fail'],

    // No data.
    ['nothing scheduled', { ttft: [] }, (run) => run.p50.ttft, below(10), 'inconclusive'],
    ['a metric that applies to no reply', {}, (run) => run.p50.tpot, below(10), 'inconclusive'],

    // Failures rank where they do not help.
    ['three of 103 failed: p95 is rank 98', { failed: 3 }, (run) => run.p95.ttft, atMost(98), 'pass'],
    ['and misses what the survivors would meet', { failed: 3 }, (run) => run.p95.ttft, atMost(97), 'fail'],
    [
      'p99 does not exist: it fails any upper limit',
      { ttft: upTo(293), failed: 7 },
      (run) => run.p99.ttft,
      below(1e9),
      'fail',
    ],
    ['max does not exist', { failed: 1 }, (run) => run.max.ttft, below(1e9), 'fail'],
    ['min does not exist for a lower limit', { failed: 1 }, (run) => run.min.ttft, atLeast(0), 'fail'],
    ['a lower limit: the rank counts from the failures up', { failed: 50 }, (run) => run.p50.ttft, atLeast(26), 'fail'],
    ['which 25 ms is', { failed: 50 }, (run) => run.p50.ttft, atLeast(25), 'pass'],
    [
      'outside does not help either: p50 is 75 ms above, 25 ms below',
      { failed: 50 },
      (run) => run.p50.ttft,
      outside(30, 60),
      'fail',
    ],

    // The client: sent 8 ms late each, and read up to 2 ms late: the server's own p95 is between 85 and 95 ms.
    ['met with the lateness', late, (run) => run.p95.ttft, below(96), 'pass'],
    ['tipped by the lateness', late, (run) => run.p95.ttft, below(90), 'invalid'],
    ['missed without it', late, (run) => run.p95.ttft, below(85), 'fail'],
    ['a lower limit met without it', late, (run) => run.p95.ttft, atLeast(85), 'pass'],
    ['a lower limit met only with it', late, (run) => run.p95.ttft, atLeast(90), 'invalid'],
    ['a lower limit missed with it', late, (run) => run.p95.ttft, atLeast(96), 'fail'],
    ['tipped, and too few to pass: invalid comes first', late, (run) => run.p99.ttft, below(95), 'invalid'],
    ['from sent it is 87 ms', late, (run) => run.p95.fromSent.ttft, below(88), 'pass'],
    ['of which 2 ms may be the read', late, (run) => run.p95.fromSent.ttft, below(86), 'invalid'],
    ['missed without them', late, (run) => run.p95.fromSent.ttft, below(85), 'fail'],
    ['from sent a lower limit', late, (run) => run.p95.fromSent.ttft, atLeast(85), 'pass'],
    ['that only the read may have met', late, (run) => run.p95.fromSent.ttft, atLeast(86), 'invalid'],
    ['and missed in any case', late, (run) => run.p95.fromSent.ttft, above(87), 'fail'],
    ['p50 of 50 ms or 40 ms: outside 45 to 60 is tipped', late, (run) => run.p50.ttft, outside(45, 60), 'invalid'],
  ])('%s', (_, given, figure, comparison, verdict) => {
    expect(verdictOf(figure(figures(given)), comparison)).toBe(verdict)
  })

  test('the send lag is judged whatever is wrong with the run', () => {
    const broken = figures({
      sendLag: distributionOf(upTo(300)),
      step: { voids: [{ check: 'stall', message: 'it stalled' }] },
      profile: { breaches: ['a load process died'], loadKind: 'sweep' },
    })
    expect(verdictOf(broken.p99.sendLag, below(298))).toBe('pass')
    expect(verdictOf(broken.p99.sendLag, below(297))).toBe('fail')
    expect(verdictOf(broken.client.sendLag, below(1))).toBe('pass')
  })
})

describe('means', () => {
  test.each<[string, Given, Comparison, Verdict]>([
    ['met: 50.5 ms', {}, below(51), 'pass'],
    ['missed', {}, below(50), 'fail'],
    ['29 are too few to pass', { ttft: upTo(29) }, below(51), 'inconclusive'],
    ['and to fail: nothing refutes a mean', { ttft: upTo(29) }, below(1), 'inconclusive'],
    ['1 % failed: still a mean', { ttft: upTo(99), failed: 1 }, below(51), 'pass'],
    ['2 % failed: the mean of the survivors says nothing', { ttft: upTo(98), failed: 2 }, below(51), 'inconclusive'],
    ['nor when it is missed', { ttft: upTo(98), failed: 2 }, below(1), 'inconclusive'],
    ['tipped by the client', late, below(45), 'invalid'],
  ])('%s', (_, given, comparison, verdict) => {
    expect(verdictOf(figures(given).mean.ttft, comparison)).toBe(verdict)
  })
})

describe('errors', () => {
  test.each<[string, Given, Comparison, Verdict]>([
    // At 1 % 299 requests are needed to pass.
    ['met', { ttft: upTo(399), failed: 1 }, atMost(0.01), 'pass'],
    ['missed', { ttft: upTo(390), failed: 10 }, atMost(0.01), 'fail'],
    ['none of 100: too few to pass', {}, atMost(0.01), 'inconclusive'],
    // 2 of 102: P(X >= 2) = 27 %.
    ['two of 102: missed, not refuted', { failed: 2 }, atMost(0.01), 'inconclusive'],
    // 5 of 105: P(X >= 5) = 0.4 %.
    ['five of 105: refuted', { failed: 5 }, atMost(0.01), 'fail'],
    ['none at all allowed is judged as a count', {}, atMost(0), 'pass'],
    ['and one is too many', { failed: 1 }, atMost(0), 'fail'],
    ['at least 5 %, a test of a server that must shed', { failed: 25 }, atLeast(0.05), 'pass'],
    ['nothing scheduled', { ttft: [] }, atMost(0.01), 'inconclusive'],
  ])('ratio: %s', (_, given, comparison, verdict) => {
    expect(verdictOf(figures(given).errors.ratio, comparison)).toBe(verdict)
  })

  test.each<[string, Given, Comparison, Verdict]>([
    ['counts need one request', { ttft: [5] }, atMost(0), 'pass'],
    ['too many', { failed: 3 }, below(3), 'fail'],
    ['nothing scheduled', { ttft: [] }, atMost(0), 'inconclusive'],
  ])('count: %s', (_, given, comparison, verdict) => {
    expect(verdictOf(figures(given).errors.count, comparison)).toBe(verdict)
  })
})

describe('goodput', () => {
  const requests = upTo(400)
  test.each<[string, Given, Comparison, Verdict]>([
    // At 99 % 299 requests are needed to pass.
    ['met', { ttft: requests, good: 396 }, atLeast(0.99), 'pass'],
    ['missed', { ttft: requests, good: 395 }, atLeast(0.99), 'fail'],
    [
      'good enough only without the client: tipped by it',
      { ttft: requests, good: 395, goodLessClient: 397 },
      atLeast(0.99),
      'invalid',
    ],
    ['missed either way', { ttft: requests, good: 300, goodLessClient: 310 }, atLeast(0.99), 'fail'],
    ['all of 100 good: too few to pass', { good: 100 }, atLeast(0.99), 'inconclusive'],
    // 3 of 100 bad at 1 %: 7.9 %; 4: 1.8 %.
    ['97 of 100: missed, not refuted', { good: 97 }, atLeast(0.99), 'inconclusive'],
    ['96 of 100: refuted', { good: 96 }, atLeast(0.99), 'fail'],
    [
      'an upper limit is met by the count without the client',
      { ttft: requests, good: 100, goodLessClient: 200 },
      below(0.6),
      'pass',
    ],
    ['not by the other alone', { ttft: requests, good: 100, goodLessClient: 300 }, below(0.6), 'invalid'],
  ])('ratio: %s', (_, given, comparison, verdict) => {
    expect(verdictOf(figures(given).goodput.ratio, comparison)).toBe(verdict)
  })

  test.each<[string, Given, Comparison, Verdict]>([
    ['met: 39.6/s', { ttft: requests, good: 396 }, atLeast(39), 'pass'],
    ['missed', { ttft: requests, good: 300 }, atLeast(39), 'fail'],
    ['met without the client', { ttft: requests, good: 300, goodLessClient: 395 }, atLeast(39), 'invalid'],
    ['missed while 2 % were sent late', { ttft: requests, good: 300, onTime: 392 }, atLeast(39), 'invalid'],
    ['met all the same', { ttft: requests, good: 396, onTime: 392 }, atLeast(39), 'pass'],
  ])('rate: %s', (_, given, comparison, verdict) => {
    expect(verdictOf(figures(given).goodput.rate, comparison)).toBe(verdict)
  })
})

describe('rates', () => {
  // 200 arrivals and 180 successful replies in 10 s.
  test.each<[string, Given, Comparison, Verdict]>([
    ['met: 18/s', {}, atLeast(18), 'pass'],
    ['missed', {}, atLeast(19), 'fail'],
    ['missed while 99 % were sent on time', { onTime: 99 }, atLeast(19), 'fail'],
    ['missed while 98 % were: the client may be why', { onTime: 98 }, atLeast(19), 'invalid'],
    ['met though the client was late', { onTime: 98 }, atLeast(18), 'pass'],
    ['an upper limit met', {}, below(19), 'pass'],
    ['an upper limit met by a late client only', { onTime: 98 }, below(19), 'invalid'],
    ['an upper limit missed', { onTime: 98 }, below(18), 'fail'],
  ])('achieved: %s', (_, given, comparison, verdict) => {
    const run = figures(given)
    expect(verdictOf(run.rate.achieved, comparison)).toBe(verdict)
    expect(verdictOf(run.throughput.requests, comparison)).toBe(verdict)
  })

  test('29 arrivals are too few', () => {
    const window = { fromMs: 0, toMs: 10_000, arrivals: 29, completions: 29, outputTokens: 0, inputTokens: 0 }
    const run = figures({ step: { window } })
    expect(judge(run.rate.achieved, atLeast(1))).toEqual({
      verdict: 'inconclusive',
      message:
        'achieved rate was 2.9/s (n = 29), expected at least 1/s: 29 requests are too few to tell, 30 are needed',
    })
  })

  test('there is no nominal rate in a closed loop', () => {
    const run = figuresOf(profileWith([stepProfileOf(closedStep(4))]))
    expect(judge(run.rate.nominal, atLeast(1))).toEqual({
      verdict: 'inconclusive',
      message: 'nominal rate does not exist, expected at least 1/s: a closed loop has no nominal rate',
    })
  })
})

describe('saturation', () => {
  function saturation(given: Partial<Saturation>, voids: StepProfile['voids'] = []): RunFigures {
    const found: Saturation = {
      rate: null,
      bound: null,
      interval: null,
      lastSustained: null,
      firstSaturated: null,
      reached: 'unknown',
      reason: 'nothing is known',
      ...given,
    }
    return figures({ step: { voids }, profile: { saturation: found } })
  }
  const notReached = { rate: 80, bound: 'at-least', lastSustained: 80, reached: 'not-reached' } as const
  const passed = { rate: 50, bound: 'at-most', firstSaturated: 80, reached: 'already-passed' } as const
  const within = { rate: 47, interval: [45, 49], lastSustained: 40, firstSaturated: 80, reached: 'within' } as const

  test.each<[string, Partial<Saturation>, Comparison, Verdict]>([
    ['not reached up to 80: at least 30', notReached, atLeast(30), 'pass'],
    ['at least 80', notReached, atLeast(80), 'pass'],
    ['at least 81 cannot be told', notReached, atLeast(81), 'inconclusive'],
    ['below 50', notReached, below(50), 'fail'],
    ['below 80', notReached, below(80), 'fail'],
    ['below 81 cannot be told', notReached, below(81), 'inconclusive'],
    ['at most 80 cannot be told', notReached, atMost(80), 'inconclusive'],
    ['between 30 and 100 cannot be told', notReached, between(30, 100), 'inconclusive'],
    ['between 30 and 50', notReached, between(30, 50), 'fail'],
    ['already passed, at most 50: below 60', passed, below(60), 'pass'],
    ['at most 50', passed, atMost(50), 'pass'],
    ['below 50 cannot be told', passed, below(50), 'inconclusive'],
    ['at least 60', passed, atLeast(60), 'fail'],
    ['at least 40 cannot be told', passed, atLeast(40), 'inconclusive'],
    ['within, 47: at least 40', within, atLeast(40), 'pass'],
    ['at least 47', within, atLeast(47), 'pass'],
    ['at least 50', within, atLeast(50), 'fail'],
    ['unknown: nothing can be told', {}, atLeast(1), 'inconclusive'],
  ])('%s', (_, given, comparison, verdict) => {
    expect(verdictOf(saturation(given).saturation.rate, comparison)).toBe(verdict)
  })

  test('what void steps leave open is invalid, not inconclusive', () => {
    const run = saturation(notReached, [{ check: 'rho', message: 'busy' }])
    expect(verdictOf(run.saturation.rate, atLeast(81))).toBe('invalid')
    expect(verdictOf(run.saturation.rate, atLeast(30))).toBe('pass')
  })

  test('last sustained and first saturated are judged as declared', () => {
    expect(verdictOf(saturation(within).saturation.lastSustained, atLeast(40))).toBe('pass')
    expect(verdictOf(saturation(within).saturation.firstSaturated, below(80))).toBe('fail')
    expect(verdictOf(saturation(notReached).saturation.firstSaturated, above(80))).toBe('inconclusive')
  })

  test('messages', () => {
    expect(
      judge(saturation({ ...notReached, reason: 'not reached up to 80 req/s' }).saturation.rate, atLeast(90)).message,
    ).toBe('saturation rate was at least 80/s, expected at least 90/s: not reached up to 80 req/s')
    expect(judge(saturation(within).saturation.rate, atLeast(50)).message).toBe(
      'saturation rate was 47/s (95 % interval 45.0 to 49.0), expected at least 50/s',
    )
    expect(judge(saturation({}).saturation.rate, atLeast(50)).message).toBe(
      'saturation rate does not exist, expected at least 50/s: nothing is known',
    )
  })
})

describe('usable', () => {
  function usable(given: Partial<Usable>): Quantity {
    const found: Usable = {
      rate: null,
      bound: null,
      lastSustained: null,
      firstSaturated: null,
      reached: 'unknown',
      reason: '',
      ...given,
    }
    return figures({ good: 100, profile: { usable: found } }).usable.rate
  }
  const within = { rate: 40, lastSustained: 40, firstSaturated: 80, reached: 'within' } as const

  test.each<[string, Partial<Usable>, Comparison, Verdict]>([
    ['40 reached it, 80 missed it: at least 40', within, atLeast(40), 'pass'],
    ['at least 60 lies between', within, atLeast(60), 'inconclusive'],
    ['at least 80', within, atLeast(80), 'fail'],
    ['below 80', within, below(80), 'pass'],
    ['below 40', within, below(40), 'fail'],
    ['all reached it', { rate: 80, bound: 'at-least', lastSustained: 80, reached: 'not-reached' }, atLeast(80), 'pass'],
    [
      'the lowest missed it',
      { rate: 20, bound: 'at-most', firstSaturated: 20, reached: 'already-passed' },
      atLeast(20),
      'fail',
    ],
    [
      'and so anything above',
      { rate: 20, bound: 'at-most', firstSaturated: 20, reached: 'already-passed' },
      below(20),
      'pass',
    ],
    ['unknown', {}, atLeast(1), 'inconclusive'],
  ])('%s', (_, given, comparison, verdict) => {
    expect(verdictOf(usable(given), comparison)).toBe(verdict)
  })
})

describe('what makes a whole figure unusable', () => {
  const figuresToTry: readonly (readonly [string, (run: Figures) => Quantity, Comparison])[] = [
    ['latency', (run) => run.p50.ttft, below(1)],
    ['mean', (run) => run.mean.ttft, below(1)],
    ['rate', (run) => run.rate.achieved, atLeast(1000)],
    ['throughput', (run) => run.throughput.outputTokens, atLeast(1e6)],
    ['goodput', (run) => run.goodput.ratio, atLeast(0.99)],
    ['errors', (run) => run.errors.ratio, atMost(0)],
    ['count', (run) => run.errors.count, atMost(0)],
  ]
  const failing: Given = { failed: 1, good: 0 }

  test.each(figuresToTry)('all fail when nothing is wrong: %s', (_, figure, comparison) => {
    expect(verdictOf(figure(figures(failing)), comparison)).toBe('fail')
  })

  test.each(figuresToTry)('a void step is invalid, before it fails: %s', (_, figure, comparison) => {
    const voids = [{ check: 'stall' as const, message: 'load process 1 stood still' }]
    const run = figures({ ...failing, step: { voids } })
    for (const part of [run, run.steps[0]!]) {
      const { verdict, message } = judge(figure(part), comparison)
      expect(verdict).toBe('invalid')
      expect(message).toMatch(/: it cannot be used, load process 1 stood still$/)
    }
  })

  test.each(figuresToTry)('a breach of the run is invalid: %s', (_, figure, comparison) => {
    const run = figures({ ...failing, profile: { objectives: true, breaches: ['a load process died', 'more'] } })
    const { verdict, message } = judge(figure(run), comparison)
    expect(verdict).toBe('invalid')
    expect(message).toContain('it cannot be used, a load process died (and 1 more)')
  })

  test.each(figuresToTry)('a merged sweep is inconclusive, its steps are not: %s', (_, figure, comparison) => {
    const run = figures({ ...failing, profile: { objectives: true, loadKind: 'sweep' } })
    const { verdict, message } = judge(figure(run), comparison)
    expect(verdict).toBe('inconclusive')
    expect(message).toContain('use at(rate), steps[i] or usable')
    expect(verdictOf(figure(run.at(20)), comparison)).toBe('fail')
  })

  test.each(figuresToTry)(
    'a run without one successful reply is inconclusive, but for its errors: %s',
    (name, figure, comparison) => {
      const run = figures({ ttft: [], failed: 100, good: 0 })
      const expected = name === 'errors' || name === 'count' ? 'fail' : 'inconclusive'
      expect(verdictOf(figure(run), comparison)).toBe(expected)
      expect(verdictOf(run.client.rho, below(1))).toBe('inconclusive')
      expect(verdictOf(run.client.workers, atLeast(1))).toBe('pass')
    },
  )

  test('a step without a reply in a run with some fails its latencies', () => {
    const dead = stepProfileOf(openStep(40), { index: 1, record: recordOf({ counts: countsOf(50, { failed: 50 }) }) })
    const alive = stepProfileOf(openStep(20), { record: recordOf({ counts: countsOf(100) }) })
    const run = figuresOf(profileWith([alive, dead]))
    expect(judge(run.at(40).p50.ttft, below(1e6))).toEqual({
      verdict: 'fail',
      message:
        'p50 TTFT does not exist: 100 % of the requests got no reply (n = 50) at 40 req/s, expected below 1000000 ms',
    })
  })

  test('a void step leaves the verdicts of other steps standing', () => {
    const sound = stepProfileOf(openStep(20), {
      record: recordOf({ counts: countsOf(100), latency: { ttft: distributionOf(upTo(100)) } }),
    })
    const broken = {
      ...sound,
      index: 1,
      step: openStep(40),
      voids: [{ check: 'stall' as const, message: 'it stalled' }],
    }
    const run = figuresOf(profileWith([sound, broken]))
    expect(verdictOf(run.at(20).p50.ttft, below(51))).toBe('pass')
    expect(verdictOf(run.at(40).p50.ttft, below(51))).toBe('invalid')
    expect(verdictOf(run.p50.ttft, below(51))).toBe('invalid')
  })
})

describe('messages', () => {
  // p99 of 600 is rank 594; its interval has ranks 589 and 599.
  const ntpot = distributionOf(
    upTo(600).map((rank) => (rank <= 589 ? 47.9 : rank < 594 ? 50 : rank === 594 ? 51.3 : rank < 599 ? 55 : 56)),
  )
  const step = stepProfileOf(openStep(20), { record: recordOf({ counts: countsOf(600), latency: { ntpot } }) })
  const notReached: Saturation = {
    rate: 20,
    bound: 'at-least',
    interval: null,
    lastSustained: 20,
    firstSaturated: null,
    reached: 'not-reached',
    reason: '',
  }
  const run = (saturation: Saturation | null) => figuresOf(profileWith([step], { saturation })).at(20).p99.ntpot

  test('a fail tells the figure, how sure it is, where, what was expected, and whether the server was saturated', () => {
    expect(judge(run(notReached), below(40)).message).toBe(
      'p99 NTPOT was 51.3 ms (95 % interval 47.9 to 56.0, n = 600) at 20 req/s, expected below 40 ms; saturation not reached up to 20 req/s',
    )
  })

  test.each<[Saturation | null, string]>([
    [null, 'expected below 40 ms'],
    [{ ...notReached, rate: null, bound: null, reached: 'unknown' }, 'expected below 40 ms'],
    [
      { ...notReached, rate: 17.24, bound: null, interval: [16.81, 18], reached: 'within' },
      'expected below 40 ms; saturation at 17.2 req/s (95 % interval 16.8 to 18.0)',
    ],
    [
      { ...notReached, rate: 17.24, bound: 'at-most', firstSaturated: 20, reached: 'already-passed' },
      'expected below 40 ms; saturated already at 20 req/s, the lowest step',
    ],
  ])('the last clause is what is known: %#', (saturation, end) => {
    expect(judge(run(saturation), below(40)).message.endsWith(end)).toBe(true)
  })

  test('a pass tells the same, without the saturation', () => {
    expect(judge(run(notReached), below(60))).toEqual({
      verdict: 'pass',
      message: 'p99 NTPOT was 51.3 ms (95 % interval 47.9 to 56.0, n = 600) at 20 req/s, expected below 60 ms',
    })
  })

  test.each<[string, Quantity, Comparison, string]>([
    [
      'too few',
      figures().p99.ttft,
      below(200),
      'p99 TTFT was 99 ms (95 % interval 97.0 to no bound, n = 100), expected below 200 ms: 100 requests are too few to tell, 299 are needed',
    ],
    [
      'tipped by the client',
      figures(late).p95.ttft,
      below(90),
      "p95 TTFT was 95 ms (95 % interval 90.0 to 100.0, n = 100), expected below 90 ms: the server's own is between 85 ms and 95 ms, the client's own delay could have tipped it: use more workers, a machine with more cores, or a lower rate",
    ],
    [
      'sent late',
      figures({ onTime: 98 }).rate.achieved,
      atLeast(19),
      'achieved rate was 18/s (n = 200), expected at least 19/s: only 98 % of the requests were sent on time, 99 % must be before the server is blamed: use more workers, a machine with more cores, or a lower rate',
    ],
    [
      'does not exist',
      figures({ ttft: upTo(293), failed: 7 }).p99.ttft,
      below(40),
      'p99 TTFT does not exist: 2.33 % of the requests got no reply (n = 300), expected below 40 ms',
    ],
    [
      'failures below',
      figures({ failed: 50 }).p50.ttft,
      atLeast(26),
      'p50 TTFT was 75 ms (95 % interval 63.0 to 88.0, n = 150), expected at least 26 ms: for a lower limit a request without a reply ranks below every reply',
    ],
    [
      'a ratio',
      figures({ failed: 5 }).errors.ratio,
      atMost(0.01),
      'error ratio was 4.76 % (n = 105), expected at most 1 %',
    ],
    ['a count', figures({ failed: 5 }).errors.count, atMost(0), 'error count was 5 (n = 105), expected at most 0'],
    [
      'no data',
      figures({ ttft: [] }).p50.ttft,
      below(1),
      'p50 TTFT does not exist (n = 0), expected below 1 ms: there is no request to which it applies',
    ],
  ])('%s', (_, figure, comparison, message) => {
    expect(judge(figure, comparison).message).toBe(message)
  })
})

test('a quantity without evidence is judged by its value', () => {
  const bare = quantity({ metric: 'x', statistic: 'value', value: 5, unit: 'count', samples: 1 })
  expect(judge(bare, below(6))).toEqual({ verdict: 'pass', message: 'x was 5, expected below 6' })
  const none = quantity({ metric: 'x', statistic: 'value', value: null, unit: 'count', samples: 0 })
  expect(verdictOf(none, below(6))).toBe('inconclusive')
})

test.each<[number, Comparison, Verdict, string]>([
  [5, below(6), 'pass', '5, expected below 6'],
  [6, below(6), 'fail', '6, expected below 6'],
  [6, between(6, 7), 'pass', '6, expected between 6 and 7'],
  [8, outside(6, 7), 'pass', '8, expected outside 6 and 7'],
  [Number.NaN, below(6), 'fail', 'NaN, expected below 6'],
  [Number.NaN, outside(6, 7), 'fail', 'NaN, expected outside 6 and 7'],
])('the plain number %d under %j: %s', (value, comparison, verdict, message) => {
  expect(judgeNumber(value, comparison)).toEqual({ verdict, message })
})

test.each<[readonly Verdict[], Verdict]>([
  [[], 'pass'],
  [['pass', 'inconclusive'], 'inconclusive'],
  [['inconclusive', 'fail', 'pass'], 'fail'],
  [['fail', 'invalid', 'pass'], 'invalid'],
])('the worst of %j is %s', (verdicts, worst) => {
  expect(worstVerdict(verdicts)).toBe(worst)
})
