import { expect, test } from 'vitest'
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
    'Not one request got a successful reply: there is nothing to judge.',
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
