import { expect, test } from 'vitest'
import { planLine, progressLine, stepLine, type FinishedStep, type Progress } from '../../src/report/progress.ts'
import { closedStep, openStep, samplePlan } from './sample.ts'

const progress: Progress = {
  slo: 'chat',
  stepIndex: 1,
  steps: 6,
  label: '20 req/s',
  phase: 'load',
  elapsedMs: 12_345,
  durationMs: 30_000,
  rate: 19.8,
  inFlight: 41,
  errors: 0,
}

test.each([
  ['under load', {}, 'chat  step 2/6 20 req/s  load 12/30 s  19.8 req/s  41 in flight  0 errors'],
  [
    'in the warm-up, which is no step',
    { phase: 'warm-up', stepIndex: -1, elapsedMs: 500, durationMs: 2000, rate: null } as const,
    'chat  20 req/s  warm-up 0.5/2 s  - req/s  41 in flight  0 errors',
  ],
  [
    'while it settles: the time since the load ended',
    { phase: 'settle', elapsedMs: 31_500, errors: 1 } as const,
    'chat  step 2/6 20 req/s  settle 1.5 s  19.8 req/s  41 in flight  1 error',
  ],
  [
    'until a number of requests is done',
    { label: 'concurrency 16', durationMs: null },
    'chat  step 2/6 concurrency 16  load 12 s  19.8 req/s  41 in flight  0 errors',
  ],
])('the live line %s', (_, changes, line) => {
  expect(progressLine({ ...progress, ...changes }, 80)).toBe(line)
})

test('the live line gives way at the name first, and never wraps', () => {
  const long = { ...progress, slo: 'a very long name of a service level objective' }
  expect(progressLine(long, 80)).toBe(
    'a very lo..  step 2/6 20 req/s  load 12/30 s  19.8 req/s  41 in flight  0 errors',
  )
  expect(progressLine(long, 30)).toBe('a very..  step 2/6 20 req/s ..')
})

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

test('the line before the first request says what will be sent', () => {
  const totals = { requests: 900, inputTokens: 115_200, outputTokens: 57_600, seconds: 60 }
  expect(planLine(totals, samplePlan([openStep(10), openStep(20)]))).toBe(
    'slo chat: 900 requests (57,600 output tokens at most) over 60 s to http://127.0.0.1:8000/v1/chat/completions, 2 load processes, seed 1234',
  )
})

test('a closed loop cannot say how many requests', () => {
  const totals = { requests: null, inputTokens: null, outputTokens: null, seconds: 30 }
  expect(planLine(totals, samplePlan([closedStep(16)], { workers: 1 }))).toBe(
    'slo chat: as many requests as the server answers over 30 s to http://127.0.0.1:8000/v1/chat/completions, 1 load process, seed 1234',
  )
})

test('the line before the first request holds no secret', () => {
  const { target } = samplePlan([])
  const plan = samplePlan([], {
    target: { ...target, url: 'https://me:hunter22@llm.test/v1/chat/completions?key=k-12345' },
  })
  const line = planLine({ requests: 1, inputTokens: 1, outputTokens: 1, seconds: 1 }, plan)
  expect(line).toContain('to https://llm.test/v1/chat/completions, ')
})
