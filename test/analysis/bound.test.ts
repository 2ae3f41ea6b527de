import { expect, test } from 'vitest'
import { boundOf } from '../../src/analysis/bound.ts'
import { figuresOf } from '../../src/analysis/figures.ts'
import { quantity } from '../../src/model/quantity.ts'
import { countsOf, openStep, profileWith, recordOf, stepProfileOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

/** 100 requests, 4 of them failed; TTFT and TPOT of 1..96 ms, half of it at least; TPOT twice it at most. */
const record = recordOf({
  counts: countsOf(100, { failed: 4 }),
  latency: { ttft: distributionOf(upTo(96)), tpot: distributionOf(upTo(96)), sendLag: distributionOf(upTo(100)) },
  least: { ttft: distributionOf(upTo(96).map((ms) => ms / 2)), tpot: distributionOf(upTo(96).map((ms) => ms / 2)) },
  most: { tpot: distributionOf(upTo(96).map((ms) => ms * 2)) },
})
const { p50, p99, mean, errors, rate } = figuresOf(profileWith([stepProfileOf(openStep(20), { record })]))

test('the bound of a latency is the same statistic of its bound, failures ranked above every reply', () => {
  expect([boundOf(p50.ttft, 'least'), boundOf(p50.ttft, 'most')]).toEqual([25, null])
  expect([boundOf(p50.tpot, 'least'), boundOf(p50.tpot, 'most')]).toEqual([25, 100])
  // Means of the 96 replies: 48.5 / 2, and 48.5 x 2.
  expect([boundOf(mean.ttft, 'least'), boundOf(mean.tpot, 'most')]).toEqual([24.25, 97])
  expect(boundOf(p99.ttft, 'least')).toBeNull()
})

test.each([
  ['the send lag, which is the client’s', p50.sendLag],
  ['a latency without samples', p50.itl],
  ['a ratio', errors.ratio],
  ['a rate', rate.achieved],
  ['a quantity of one’s own', quantity({ metric: 'x', statistic: 'value', value: 5, unit: 'ms', samples: 1 })],
])('there is none of %s', (_, figure) => {
  expect([boundOf(figure, 'least'), boundOf(figure, 'most')]).toEqual([null, null])
})
