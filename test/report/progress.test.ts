import { expect, test } from 'vitest'
import { planLines, progressLine, type Progress } from '../../src/report/progress.ts'
import type { Sizing } from '../../src/spec/workers.ts'
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

/** Of a load that its load processes can offer; for one that they cannot, see sizing.test.ts. */
const sizing: Sizing = { workers: 2, auto: false, cores: 4, most: 3, busiest: null, basis: 'built-in' }
const machine = { cpus: 4, quota: null, cores: 4 }

test('the line before the first request says what will be sent', () => {
  const totals = { requests: 900, inputTokens: 115_200, outputTokens: 57_600, seconds: 60 }
  expect(planLines(totals, samplePlan([openStep(10), openStep(20)]), sizing, machine)).toEqual([
    'slo chat: 900 requests (57,600 output tokens at most) over 60 s to http://127.0.0.1:8000/v1/chat/completions, 2 load processes, seed 1234',
  ])
})

test('a closed loop cannot say how many requests', () => {
  const totals = { requests: null, inputTokens: null, outputTokens: null, seconds: 30 }
  expect(planLines(totals, samplePlan([closedStep(16)], { workers: 1 }), sizing, machine)).toEqual([
    'slo chat: as many requests as the server answers over 30 s to http://127.0.0.1:8000/v1/chat/completions, 1 load process, seed 1234',
  ])
})

test('a second line says that it is more than can be offered', () => {
  const totals = { requests: 1, inputTokens: 1, outputTokens: 1, seconds: 1 }
  const asked: Sizing = { ...sizing, auto: true, busiest: { rate: 4000, tokens: 64, processes: 2.72 } }
  const [first, second, ...more] = planLines(totals, samplePlan([openStep(4000)]), asked, machine)
  expect(first).toContain(', 2 load processes (auto, not calibrated), seed 1234')
  expect(second).toMatch(
    /^slo chat: asks about 2.7 load processes' worth at 4,000 req\/s x 64 tokens, and this machine/,
  )
  expect(more).toEqual([])
})

test('a further line says that the machine is no place to measure from', () => {
  const totals = { requests: 1, inputTokens: 1, outputTokens: 1, seconds: 1 }
  const [, ...more] = planLines(totals, samplePlan([openStep(10)]), sizing, { cpus: 2, quota: 0.5, cores: 0.5 })
  expect(more).toEqual([expect.stringMatching(/^slo chat: a CPU quota of 0.5 cores/)])
})

test('the lines before the first request hold no secret', () => {
  const { target } = samplePlan([])
  const plan = samplePlan([], {
    target: { ...target, url: 'https://me:hunter22@llm.test/v1/chat/completions?key=k-12345' },
  })
  const [line] = planLines({ requests: 1, inputTokens: 1, outputTokens: 1, seconds: 1 }, plan, sizing, machine)
  expect(line).toContain('to https://llm.test/v1/chat/completions, ')
})
