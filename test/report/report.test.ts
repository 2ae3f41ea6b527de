import { decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import { GAP_METRICS, SERVER_METRICS } from '../../src/model/metric.ts'
import type { Verdict } from '../../src/model/verdict.ts'
import { reportOf } from '../../src/report/report.ts'
import { closedStep, openStep, sampleInput, samplePlan, type SampleStep } from './sample.ts'
import { assertion, SCENARIOS } from './scenarios.ts'

const fine: SampleStep = { step: openStep(10), replies: 300 }
const dead: SampleStep = { step: openStep(10), replies: 0, failures: { refused: 300 } }
const unsound: SampleStep = { ...fine, voids: [{ check: 'stall', message: 'the loop stood still for 900 ms' }] }

test.each<[string, readonly SampleStep[], readonly string[], readonly Verdict[], Verdict]>([
  ['nothing asserted, all well', [fine], [], [], 'pass'],
  ['all assertions hold', [fine], [], ['pass', 'pass'], 'pass'],
  ['one is undecided', [fine], [], ['pass', 'inconclusive'], 'inconclusive'],
  ['one fails, one is undecided', [fine], [], ['fail', 'inconclusive', 'pass'], 'fail'],
  ['one is invalid, one fails', [fine], [], ['fail', 'invalid'], 'invalid'],
  ['a process was lost, whatever was asserted', [fine], ['load process 1 died'], ['pass'], 'invalid'],
  ['no reply: nothing to judge', [dead], [], ['pass'], 'inconclusive'],
  ['no reply, and an assertion that failed', [dead], [], ['fail'], 'fail'],
  ['no step was run', [], [], [], 'inconclusive'],
  ['some steps are void', [fine, unsound], [], ['pass'], 'pass'],
  ['every step is void', [unsound, unsound], [], ['pass'], 'invalid'],
])('verdict when %s', (_, steps, breaches, verdicts, verdict) => {
  const assertions = verdicts.map((verdict) => assertion({ verdict }))
  expect(reportOf(sampleInput(steps, { profile: { breaches }, assertions })).verdict).toBe(verdict)
})

test('notes say why the run as a whole is no pass, then what else there is, each once', () => {
  const breach = 'load process 1 died'
  const report = reportOf(sampleInput([fine], { profile: { breaches: [breach] }, notes: [breach, 'interrupted'] }))
  expect(report.notes).toEqual([breach, 'interrupted'])
  expect(reportOf(sampleInput([dead])).notes).toEqual([
    'not one of 300 requests got a successful reply (refused: connection refused (sample))',
  ])
})

test('percentiles rank failures above every reply; count, mean and max are of replies', () => {
  // 90 replies of 100 to 189 ms and 10 failures: p50 and p90 are the 50th and the 90th reply, p95 is a failure.
  const step: SampleStep = { step: openStep(10, 10), replies: 90, e2e: [100, 189], failures: { reset: 10 } }
  const { e2e } = reportOf(sampleInput([step])).steps[0]!.latency
  expect(e2e.count).toBe(90)
  expect(e2e.p50).toBeCloseTo(149, 0)
  expect(e2e.p90).toBeCloseTo(189, 0)
  expect(e2e.p95).toBeNull()
  expect(e2e.p99).toBeNull()
  expect(e2e.mean).toBeCloseTo(144.5, 1)
  expect(e2e.max).toBe(189)
})

test('a sweep has no figures of all steps together', () => {
  expect(SCENARIOS['sweep']!.total).toBeNull()
  expect(SCENARIOS['sweep']!.steps).toHaveLength(5)
})

test('a declared list has: counts and errors are added', () => {
  const { total } = SCENARIOS['failing']!
  expect(total!.counts).toMatchObject({ planned: 900, sent: 900, completed: 885, failed: 13, aborted: 2 })
  expect(total!.errors).toMatchObject({ count: 15, ratio: 15 / 900, byKind: { http: 9, reset: 4, aborted: 2 } })
})

test('a step says what it was: a rate, or a concurrency', () => {
  const { steps } = reportOf(
    sampleInput([
      { step: openStep(12.5), replies: 375 },
      { step: closedStep(16), replies: 900 },
    ]),
  )
  expect(steps[0]).toMatchObject({ index: 0, label: '12.5 req/s', rateNominal: 12.5, concurrency: null, startedMs: 0 })
  expect(steps[1]).toMatchObject({ label: 'concurrency 16', rateNominal: null, concurrency: 16, startedMs: 30_000 })
  expect(steps[1]!.rate.nominal).toBeNull()
})

test('goodput is there only with objectives, and 0 of 300 good is not none', () => {
  expect(reportOf(sampleInput([fine])).total!.goodput).toBeNull()
  expect(reportOf(sampleInput([{ ...fine, good: 0 }])).total!.goodput).toEqual({ rate: 0, ratio: 0 })
  // Objectives, but no load process came back to tell: no figure, and no error either.
  const lost = sampleInput([fine], { profile: { objectives: true, breaches: ['load process 1 died'] } })
  expect(reportOf(lost).steps[0]!.goodput).toBeNull()
})

test('mean output tokens are of successful replies; without any token there is no mean', () => {
  expect(SCENARIOS['failing']!.total!.meanOutputTokens).toBe(64)
  expect(SCENARIOS['all failed']!.total!.meanOutputTokens).toBeNull()
})

test('a failure example keeps what the schema names, and nothing beside it', () => {
  const input = sampleInput([{ ...dead, failureMessage: 'connect ECONNREFUSED 127.0.0.1:8000' }])
  const step = input.profile.steps[0]!
  const examples = step.record.examples.map((example) => ({ ...example, firstMs: 1 }))
  const steps = [{ ...step, record: { ...step.record, examples } }]
  expect(reportOf({ ...input, profile: { ...input.profile, steps } }).steps[0]!.errors.examples).toEqual([
    { kind: 'refused', status: null, count: 300, message: 'connect ECONNREFUSED 127.0.0.1:8000' },
  ])
})

test('of the target only what may be shown is kept', () => {
  const { target } = samplePlan([])
  const url = 'https://me:hunter22@llm.test/v1/chat/completions?key=k-12345678'
  expect(reportOf(sampleInput([fine], { plan: { target: { ...target, url } } })).options.target).toEqual({
    api: 'openai-chat',
    url: 'https://llm.test/v1/chat/completions',
    model: 'llama-3-8b',
    headers: ['authorization'],
    stream: true,
    embedded: false,
  })
})

test('a figure that is not finite is null in the report, as in its file', () => {
  const input = sampleInput([fine])
  const client = { ...input.profile.client, biasModelled: Number.POSITIVE_INFINITY }
  expect(reportOf({ ...input, profile: { ...input.profile, client } }).client.biasModelled).toBeNull()
})

test('a test that failed by other means than a matcher makes the verdict a fail, and is told', () => {
  const input = { ...sampleInput([fine]), assertions: [assertion({ verdict: 'pass' })] }
  const report = reportOf({ ...input, failures: ['plain failed: expected 5 to be 4'] })
  expect(report.verdict).toBe('fail')
  expect(report.notes).toEqual(['plain failed: expected 5 to be 4'])
  expect(reportOf({ ...sampleInput([dead]), failures: ['x failed: y'] }).verdict).toBe('fail')
})

describe('the client in the report', () => {
  // 300 replies: TTFT 20 to 50 ms, E2E 300 to 400 ms; sent 0.05 to 0.4 ms late, every read up to 0.1 ms late.
  const { steps, client } = reportOf(sampleInput([fine]))

  test('beside each latency its bound: of its mean, p50 and p99', () => {
    const { latency, least, most } = steps[0]!
    expect(Object.keys(least)).toEqual([...SERVER_METRICS])
    expect(Object.keys(most)).toEqual([...GAP_METRICS])
    for (const metric of SERVER_METRICS) {
      for (const statistic of ['mean', 'p50', 'p99'] as const) {
        expect(least[metric][statistic], `${metric} ${statistic}`).toBeLessThan(latency[metric][statistic]!)
      }
    }
    for (const metric of GAP_METRICS) expect(most[metric].p99, metric).toBeGreaterThan(latency[metric].p99!)
    // Mean lag 0.225 and 0.1.
    expect(latency.e2e.mean! - least.e2e.mean!).toBeCloseTo(0.325, 3)
    expect(most.icl.mean! - latency.icl.mean!).toBeCloseTo(0.2, 3)
  })

  test('a bound does not exist where a failure stands at its rank, or there is no sample', () => {
    const failed = reportOf(sampleInput([{ ...fine, failures: { reset: 10 }, stream: false }])).steps[0]!
    expect(failed.least.e2e).toMatchObject({ p50: expect.any(Number), p99: null })
    expect(failed.least.ttft).toEqual({ mean: null, p50: null, p99: null })
  })

  test('each load process with its seconds, and its distributions by figures and a histogram', () => {
    const [audit] = steps[0]!.audits
    expect(audit).toMatchObject({
      worker: 0,
      pid: 4000,
      rhoMean: 0.12,
      cpuMs: 3600,
      gc: { pauses: 3, totalMs: 4.5, longestMs: 2 },
      mostInFlight: 12,
      unsent: 0,
      seconds: [{ rho: 0.12, gcMs: 1.2, sendLagP99: 0.4, positionMax: 0.09, canaries: 4, canaryMax: 0.3 }],
      sendLag: { count: 3, mean: 0.2, p50: 0.1, max: 0.4 },
      position: { count: 3, p50: 0.01, max: 0.09 },
      // 0.05, 0.06, 0.08, 0.3: ranks 2 and 4.
      canary: { count: 4, mean: 0.1225, p50: 0.06, p99: 0.3, max: 0.3 },
    })
    expect(decodeFromCompressedBase64(audit!.canary.histogram!).totalCount).toBe(4)
  })

  test('a load process that saw nothing has no figures', () => {
    const input = sampleInput([fine])
    const step = input.profile.steps[0]!
    const audits = step.audits.map((audit) => ({
      ...audit,
      canary: new LatencyHistogram(2),
      sendLag: new LatencyHistogram(),
    }))
    const profile = { ...input.profile, steps: [{ ...step, audits }] }
    expect(reportOf({ ...input, profile }).steps[0]!.audits[0]!.canary).toEqual({
      count: 0,
      mean: null,
      p50: null,
      p99: null,
      max: null,
      histogram: null,
    })
  })

  test('what the machine took, and the client over the whole run', () => {
    expect(steps[0]!.machine).toEqual({ throttledMs: 0, throttledPeriods: 0, stealMs: null })
    expect(client).toMatchObject({ workers: 2, floor: { p50: expect.any(Number) }, limit: 1940 })
  })
})
