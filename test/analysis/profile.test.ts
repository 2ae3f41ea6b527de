import { expect, test } from 'vitest'
import { profileOf } from '../../src/analysis/profile.ts'
import { seededRandom } from '../../src/arrivals/random.ts'
import type { StepRun } from '../../src/model/profile.ts'
import { queueRun } from './queue-runs.ts'
import { closedStep, countsOf, planOf, recordOf, runOf } from './records.ts'
import { distributionOf } from './samples.ts'

const server = { servers: 16, meanMs: 340, cv: 0.1 }

function profile(runs: readonly StepRun[], given: Parameters<typeof planOf>[1] = {}, breaches: readonly string[] = []) {
  const plan = planOf(
    runs.map((run) => run.step),
    given,
  )
  return profileOf(plan, runs, runs[0]!.record, breaches, seededRandom(1))
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
