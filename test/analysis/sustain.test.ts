import { describe, expect, test } from 'vitest'
import { sustainOf } from '../../src/analysis/sustain.ts'
import { rampOf, windowOf } from '../../src/analysis/window.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import type { Bins, Counts, StepRun, Sustain } from '../../src/model/profile.ts'
import { queueRun, type Server } from './queue-runs.ts'
import { binsOf, countsOf, openStep, recordOf, runOf } from './records.ts'
import { distributionOf } from './samples.ts'

function run(bins: Bins, e2eMs: number, counts: Counts = countsOf(1000), onTime = counts.sent): StepRun {
  const e2e = distributionOf(Array.from({ length: counts.completed }, () => e2eMs))
  return runOf(openStep(100), { bins, record: recordOf({ counts, latency: { e2e }, onTime }) })
}

function sustain(step: StepRun, lowest = step, attainment = 0.99, settles = true) {
  const unloadedMs = lowest.record.latency.e2e.mean ?? 0
  return sustainOf(step, windowOf(step, rampOf(step, lowest)), unloadedMs, attainment, settles)
}

const each = (count: number) => Array.from({ length: 100 }, () => count)
const steady = binsOf(100, { arrivals: each(10), completions: each(10) })

test('steady: stable, with the bound that shows it', () => {
  expect(sustain(run(steady, 50))).toEqual({
    state: 'stable',
    growth: 0,
    growthLow: 0,
    growthHigh: 0,
    reason: 'the backlog grew by at most 0 % of the arrivals',
  })
})

test('a fifth of the arrivals stays: saturated', () => {
  const growing = binsOf(100, { arrivals: each(10), completions: each(8) })
  expect(sustain(run(growing, 50))).toMatchObject({
    state: 'saturated',
    growth: expect.closeTo(0.2, 9),
    reason: 'the backlog grew by 20 % of the arrivals (at least 20 %)',
  })
})

test('a growth below 2 % does not matter, however certain: stable, as its bound is below 5 %', () => {
  const creeping = binsOf(100, { arrivals: each(100), completions: each(99) })
  expect(sustain(run(creeping, 50, countsOf(10_000)))).toMatchObject({ state: 'stable' })
})

test('a certain growth of 3 % is saturated, though it is below the precision', () => {
  const creeping = binsOf(100, { arrivals: each(100), completions: each(97) })
  expect(sustain(run(creeping, 50, countsOf(10_000)))).toMatchObject({ state: 'saturated' })
})

describe('requests that were sent late', () => {
  const growing = binsOf(100, { arrivals: each(10), completions: each(8) })
  test.each<[string, Bins, number, Sustain['state']]>([
    ['a backlog that grows while 99 % were sent on time is the server’s', growing, 990, 'saturated'],
    ['while fewer were, it may be the client’s', growing, 989, 'undecided'],
    ['one that is steady is the server’s', steady, 990, 'stable'],
    ['or hidden by requests that came too late', steady, 989, 'undecided'],
  ])('%s', (_, bins, onTime, state) => {
    expect(sustain(run(bins, 50, countsOf(1000), onTime)).state).toBe(state)
  })

  test('the reason says how many, and the growth is told all the same', () => {
    expect(sustain(run(growing, 50, countsOf(1000), 700))).toMatchObject({
      state: 'undecided',
      growth: expect.closeTo(0.2, 9),
      reason: "only 70 % of the requests were sent on time, 99 % must be: its backlog may be the client's own",
    })
  })

  test('failures are the server’s, however late the requests were', () => {
    expect(sustain(run(steady, 50, countsOf(1000, { failed: 100 }), 700)).state).toBe('saturated')
  })
})

test.each([
  // P(X >= k) at 1 - attainment, against 5 %; the backlog is steady in all of them.
  [15, 0.99, 'stable', '8.2 % at 10 expected'],
  [17, 0.99, 'saturated', '2.6 % at 10 expected'],
  [60, 0.9, 'stable', '60 are fewer than the 100 allowed'],
  [1, 1, 'saturated', 'none is allowed'],
])('%d of 1000 requests failed at an attainment of %d: %s (%s)', (failed, attainment, state) => {
  expect(sustain(run(steady, 50, countsOf(1000, { failed })), undefined, attainment).state).toBe(state)
})

test('a server that sheds is saturated by every kind of failure, and the reason says how many', () => {
  const counts = countsOf(1000, { failed: 10, timedOut: 10, aborted: 10, unsent: 10 })
  expect(sustain(run(steady, 50, counts))).toMatchObject({
    state: 'saturated',
    reason: '4 % of the requests (40 of 1000) got no successful reply, more than 1 %',
  })
})

test('requests cut off after a step that did not settle are no failures of the server', () => {
  const cutOff = run(steady, 50, countsOf(1000, { aborted: 40 }))
  expect(sustain(cutOff).state).toBe('saturated')
  expect(sustain(cutOff, undefined, 0.99, false).state).toBe('stable')
})

test.each([
  // [E2E, needed, in words]; the ramp is min(5 s, 2.5 x E2E), the step 10 s long
  [3000, '12 s', 'ramp 5 s, half the step: twice 2 x 3 s'],
  [4500, '18 s', 'twice 2 x 4.5 s'],
])('a window shorter than twice an E2E of %d ms is undecided, and the step must be %s long: %s', (e2eMs, needed) => {
  const found = sustain(run(steady, e2eMs))
  expect(found).toMatchObject({
    state: 'undecided',
    reason: `too short against its E2E to tell: it must be at least ${needed} long`,
  })
})

test('a ramp that is not half the step stays as it is', () => {
  // The lowest step has an E2E of 1 s: ramp 2.5 s, window 7.5 s, which is less than twice this step's 4 s.
  expect(sustain(run(steady, 4000), run(steady, 1000)).reason).toContain('at least 10.5 s long')
})

test('too few time bins: undecided, with the length that has them', () => {
  // 5 bins of 100 ms in the whole step; ten are needed.
  const few = runOf(openStep(10, 500), {
    bins: binsOf(100, { arrivals: [1, 1, 1, 1, 1] }),
    record: recordOf({ counts: countsOf(5) }),
  })
  expect(sustain(few)).toMatchObject({
    state: 'undecided',
    growth: null,
    reason: 'too short to tell: it must be at least 1 s long',
  })
})

test('no request after the ramp: undecided', () => {
  expect(sustain(run(binsOf(100, { arrivals: each(0) }), 50))).toMatchObject({
    state: 'undecided',
    reason: 'no request arrived after the ramp',
  })
})

test('noise that hides 5 %: undecided, with the length that would tell', () => {
  const random = seededRandom(1)
  const found = sustain(queueRun({ servers: 2, meanMs: 400, cv: 1 }, 3, 10_000, random))
  expect(found.state).toBe('undecided')
  expect(found.reason).toMatch(
    /^the backlog's growth is between .* of the arrivals: a (much longer step|step of about .* s) would tell$/,
  )
})

const slow: Server = { servers: 5, meanMs: 100, cv: 0.3 }
test.each([
  // [server, rate, duration, arrivals]
  ['a near-idle step of 50 requests of 20 ms', { servers: 64, meanMs: 20, cv: 0.3 }, 5, 10_000, 'poisson', 'stable'],
  ['the same at equal distances', { servers: 64, meanMs: 20, cv: 0.3 }, 5, 10_000, 'constant', 'stable'],
  ['a step alone at twice the capacity for 2 s', slow, 100, 2000, 'poisson', 'saturated'],
  ['at ten times the capacity for 2 s', slow, 500, 2000, 'poisson', 'saturated'],
  ['at twice the capacity for 15 s', slow, 100, 15_000, 'poisson', 'saturated'],
  ['at half the capacity for 15 s', slow, 25, 15_000, 'poisson', 'stable'],
  [
    'a healthy server that needs 8 s, after 15 s',
    { servers: 100, meanMs: 8000, cv: 0.3 },
    8,
    15_000,
    'poisson',
    'undecided',
  ],
] as const)('%s, for every one of 20 seeds: %s', (_, server, rate, durationMs, arrivals, state) => {
  for (let seed = 0; seed < 20; seed++) {
    expect(sustain(queueRun(server, rate, durationMs, seededRandom(seed), arrivals)).state, `seed ${seed}`).toBe(state)
  }
})
