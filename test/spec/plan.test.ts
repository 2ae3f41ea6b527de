import { describe, expect, test } from 'vitest'
import type { Target } from '../../src/model/plan.ts'
import { deadlineMs, planOf, plannedTotals } from '../../src/spec/plan.ts'
import { checked } from './sample.ts'

const TARGET: Target = {
  api: 'openai-chat',
  method: 'POST',
  url: 'http://host:8000/v1/chat/completions',
  model: null,
  headers: {},
  body: {},
  stream: true,
  ignoreEos: false,
  status: null,
  embedded: false,
}

function plan(changes: object) {
  return planOf(checked(changes), TARGET)
}

test('a plan is the checked spec with its target, without how it was sized', () => {
  const spec = checked()
  const { sizing, ...rest } = spec
  expect(sizing.workers).toBe(spec.workers)
  expect(planOf(spec, TARGET)).toStrictEqual({ ...rest, target: TARGET })
})

describe('planned totals', () => {
  const prompts = { kind: 'synthetic', inputTokens: 100, outputTokens: 10 }

  test.each([
    // 10/s in 30 s and 20/s in 30 s: 300 + 600 requests, 60 s
    [
      [
        { rate: 10, duration: '30s' },
        { rate: 20, duration: '30s' },
      ],
      { requests: 900, inputTokens: 90_000, outputTokens: 9000, seconds: 60 },
    ],
    // a closed loop with a number of requests takes as long as it takes
    [
      [
        { rate: 10, duration: '30s' },
        { concurrency: 4, requests: 100 },
      ],
      { requests: 400, inputTokens: 40_000, outputTokens: 4000, seconds: null },
    ],
    // one with a duration sends as many as it gets replies
    [[{ concurrency: 4, duration: '30s' }], { requests: null, inputTokens: null, outputTokens: null, seconds: 30 }],
  ])('%j', (load, totals) => {
    expect(plannedTotals(plan({ load, prompts }))).toEqual(totals)
  })
})

test('a plain endpoint is sent no tokens', () => {
  const target: Target = { ...TARGET, api: 'http', method: 'GET', body: null, stream: false }
  const load = [{ rate: 10, duration: '30s' }]
  expect(plannedTotals(planOf(checked({ load }), target))).toEqual({
    requests: 300,
    inputTokens: null,
    outputTokens: null,
    seconds: 30,
  })
})

describe('the deadline', () => {
  test.each([
    // start 60 s; warm-up: connect 5 + 2 + settle 30 + 5; step: connect 5 + 30 + settle 30 + 5
    [{ load: [{ rate: 10, duration: '30s' }] }, 60 + 42 + 70],
    // no warm-up, no settling, another connect timeout: 60 + 1, then 30 + 5
    [{ load: [{ rate: 10, duration: '30s' }], warmup: 0, settle: 0, timeout: { connect: '1s' } }, 61 + 35],
    // 9 requests, 4 at a time, are 3 rounds of at most 20 s: 60 + 5, then 60 + 5
    [{ load: [{ concurrency: 4, requests: 9 }], warmup: 0, settle: 0, timeout: '20s' }, 65 + 65],
    // 1,000 rounds of 10 min are more than a closed step is given: 6 h
    [{ load: [{ concurrency: 1, requests: 1000 }], warmup: 0, settle: 0 }, 65 + 21_600 + 5],
    [{ load: [{ concurrency: 1, duration: '8h' }], warmup: 0, settle: 0 }, 65 + 28_800 + 5],
    // four weeks are more than a timer holds
    [{ load: Array.from({ length: 4 }, () => ({ rate: 1, duration: '168h' })) }, (2 ** 31 - 1) / 1000],
  ])('%j: %d s', (changes, seconds) => {
    expect(deadlineMs(plan(changes))).toBe(seconds * 1000)
  })
})
