import { expect, test } from 'vitest'
import { type FinishedStep, finishedStep, stepLine } from '../../src/report/finished-step.ts'
import { binsOf, countsOf, openStep, recordOf, runOf } from '../analysis/records.ts'
import { distributionOf, upTo } from '../analysis/samples.ts'

const finished: FinishedStep = {
  slo: 'chat',
  label: '20 req/s',
  offered: 20,
  achieved: 19.84,
  ttft: { p50: 25.12, p99: 97.3 },
  e2e: { p50: 421.4, p99: 895 },
  errors: { count: 0, ratio: 0 },
}

test('the permanent line of a finished step', () => {
  expect(stepLine(finished)).toBe(
    'slo chat: 20 req/s: offered 20.0/s, achieved 19.8/s, TTFT 25.1/97.3 ms, E2E 421/895 ms (p50/p99), 0 errors',
  )
})

test('a step without a reply has no figures, and says how many errors', () => {
  const none = { p50: null, p99: null }
  const line = stepLine({ ...finished, achieved: 0, ttft: none, e2e: none, errors: { count: 600, ratio: 1 } })
  expect(line).toBe(
    'slo chat: 20 req/s: offered 20.0/s, achieved 0/s, TTFT -/- ms, E2E -/- ms (p50/p99), 600 errors (100%)',
  )
})

test('replies without a first token have no TTFT in the line', () => {
  expect(stepLine({ ...finished, ttft: null })).toBe(
    'slo chat: 20 req/s: offered 20.0/s, achieved 19.8/s, E2E 421/895 ms (p50/p99), 0 errors',
  )
  const record = recordOf({ counts: countsOf(200), latency: { e2e: distributionOf(upTo(200)) } })
  const notApplicable = { ...record.notApplicable, ttft: 200 }
  const run = runOf(openStep(20), { record: { ...record, notApplicable } })
  expect(finishedStep('chat', run).ttft).toBeNull()
})

test('a run of a step is told over the whole step, without what came while it drained', () => {
  const record = recordOf({
    counts: countsOf(200, { failed: 2 }),
    latency: { ttft: distributionOf(upTo(100)), e2e: distributionOf(upTo(198)) },
  })
  // Ten bins of a second are the step; what came in the eleventh came late.
  const bins = binsOf(1000, { completions: [19, 19, 19, 19, 19, 19, 19, 19, 19, 19, 8] })
  expect(finishedStep('chat', runOf(openStep(20), { record, bins }))).toEqual({
    slo: 'chat',
    label: '20 req/s',
    offered: 20,
    achieved: 19,
    ttft: { p50: 50, p99: 99 },
    e2e: { p50: 99, p99: 197 },
    errors: { count: 2, ratio: 0.01 },
  })
})
