import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { negate } from '../../src/analysis/comparison.ts'
import { figuresOf } from '../../src/analysis/figures.ts'
import { judge, judgeNumber } from '../../src/analysis/judge.ts'
import { GAP_METRICS, SENT_METRICS, type ServerMetric } from '../../src/model/metric.ts'
import type { Quantity } from '../../src/model/quantity.ts'
import type { Comparison, Verdict } from '../../src/model/verdict.ts'
import { closedStep, countsOf, openStep, profileWith, recordOf, stepProfileOf } from '../analysis/records.ts'
import { distributionOf } from '../analysis/samples.ts'

const settings = { seed: 20261129, verbose: 1 } as const

const limit = fc.integer({ min: 0, max: 120 })
const comparison: fc.Arbitrary<Comparison> = fc.oneof(
  fc.record({ kind: fc.constantFrom('below', 'at-most', 'above', 'at-least'), limit }),
  fc
    .record({ kind: fc.constantFrom('between', 'outside'), low: limit, high: limit })
    .map(({ kind, low, high }) => ({ kind, low: Math.min(low, high), high: Math.max(low, high) })),
)
const percent = fc.constantFrom(0, 50, 75, 90, 95, 99, 100)
const replies = fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 2, maxLength: 400 })

type Statistic = number | 'mean'

/** A statistic of TTFT; of requests without a part of the client's own. */
function ttft(values: readonly number[], failed: number, statistic: Statistic): Quantity {
  return bounded('ttft', values, values, values, failed, statistic)
}

/** A statistic of a metric as measured, at least and at most; the most counts for differences of two stamps alone. */
function bounded(
  metric: ServerMetric,
  measured: readonly number[],
  least: readonly number[],
  most: readonly number[],
  failed: number,
  statistic: Statistic,
): Quantity {
  const record = recordOf({
    counts: countsOf(measured.length + failed, { failed }),
    latency: { [metric]: distributionOf(measured) },
    least: { [metric]: distributionOf(least) },
    most: { [metric]: distributionOf(most) },
  })
  const figures = figuresOf(profileWith([stepProfileOf(openStep(20), { record })]))
  if (statistic === 'mean') return figures.mean[metric]
  if (statistic === 0) return figures.min[metric]
  return statistic === 100 ? figures.max[metric] : figures.percentile(statistic)[metric]
}

const RANK: Readonly<Record<Verdict, number>> = { fail: 0, invalid: 1, inconclusive: 2, pass: 3 }

test('a comparison and its opposite never both pass, and for a plain number exactly one does', () => {
  fc.assert(
    fc.property(replies, fc.integer({ min: 0, max: 20 }), percent, comparison, (values, failed, p, wanted) => {
      const figure = ttft(values, failed, p)
      const both = [judge(figure, wanted).verdict, judge(figure, negate(wanted)).verdict]
      expect(both).not.toEqual(['pass', 'pass'])
      const number = [judgeNumber(values[0]!, wanted).verdict, judgeNumber(values[0]!, negate(wanted)).verdict]
      expect(number.toSorted()).toEqual(['fail', 'pass'])
      expect(negate(negate(wanted))).toEqual(wanted)
    }),
    settings,
  )
})

test('a failure never helps: a request that fails instead of being answered makes no verdict better', () => {
  fc.assert(
    fc.property(
      replies,
      fc.nat(),
      fc.integer({ min: 0, max: 20 }),
      percent,
      comparison,
      (values, at, failed, p, wanted) => {
        const fewer = values.toSpliced(at % values.length, 1)
        const before = judge(ttft(values, failed, p), wanted).verdict
        const after = judge(ttft(fewer, failed + 1, p), wanted).verdict
        expect(RANK[after]).toBeLessThanOrEqual(RANK[before])
      },
    ),
    settings,
  )
})

/** What a server did, ms, and how the client saw it: late in sending, and late in reading by `late` of at most `late + more`. */
const request = fc.record({
  truth: fc.integer({ min: 1, max: 100 }),
  lag: fc.integer({ min: 0, max: 30 }),
  late: fc.integer({ min: 0, max: 20 }),
  more: fc.integer({ min: 0, max: 5 }),
  early: fc.boolean(),
})
const requests = fc.array(request, { minLength: 2, maxLength: 400 })
const statistic = fc.oneof(percent, fc.constant('mean' as const))
const failures = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 20 }))

test('a late client never tips a verdict: what passes or fails beside it passes or fails without it', () => {
  fc.assert(
    fc.property(
      requests,
      failures,
      statistic,
      fc.constantFrom(...SENT_METRICS),
      comparison,
      (all, failed, of, metric, wanted) => {
        const measured = all.map(({ truth, lag, late }) => truth + lag + late)
        const least = measured.map((ms, i) => ms - all[i]!.lag - all[i]!.late - all[i]!.more)
        const seen = bounded(metric, measured, least, measured, failed, of)
        const { verdict } = judge(seen, wanted)
        if (verdict !== 'pass' && verdict !== 'fail') return
        const truth = all.map((one) => one.truth)
        expect(judge(bounded(metric, truth, truth, truth, failed, of), wanted).verdict).toBe(verdict)
        expect(judge(bounded(metric, measured, measured, measured, failed, of), wanted).verdict).toBe(verdict)
      },
    ),
    { ...settings, numRuns: 500 },
  )
})

test('nor where it makes gaps too short as well as too long', () => {
  fc.assert(
    fc.property(
      requests,
      failures,
      statistic,
      fc.constantFrom(...GAP_METRICS),
      comparison,
      (all, failed, of, metric, wanted) => {
        const measured = all.map(({ truth, late, early }) => (early ? Math.max(0, truth - late) : truth + late))
        const delay = all.map(({ late, more }) => late + more)
        const least = measured.map((ms, i) => Math.max(0, ms - delay[i]!))
        const most = measured.map((ms, i) => ms + delay[i]!)
        const { verdict } = judge(bounded(metric, measured, least, most, failed, of), wanted)
        if (verdict !== 'pass' && verdict !== 'fail') return
        const truth = all.map((one) => one.truth)
        expect(judge(bounded(metric, truth, truth, truth, failed, of), wanted).verdict).toBe(verdict)
      },
    ),
    { ...settings, numRuns: 500 },
  )
})

test('a later client makes no verdict surer, and without a part of its own none is invalid', () => {
  fc.assert(
    fc.property(requests, failures, statistic, comparison, (all, failed, of, wanted) => {
      const measured = all.map(({ truth, lag }) => truth + lag)
      const least = measured.map((ms, i) => ms - all[i]!.lag)
      const later = least.map((ms, i) => ms - all[i]!.more)
      const of3 = (low: readonly number[]) =>
        judge(bounded('ttft', measured, low, measured, failed, of), wanted).verdict
      const [none, some, more] = [of3(measured), of3(least), of3(later)]
      expect(none).not.toBe('invalid')
      for (const [before, after] of [
        [none, some],
        [some, more],
      ]) {
        if (after === 'pass' || after === 'fail') expect(before).toBe(after)
        if (before === 'invalid') expect(after).toBe('invalid')
      }
    }),
    { ...settings, numRuns: 500 },
  )
})

test('rates: neither does a client that was slow, in open loop or closed', () => {
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  fc.assert(
    fc.property(
      fc.boolean(),
      share,
      share,
      share,
      fc.integer({ min: 0, max: 60 }),
      (open, lost, slow, good, wanted) => {
        // Of each reply's E2E of 10 ms a share is the client's; without it a closed loop would have done so much more.
        const least = 10 * (1 - slow)
        const truth = open ? 20 : 20 / Math.max(1 - slow, 1e-9)
        const onTime = Math.round(200 * (1 - lost))
        const record = recordOf({
          counts: countsOf(200),
          latency: { e2e: distributionOf([10]) },
          least: { e2e: distributionOf([least]) },
          onTime,
          good: Math.floor(200 * good),
          goodLessClient: 200,
        })
        const window = { fromMs: 0, toMs: 10_000, arrivals: 200, completions: 200, outputTokens: 0, inputTokens: 0 }
        const step = stepProfileOf(open ? openStep(20) : closedStep(4), { record, window })
        const { rate, goodput } = figuresOf(profileWith([step], { objectives: true }))
        const late = onTime < 198
        for (const [figure, might] of [
          [rate.achieved, truth],
          [goodput.rate, truth],
        ] as const) {
          const { verdict } = judge(figure, { kind: 'at-least', limit: wanted })
          if (verdict === 'pass') expect(figure.value).toBeGreaterThanOrEqual(wanted)
          if (verdict === 'fail') expect(!late && might < wanted * (1 + 1e-9)).toBe(true)
        }
      },
    ),
    settings,
  )
})

test('every verdict explains itself', () => {
  fc.assert(
    fc.property(replies, fc.integer({ min: 0, max: 20 }), percent, comparison, (values, failed, p, wanted) => {
      const { verdict, message } = judge(ttft(values, failed, p), wanted)
      expect(message).toMatch(
        /^(min|max|p\d+) TTFT (was [\d.]+ ms|does not exist: [\d.]+ % of the requests got no reply) \(.*n = \d+\), expected /,
      )
      if (verdict === 'inconclusive')
        expect(message).toMatch(/: \d+ requests? (is|are) too few to tell, \d+ are needed$/)
    }),
    settings,
  )
})
