import { describe, expect, test } from 'vitest'
import { figuresOf } from '../../src/analysis/figures.ts'
import { judge } from '../../src/analysis/judge.ts'
import type { Figures } from '../../src/model/figures.ts'
import { FAILURE_KINDS } from '../../src/model/request.ts'
import { auditOf, closedStep, countsOf, openStep, profileWith, recordOf, stepProfileOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

/** 1,000 requests at 100 req/s for 10 s, ramp 1 s: 970 replies with a TTFT of 1..970 ms, from sent 0.5 ms less. */
const record = recordOf({
  counts: countsOf(1000, { failed: 10, timedOut: 8, aborted: 7, unsent: 5 }),
  byKind: { reset: 10, 'timeout-idle': 8, aborted: 7, unsent: 5 },
  latency: {
    ttft: distributionOf(upTo(970)),
    itl: distributionOf(upTo(9700)),
    sendLag: distributionOf(upTo(995).map((n) => n / 1000)),
  },
  fromSent: { ttft: distributionOf(upTo(970).map((n) => n - 0.5)) },
  notApplicable: { ntpot: 970, ttfo: 970, tpot: 970, icl: 970, e2e: 970 },
  outputTokens: 97_000,
  inputTokens: 9700,
  good: 900,
  goodLessClient: 910,
})
const step = stepProfileOf(openStep(100), {
  record,
  window: { fromMs: 1000, toMs: 10_000, arrivals: 909, completions: 882, outputTokens: 88_200, inputTokens: 8820 },
})
const figures = figuresOf(profileWith([step], { objectives: true }))

describe('percentiles', () => {
  test.each([
    // 1,000 requests, 30 failures above: rank 1000 p falls on the reply of that many ms, up to p97
    ['p50', (f: Figures) => f.p50, 500],
    ['p75', (f: Figures) => f.p75, 750],
    ['p90', (f: Figures) => f.p90, 900],
    ['p95', (f: Figures) => f.p95, 950],
    ['p97', (f: Figures) => f.percentile(97), 970],
    ['p99', (f: Figures) => f.p99, null],
    ['p99.9', (f: Figures) => f.p999, null],
    ['min', (f: Figures) => f.min, 1],
    ['max', (f: Figures) => f.max, null],
    ['mean', (f: Figures) => f.mean, 485.5],
  ])('%s TTFT counts failures above every reply', (statistic, of, value) => {
    expect(of(figures).ttft).toMatchObject({ metric: 'TTFT', statistic, value, unit: 'ms', samples: 1000 })
  })

  test('fromSent is the same without the client', () => {
    expect(figures.p50.fromSent.ttft).toMatchObject({ metric: 'TTFT from sent', value: 499.5, samples: 1000 })
  })

  test('of ITL count requests and read samples at p / (1 - f)', () => {
    // 0.5 / 0.97 of 9,700 samples: rank 5,000.
    expect(figures.p50.itl).toMatchObject({ value: 5000, samples: 1000 })
    expect(figures.p99.itl.value).toBeNull()
  })

  test('of the send lag are of all sent requests, failed or not', () => {
    expect(figures.p99.sendLag).toMatchObject({ value: 0.986, samples: 995 })
  })

  test('of a metric that applies to no reply do not exist, and have no requests', () => {
    expect(figures.p50.ntpot).toMatchObject({ value: null, samples: 0 })
  })

  test('have an interval by order statistics, with its ends among the replies or open', () => {
    // P(X < 469) = 2.3 %, P(X < 470) = 2.7 % at n = 1000, p = 0.5; the other end mirrors it.
    expect(figures.p50.ttft.interval).toEqual([469, 532])
    // n p = 970, deviation 5.4: ranks 959 and about 981, which is a failure.
    expect(figures.percentile(97).ttft.interval).toEqual([959, null])
    expect(figures.min.ttft.interval).toBeUndefined()
    expect(figures.p99.ttft.interval).toBeUndefined()
  })

  test('of a saturated step have no interval: they grow with its length', () => {
    const saturated = stepProfileOf(openStep(100), {
      ...step,
      sustain: { state: 'saturated', growth: 0.5, growthLow: 0.4, growthHigh: 0.6, reason: '' },
    })
    expect(figuresOf(profileWith([saturated])).p50.ttft.interval).toBeUndefined()
  })

  test.each([0, 100, -1, Number.NaN])('percentile(%d) is refused', (percent) => {
    expect(() => figures.percentile(percent)).toThrow('a percentile lies between 0 and 100')
  })
})

describe('rates', () => {
  test('are per second after the ramp', () => {
    expect(figures.rate.nominal).toMatchObject({ value: 100, unit: '/s', samples: 1000 })
    expect(figures.rate.offered).toMatchObject({ value: 101, samples: 909 })
    expect(figures.rate.achieved).toMatchObject({ value: 98, samples: 909 })
    expect(figures.throughput.requests.value).toBe(98)
    expect(figures.throughput.outputTokens.value).toBe(9800)
    expect(figures.throughput.inputTokens.value).toBe(980)
    expect(figures.throughput.totalTokens.value).toBe(10_780)
  })

  test('of tokens do not exist where no reply has any, which is no 0', () => {
    const window = { fromMs: 1000, toMs: 10_000, arrivals: 909, completions: 882, outputTokens: 0, inputTokens: 0 }
    const plain = stepProfileOf(openStep(100), { record: recordOf({ counts: countsOf(1000) }), window })
    const { throughput } = figuresOf(profileWith([plain]))
    expect(throughput.requests.value).toBe(98)
    for (const tokens of [throughput.inputTokens, throughput.outputTokens, throughput.totalTokens]) {
      expect(tokens).toMatchObject({ value: null, samples: 0 })
    }
  })

  test('of several steps are totals over the summed windows', () => {
    const other = stepProfileOf(openStep(10, 20_000), {
      window: { fromMs: 2000, toMs: 20_000, arrivals: 180, completions: 171, outputTokens: 0, inputTokens: 0 },
    })
    const both = figuresOf(profileWith([step, other]))
    // (909 + 180) / (9 s + 18 s), (882 + 171) / 27 s; nominal (1000 + 200) / 30 s.
    expect(both.rate.offered.value).toBeCloseTo(1089 / 27, 12)
    expect(both.rate.achieved.value).toBe(39)
    expect(both.rate.nominal.value).toBe(40)
  })

  test('do not exist where nothing was scheduled after the ramp', () => {
    const empty = figuresOf(profileWith([stepProfileOf(openStep(10))]))
    expect(empty.rate.offered.value).toBeNull()
    expect(empty.rate.achieved.value).toBeNull()
  })

  test('a closed loop has no nominal rate', () => {
    expect(figuresOf(profileWith([stepProfileOf(closedStep(4))])).rate.nominal.value).toBeNull()
  })
})

describe('goodput', () => {
  test('is of all scheduled requests, per second of the whole step', () => {
    expect(figures.goodput.ratio).toMatchObject({ value: 0.9, unit: 'ratio', samples: 1000 })
    expect(figures.goodput.rate).toMatchObject({ value: 90, unit: '/s', samples: 1000 })
  })

  test('is no data where no load process lived to tell', () => {
    const untold = stepProfileOf(openStep(100), { record: recordOf({ counts: countsOf(10) }) })
    const { goodput } = figuresOf(profileWith([untold], { objectives: true }))
    expect(goodput.ratio.value).toBeNull()
    expect(goodput.rate.value).toBeNull()
  })

  test('without objectives names the option, at each reading, and does not break printing', () => {
    const without = figuresOf(profileWith([step]))
    expect(() => without.goodput).toThrow('objectives: goodput needs objectives')
    expect(() => without.goodput).toThrow('objectives: goodput needs objectives')
    expect(() => without.steps[0]!.goodput).toThrow('give slo() the option objectives')
    expect(Object.keys(without)).not.toContain('goodput')
  })
})

test('errors: number, share of all scheduled, and every kind', () => {
  expect(figures.errors.count).toMatchObject({ value: 30, unit: 'count', samples: 1000 })
  expect(figures.errors.ratio).toMatchObject({ value: 0.03, unit: 'ratio', samples: 1000 })
  expect(Object.keys(figures.errors.byKind)).toEqual([...FAILURE_KINDS])
  expect(figures.errors.byKind.reset).toMatchObject({ metric: 'error count (connection reset)', value: 10 })
  expect(figures.errors.byKind.tls.value).toBe(0)
})

test('nothing scheduled is no 0', () => {
  const empty = figuresOf(profileWith([stepProfileOf(openStep(10))], { objectives: true }))
  expect(empty.errors.count.value).toBeNull()
  expect(empty.errors.ratio.value).toBeNull()
  expect(empty.p50.ttft).toMatchObject({ value: null, samples: 0 })
})

test('steps carry their label, the merged figures none; figures are computed once', () => {
  expect(figures.steps[0]).toMatchObject({ index: 0, label: '100 req/s', step: openStep(100) })
  expect(figures.steps[0]!.p50.ttft.step).toBe('100 req/s')
  expect(figures.p50.ttft).not.toHaveProperty('step')
  expect(figures.p50.ttft).toBe(figures.p50.ttft)
  expect(JSON.parse(JSON.stringify(figures.p50.ttft))).toEqual({
    metric: 'TTFT',
    statistic: 'p50',
    value: 500,
    unit: 'ms',
    samples: 1000,
    interval: [469, 532],
  })
})

describe('at', () => {
  const steps = [openStep(10), openStep(20), closedStep(16), openStep(20.08), openStep(40), openStep(40)]
  const run = figuresOf(profileWith(steps.map((each, index) => stepProfileOf(each, { index }))))

  test.each<[number | { concurrency: number }, number, string]>([
    [10, 0, 'the declared rate'],
    [10.04, 0, 'within 0.5 %'],
    [20, 1, 'the nearest of two within 0.5 %'],
    [20.08, 3, 'the other'],
    [{ concurrency: 16 }, 2, 'a concurrency'],
  ])('at(%j) is step %d: %s', (declared, index) => {
    expect(run.at(declared).index).toBe(index)
  })

  test('a value that was not declared lists those that were', () => {
    expect(() => run.at(11)).toThrow(
      'at(11): no step has this rate; declared are: 10 req/s, 20 req/s, concurrency 16, 20.08 req/s, 40 req/s, 40 req/s',
    )
    expect(() => run.at({ concurrency: 20 })).toThrow('at({ concurrency: 20 }): no step has this concurrency')
    expect(() => run.at(16)).toThrow('no step has this rate')
  })

  test('several steps of one value: use steps[i]', () => {
    expect(() => run.at(40)).toThrow('at(40): 2 steps have 40: use steps[4], steps[5]')
  })
})

describe('saturation and usable', () => {
  test('in a closed loop: open loop only', () => {
    const closed = figuresOf(profileWith([stepProfileOf(closedStep(4))], { objectives: true }))
    expect(() => closed.saturation).toThrow('load: open loop only')
    expect(() => closed.usable).toThrow('load: open loop only')
  })

  test('usable without objectives names the option', () => {
    expect(() => figures.usable).toThrow('open loop only')
    expect(() => figuresOf(profileWith([step])).usable).toThrow('objectives: the usable rate needs objectives')
  })

  test('carry bound, interval and reason', () => {
    const found = figuresOf(
      profileWith([step], {
        saturation: {
          rate: 47,
          bound: null,
          interval: [45, 49],
          lastSustained: 40,
          firstSaturated: 80,
          reached: 'within',
          reason: 'it grew',
        },
      }),
    ).saturation
    expect(found).toMatchObject({ reached: 'within', reason: 'it grew' })
    expect(found.rate).toMatchObject({ metric: 'saturation rate', value: 47, interval: [45, 49], samples: 1000 })
    expect(found.rate).not.toHaveProperty('bound')
    expect(found.lastSustained).toMatchObject({ value: 40, unit: '/s' })
    expect(found.firstSaturated.value).toBe(80)
  })
})

describe('the instrument', () => {
  const audited = stepProfileOf(openStep(100), { record, audits: [auditOf(), auditOf({ worker: 1 })] })

  test('has a figure for each of its audit', () => {
    const { client } = figuresOf(profileWith([audited]))
    expect(client.rho).toMatchObject({ value: 0.1, unit: 'ratio', samples: 2 })
    expect(client.sendLag).toMatchObject({ statistic: 'p99', value: 0.5, unit: 'ms', samples: 995 })
    expect(client.bias.observed).toMatchObject({ statistic: 'mean', value: 0.1, unit: 'ms' })
    expect(client.bias.modelled).toMatchObject({ statistic: 'mean', value: 0.02, unit: 'ms' })
    expect(client.limit).toMatchObject({ metric: 'client limit', value: 1700, unit: '/s' })
    expect(client.workers).toMatchObject({ value: 1, unit: 'count' })
  })

  test('has no utilisation where no process told', () => {
    expect(figures.client.rho).toMatchObject({ value: null, unit: 'ratio', samples: 0 })
  })

  test('is judged whatever is wrong with the run: void steps, breaches, a merged sweep, not one reply', () => {
    const voids = [{ check: 'rho' as const, message: 'all 2 load processes reached rho 0.99' }]
    const refused = recordOf({
      counts: countsOf(100, { failed: 100 }),
      latency: { sendLag: distributionOf(upTo(100)) },
    })
    const broken = stepProfileOf(openStep(100), { record: refused, voids, audits: audited.audits })
    const { client, p99 } = figuresOf(profileWith([broken], { breaches: ['a load process died'], loadKind: 'sweep' }))
    const verdicts = (limit: number) =>
      [client.rho, client.sendLag, client.bias.observed, client.bias.modelled, client.limit, client.workers].map(
        (figure) => judge(figure, { kind: 'at-most', limit }).verdict,
      )
    expect(verdicts(1e6)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass', 'pass'])
    expect(verdicts(0)).toEqual(['fail', 'fail', 'fail', 'fail', 'fail', 'fail'])
    expect(judge(p99.sendLag, { kind: 'at-most', limit: 99 }).verdict).toBe('inconclusive')
    expect(judge(client.limit, { kind: 'at-least', limit: 2000 })).toEqual({
      verdict: 'fail',
      message: 'client limit was 1700/s, expected at least 2000/s',
    })
  })

  test('a figure that there is not is no data', () => {
    const none = {
      workers: 1,
      rho: 0,
      sendLagP99: null,
      biasObserved: null,
      biasModelled: null,
      floor: null,
      limit: null,
    }
    const { client } = figuresOf(profileWith([audited], { client: none }))
    for (const figure of [client.sendLag, client.bias.observed, client.bias.modelled, client.limit]) {
      expect(judge(figure, { kind: 'at-most', limit: 1 }).verdict).toBe('inconclusive')
    }
  })
})
