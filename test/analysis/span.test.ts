import { describe, expect, test } from 'vitest'
import { negate } from '../../src/analysis/comparison.ts'
import { figuresOf } from '../../src/analysis/figures.ts'
import { judge } from '../../src/analysis/judge.ts'
import type { Latencies, RunFigures } from '../../src/model/figures.ts'
import { GAP_METRICS, METRICS, type Metric, SENT_METRICS } from '../../src/model/metric.ts'
import type { Step } from '../../src/model/step.ts'
import type { Comparison, Verdict } from '../../src/model/verdict.ts'
import { closedStep, countsOf, openStep, profileWith, recordOf, stepProfileOf } from './records.ts'
import { distributionOf } from './samples.ts'

const below = (limit: number): Comparison => ({ kind: 'below', limit })
const atMost = (limit: number): Comparison => ({ kind: 'at-most', limit })
const above = (limit: number): Comparison => ({ kind: 'above', limit })
const atLeast = (limit: number): Comparison => ({ kind: 'at-least', limit })
const between = (low: number, high: number): Comparison => ({ kind: 'between', low, high })
const outside = (low: number, high: number): Comparison => ({ kind: 'outside', low, high })

const all = <K extends string, V>(keys: readonly K[], value: V) =>
  Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>
const each = (ms: number, count = 100) => distributionOf(Array.from({ length: count }, () => ms))

/** 100 replies, every latency 50 ms as measured, 45 from sent, 40 at least; gaps (three a reply) 60 at most. */
const record = recordOf({
  counts: countsOf(100),
  latency: { ...all(METRICS, each(50)), itl: each(50, 300), icl: each(50, 300) },
  fromSent: all(SENT_METRICS, each(45)),
  least: { ...all(METRICS, each(40)), itl: each(40, 300), icl: each(40, 300) },
  most: { tpot: each(60), itl: each(60, 300), icl: each(60, 300) },
})
const latencies = figuresOf(profileWith([stepProfileOf(openStep(20), { record })]))

const STATISTICS: Readonly<Record<string, (run: RunFigures) => Latencies>> = {
  p50: (run) => run.p50,
  p95: (run) => run.p95,
  mean: (run) => run.mean,
  min: (run) => run.min,
  max: (run) => run.max,
}

/** Verdicts on TTFT, TTFO, NTPOT and E2E; on the same from sent; on TPOT, ITL and ICL; on the send lag. */
const ROWS: readonly (readonly [Comparison, Verdict, Verdict, Verdict, Verdict])[] = [
  // Upper limits pass by the most, fail by the least.
  [below(61), 'pass', 'pass', 'pass', 'pass'],
  [atMost(60), 'pass', 'pass', 'pass', 'pass'],
  [below(60), 'pass', 'pass', 'invalid', 'pass'],
  [below(51), 'pass', 'pass', 'invalid', 'pass'],
  [atMost(50), 'pass', 'pass', 'invalid', 'pass'],
  [below(50), 'invalid', 'pass', 'invalid', 'fail'],
  [atMost(45), 'invalid', 'pass', 'invalid', 'fail'],
  [below(45), 'invalid', 'invalid', 'invalid', 'fail'],
  [atMost(40), 'invalid', 'invalid', 'invalid', 'fail'],
  [below(40), 'fail', 'fail', 'fail', 'fail'],
  [atMost(39), 'fail', 'fail', 'fail', 'fail'],
  // Lower limits pass by the least, fail by the most.
  [above(39), 'pass', 'pass', 'pass', 'pass'],
  [atLeast(40), 'pass', 'pass', 'pass', 'pass'],
  [above(40), 'invalid', 'invalid', 'invalid', 'pass'],
  [atLeast(45), 'invalid', 'invalid', 'invalid', 'pass'],
  [above(45), 'invalid', 'fail', 'invalid', 'pass'],
  [atLeast(50), 'invalid', 'fail', 'invalid', 'pass'],
  [above(50), 'fail', 'fail', 'invalid', 'fail'],
  [atLeast(60), 'fail', 'fail', 'invalid', 'fail'],
  [above(60), 'fail', 'fail', 'fail', 'fail'],
  // Between needs both sides.
  [between(40, 60), 'pass', 'pass', 'pass', 'pass'],
  [between(40, 50), 'pass', 'pass', 'invalid', 'pass'],
  [between(41, 60), 'invalid', 'invalid', 'invalid', 'pass'],
  [between(40, 49), 'invalid', 'pass', 'invalid', 'fail'],
  [between(51, 70), 'fail', 'fail', 'invalid', 'fail'],
  [between(10, 39), 'fail', 'fail', 'fail', 'fail'],
  // Outside any: what fails fails both.
  [outside(61, 70), 'pass', 'pass', 'pass', 'pass'],
  [outside(10, 39), 'pass', 'pass', 'pass', 'pass'],
  [outside(43, 70), 'invalid', 'invalid', 'invalid', 'fail'],
  [outside(30, 43), 'invalid', 'invalid', 'invalid', 'pass'],
  [outside(40, 60), 'fail', 'fail', 'fail', 'fail'],
]

describe.each(Object.entries(STATISTICS))('%s of a latency', (_, statistic) => {
  const figures = statistic(latencies)
  test.each(ROWS)('%j: %s, from sent %s, of gaps %s, the send lag %s', (comparison, whole, sent, gap, lag) => {
    const verdict = (metric: Metric) => judge(figures[metric], comparison).verdict
    for (const metric of SENT_METRICS) expect(verdict(metric), metric).toBe(whole)
    for (const metric of SENT_METRICS) {
      expect(judge(figures.fromSent[metric], comparison).verdict, `${metric} from sent`).toBe(sent)
    }
    for (const metric of GAP_METRICS) expect(verdict(metric), metric).toBe(gap)
    expect(verdict('sendLag')).toBe(lag)
  })
})

test.each<[Comparison, Verdict]>([
  // `not below 50` is judged as `at least 50`, whose sides are the other way round.
  [below(40), 'pass'],
  [below(41), 'invalid'],
  [atMost(50), 'fail'],
  [above(50), 'pass'],
  [atLeast(50), 'invalid'],
  [atLeast(40), 'fail'],
  [between(45, 60), 'invalid'],
  [between(51, 60), 'pass'],
  [between(40, 50), 'fail'],
])('TTFT, not %j: %s', (comparison, verdict) => {
  expect(judge(latencies.p95.ttft, negate(comparison)).verdict).toBe(verdict)
})

test('a message says between what values the server’s own lies, where the limit is among them', () => {
  const inside = (low: number, high: number) =>
    `the server's own is between ${low} ms and ${high} ms, the client's own delay could have tipped it`
  expect(judge(latencies.p95.ttft, below(45)).message).toContain(`expected below 45 ms: ${inside(40, 50)}`)
  expect(judge(latencies.p95.fromSent.ttft, below(45)).message).toContain(inside(40, 45))
  expect(judge(latencies.mean.tpot, above(45)).message).toContain(inside(40, 60))
  expect(judge(latencies.p95.ttft, below(30)).message).toMatch(/expected below 30 ms$/)
})

test('failures rank above the bounds as they do above the samples', () => {
  // 90 replies and 10 failures: p95 does not exist, at least or as measured.
  const failed = recordOf({
    counts: countsOf(100, { failed: 10 }),
    latency: { ttft: each(50, 90) },
    least: { ttft: each(40, 90) },
  })
  const { p50, p90, p95 } = figuresOf(profileWith([stepProfileOf(openStep(20), { record: failed })]))
  expect(judge(p95.ttft, below(1e9)).verdict).toBe('fail')
  expect(judge(p90.ttft, below(45)).verdict).toBe('invalid')
  // For a lower limit they are the lowest ten: p5 is none, p50 is a reply.
  expect(judge(p50.ttft, atLeast(40)).verdict).toBe('pass')
  expect(judge(p50.ttft, atLeast(41)).verdict).toBe('invalid')
})

test.each<[string, Comparison, Verdict]>([
  // p99 needs 299 of which there are 100. Of the 100, at 1 %, four breaches or more are refuted.
  ['the least breaks it in 100 of 100: refuted', below(40), 'fail'],
  ['the least meets it: the client could have tipped it, before it is too few', below(50), 'invalid'],
  ['the most meets it: too few to pass', below(51), 'inconclusive'],
])('too few requests: %s', (_, comparison, verdict) => {
  expect(judge(latencies.p99.ttft, comparison).verdict).toBe(verdict)
})

describe('too few requests are refuted by what breaks the limit without the client alone', () => {
  // 100 requests at 1 %: 4 breaches are refuted, 3 are not. As measured 10 of them break the limit of 50 ms.
  const spread = (breaches: number, breaking: number, keeping: number) =>
    distributionOf(Array.from({ length: 100 }, (_, i) => (i < breaches ? breaking : keeping)))
  const figuresWith = (given: Parameters<typeof recordOf>[0]) =>
    figuresOf(profileWith([stepProfileOf(openStep(20), { record: recordOf({ counts: countsOf(100), ...given }) })]))

  test.each<[breaches: number, Verdict]>([
    [3, 'inconclusive'],
    [4, 'fail'],
  ])('%d of 100 above: %s', (breaches, verdict) => {
    const { p99 } = figuresWith({ latency: { ttft: spread(10, 60, 10) }, least: { ttft: spread(breaches, 60, 10) } })
    expect(judge(p99.ttft, atMost(50)).verdict).toBe(verdict)
  })

  test.each<[breaches: number, Verdict]>([
    [3, 'inconclusive'],
    [4, 'fail'],
  ])('%d of 100 below, at most: %s', (breaches, verdict) => {
    const run = figuresWith({ latency: { tpot: spread(10, 10, 60) }, most: { tpot: spread(breaches, 10, 60) } })
    expect(judge(run.percentile(1).tpot, atLeast(50)).verdict).toBe(verdict)
  })
})

interface Rated {
  readonly step?: Step
  readonly onTime?: number
  readonly good?: number
  readonly goodLessClient?: number
  /** Mean E2E as measured and at least, ms. */
  readonly e2e?: readonly [seen: number, least: number]
}

/** 400 requests in 10 s, all answered; 20/s in the window, and goodput where it is asked for. */
function rated({ step = openStep(40), onTime = 400, e2e = [10, 8], good = 400, ...given }: Rated): RunFigures {
  const slow = recordOf({
    counts: countsOf(400),
    latency: { e2e: each(e2e[0], 400) },
    least: { e2e: each(e2e[1], 400) },
    good,
    goodLessClient: given.goodLessClient ?? good,
    onTime,
  })
  const window = { fromMs: 0, toMs: 10_000, arrivals: 200, completions: 200, outputTokens: 4000, inputTokens: 0 }
  return figuresOf(profileWith([stepProfileOf(step, { record: slow, window })], { objectives: true }))
}

const closed = closedStep(4)

describe('rates', () => {
  test.each<[string, Rated, Comparison, Verdict]>([
    ['an open loop owes nothing to the client', {}, atLeast(20), 'pass'],
    ['a missed limit is the server’s, however long the client’s part of E2E is', {}, atLeast(21), 'fail'],
    ['99 % sent on time still blame the server', { onTime: 396 }, atLeast(21), 'fail'],
    ['less do not', { onTime: 395 }, atLeast(21), 'invalid'],
    ['nor for any limit', { onTime: 395 }, atLeast(1e6), 'invalid'],
    ['a limit that is met is met', { onTime: 0 }, atLeast(20), 'pass'],
    ['below its upper limit only for want of requests', { onTime: 395 }, below(21), 'invalid'],
    ['above its upper limit all the same', { onTime: 395 }, below(20), 'fail'],
    // Closed loop: 2 ms of 10 are the client's, so its slots could have done 10 / 8 as much: 25/s.
    ['a closed loop: met', { step: closed }, atLeast(20), 'pass'],
    ['missed, but not without the client', { step: closed }, atLeast(25), 'invalid'],
    ['missed without the client too', { step: closed }, atLeast(25.1), 'fail'],
    ['an upper limit met in any case', { step: closed }, below(25.1), 'pass'],
    ['an upper limit that only the client keeps', { step: closed }, below(25), 'invalid'],
    ['an upper limit missed', { step: closed }, below(20), 'fail'],
    ['a client that took half of it', { step: closed, e2e: [10, 5] }, atLeast(40), 'invalid'],
    ['that took nothing', { step: closed, e2e: [10, 10] }, atLeast(21), 'fail'],
    // 10 ms of which the server had none that could be told.
    ['that took all', { step: closed, e2e: [10, 0] }, atLeast(1000), 'invalid'],
  ])('%s', (_, given, comparison, verdict) => {
    const { rate, throughput } = rated(given)
    expect(judge(rate.achieved, comparison).verdict).toBe(verdict)
    expect(judge(throughput.requests, comparison).verdict).toBe(verdict)
    // Twenty tokens a reply.
    const tokens = Object.fromEntries(
      Object.entries(comparison).map(([key, value]) => [key, typeof value === 'number' ? 20 * value : value]),
    ) as unknown as Comparison
    expect(judge(throughput.outputTokens, tokens).verdict).toBe(verdict)
  })
})

describe('goodput', () => {
  // 380 of 400 as seen, 394 less the client's own part: 95 % and 98.5 %.
  const tipped = { good: 380, goodLessClient: 394 }
  test.each<[string, Rated, Comparison, Verdict]>([
    ['passes by what is seen', tipped, atLeast(0.95), 'pass'],
    ['the client may have made requests bad', tipped, atLeast(0.96), 'invalid'],
    ['up to its own part', tipped, above(0.985), 'fail'],
    ['fails by what is left of it', tipped, atLeast(0.99), 'fail'],
    ['an upper limit is the mirror of it: met', tipped, atMost(0.985), 'pass'],
    ['or met by the client alone', tipped, atMost(0.98), 'invalid'],
    ['or missed as seen', tipped, below(0.95), 'fail'],
    // P(at most 397 of 400 good at 99.9 %) = 0.8 %: refuted. Too few to pass, and 398: 6.1 %.
    ['too few to pass: refuted less the client', { good: 380, goodLessClient: 397 }, atLeast(0.999), 'fail'],
    ['not refuted', { good: 380, goodLessClient: 398 }, atLeast(0.999), 'inconclusive'],
    ['tipped comes before too few', { good: 380, goodLessClient: 400 }, atLeast(0.999), 'invalid'],
  ])('ratio: %s', (_, given, comparison, verdict) => {
    expect(judge(rated(given).goodput.ratio, comparison).verdict).toBe(verdict)
  })

  test.each<[string, Rated, Comparison, Verdict]>([
    // 38/s as seen, 39.4/s less the client.
    ['passes by what is seen', tipped, atLeast(38), 'pass'],
    ['the client may have made requests bad', tipped, atLeast(39.4), 'invalid'],
    ['fails by what is left of it', tipped, atLeast(39.5), 'fail'],
    ['unless requests were sent late', { ...tipped, onTime: 395 }, atLeast(39.5), 'invalid'],
    // A closed loop: 39.4 x 10 / 8 = 49.25.
    ['in a closed loop slots stood still besides', { ...tipped, step: closed }, atLeast(49.2), 'invalid'],
    ['and fails beyond that', { ...tipped, step: closed }, atLeast(49.3), 'fail'],
  ])('rate: %s', (_, given, comparison, verdict) => {
    expect(judge(rated(given).goodput.rate, comparison).verdict).toBe(verdict)
  })
})
