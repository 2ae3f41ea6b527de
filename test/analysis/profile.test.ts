import { describe, expect, test } from 'vitest'
import { profileOf } from '../../src/analysis/profile.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import type { StepRun } from '../../src/model/profile.ts'
import { queueRun } from './queue-runs.ts'
import { auditOf, closedStep, countsOf, planOf, recordOf, runOf } from './records.ts'
import { distributionOf } from './samples.ts'

const server = { servers: 16, meanMs: 340, cv: 0.1 }

function profile(
  runs: readonly StepRun[],
  given: Parameters<typeof planOf>[1] = {},
  breaches: readonly string[] = [],
  cores?: number,
) {
  const plan = planOf(
    runs.map((run) => run.step),
    given,
  )
  return profileOf(plan, runs, runs[0]!.record, breaches, seededRandom(1), cores)
}

test('a sweep through the capacity: windows, states, the saturation point, the instrument', () => {
  // 47 requests per second; steps at 10, 30 and 80.
  const runs = [10, 30, 80].map((rate, index) => ({ ...queueRun(server, rate, 15_000, seededRandom(index)), index }))
  const found = profile(runs, { load: { kind: 'sweep', steps: runs.map((run) => run.step) } })
  expect(found.loadKind).toBe('sweep')
  expect(found.steps.map((step) => step.label)).toEqual(['10 req/s', '30 req/s', '80 req/s'])
  expect(found.steps.map((step) => step.sustain?.state)).toEqual(['stable', 'stable', 'saturated'])
  // The ramp is 2.5 x p95 E2E of the step at 10 req/s (0.4 s) for all steps.
  for (const { window } of found.steps) {
    expect(window.fromMs).toBeGreaterThan(900)
    expect(window.fromMs).toBeLessThan(1200)
    expect(window.toMs).toBe(15_000)
  }
  expect(found.saturation).toMatchObject({ reached: 'within', lastSustained: 30, firstSaturated: 80 })
  expect(found.saturation!.rate! / 47).toBeCloseTo(1, 1)
  expect(found).toMatchObject({ usable: null, objectives: false, attainment: 0.99, breaches: [] })
})

test('the same runs and the same seed give the same profile', () => {
  const runs = [10, 30, 80].map((rate, index) => ({ ...queueRun(server, rate, 5000, seededRandom(index)), index }))
  expect(profile(runs).saturation).toEqual(profile(runs).saturation)
})

test('a closed loop is neither sustained nor saturated', () => {
  const record = recordOf({ counts: countsOf(10), latency: { e2e: distributionOf([100, 100]) } })
  const found = profile([runOf(closedStep(4), { record })])
  expect(found).toMatchObject({ saturation: null, usable: null })
  expect(found.steps[0]).toMatchObject({ label: 'concurrency 4', sustain: null })
})

test('objectives, attainment and breaches are carried over; a step knows why it is void', () => {
  const run = queueRun(server, 10, 5000, seededRandom(1))
  const dead = { ...run, dead: [{ worker: 0, pid: 7, reason: 'exit code 1' }] }
  const found = profile([dead], { objectives: { ttft: 500 }, attainment: 0.9 }, ['a load process died'])
  expect(found).toMatchObject({ objectives: true, attainment: 0.9, breaches: ['a load process died'] })
  expect(found.steps[0]!.voids.map((reason) => reason.check)).toEqual(['dead-process'])
  expect(found.saturation).toMatchObject({ reached: 'unknown' })
})

describe('a client that is the limit', () => {
  // 47 requests per second by the server; the client is busy from the second step on.
  const idle = { ...queueRun(server, 10, 15_000, seededRandom(1)), audits: [auditOf({ rhoMean: 0.2 })] }
  const rho = Array.from({ length: 15 }, () => 0.95)
  const overloaded = queueRun(server, 80, 15_000, seededRandom(2))
  const busy = { ...overloaded, index: 1, audits: [auditOf({ rho, rhoMean: 0.95, elapsedMs: 15_000 })] }

  test('is never taken for the server’s saturation, which is not reached, and says where it ends itself', () => {
    const found = profile([idle, busy], {}, [], 8)
    expect(found.steps.map((step) => step.voids.map(({ check }) => check))).toEqual([[], ['rho']])
    // What ended in 15 s at rho 0.95, by proportion at 0.85.
    const ended = overloaded.bins.ends.slice(0, 200).reduce((sum, count) => sum + count, 0)
    const limit = (ended / 15 / 0.95) * 0.85
    expect(found.client.limit).toBeCloseTo(limit, 9)
    expect(found.saturation).toMatchObject({
      reached: 'not-reached',
      rate: 10,
      bound: 'at-least',
      firstSaturated: null,
    })
    expect(found.saturation!.reason).toBe(
      `not reached up to 10 req/s; the client's own limit is about ${Number(limit.toPrecision(2))} req/s; void and left out: 80 req/s (${found.steps[1]!.voids[0]!.message})`,
    )
  })

  test.each([
    [8, 1, /; this machine has 8 cores: set workers to 2$/],
    [
      2,
      1,
      /; this machine has 2 cores, none left for more workers: use one with more, or offer at most about \d+ req\/s$/,
    ],
    [undefined, 1, /; this machine has 1 core, none left for more workers/],
    [8, 3, /; this machine has 8 cores: set workers to 6$/],
  ])('with %s cores and %d workers: its mend is %s', (cores, workers, mend) => {
    expect(profile([idle, busy], { workers }, [], cores).steps[1]!.voids[0]!.message).toMatch(mend)
  })

  test('a step of which too many requests were sent late is undecided, not saturated', () => {
    const late = { ...overloaded, index: 1, record: { ...overloaded.record, onTime: 600 } }
    const found = profile([idle, late])
    expect(found.steps.map((step) => step.sustain?.state)).toEqual(['stable', 'undecided'])
    expect(found.steps[1]!.sustain!.reason).toContain("its backlog may be the client's own")
    expect(found.saturation?.firstSaturated).toBeNull()
  })
})
