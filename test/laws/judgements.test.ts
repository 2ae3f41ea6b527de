import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { negate } from '../../src/analysis/comparison.ts'
import { figuresOf } from '../../src/analysis/figures.ts'
import { judge, judgeNumber } from '../../src/analysis/judge.ts'
import type { Quantity } from '../../src/model/quantity.ts'
import type { Comparison, Verdict } from '../../src/model/verdict.ts'
import { countsOf, openStep, profileWith, recordOf, stepProfileOf } from '../analysis/records.ts'
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

function ttft(values: readonly number[], failed: number, p: number, lagMs = 0): Quantity {
  const record = recordOf({
    counts: countsOf(values.length + failed, { failed }),
    latency: { ttft: distributionOf(values) },
    fromSent: { ttft: distributionOf(values.map((value) => value - lagMs)) },
  })
  const figures = figuresOf(profileWith([stepProfileOf(openStep(20), { record })]))
  return p === 0 ? figures.min.ttft : p === 100 ? figures.max.ttft : figures.percentile(p).ttft
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

test('a late client never tips a verdict: what passes or fails beside it passes or fails without it', () => {
  fc.assert(
    fc.property(replies, fc.integer({ min: 0, max: 30 }), percent, comparison, (values, lagMs, p, wanted) => {
      const { verdict } = judge(ttft(values, 0, p, lagMs), wanted)
      if (verdict !== 'pass' && verdict !== 'fail') return
      expect(judge(ttft(values, 0, p), wanted).verdict).toBe(verdict)
      const withoutClient = ttft(
        values.map((value) => value - lagMs),
        0,
        p,
      )
      expect(judge(withoutClient, wanted).verdict).toBe(verdict)
    }),
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
