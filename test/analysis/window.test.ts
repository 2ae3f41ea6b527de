import { describe, expect, test } from 'vitest'
import type { Step } from '../../src/model/step.ts'
import { lowestStep, rampOf, windowOf } from '../../src/analysis/window.ts'
import { binsOf, closedStep, countsOf, openStep, recordOf, runOf } from './records.ts'
import { distributionOf, upTo } from './samples.ts'

function run(step: Step, e2e: readonly number[], index = 0) {
  return runOf(step, {
    index,
    record: recordOf({ counts: countsOf(e2e.length), latency: { e2e: distributionOf(e2e) } }),
  })
}

describe('ramp', () => {
  test('is 2.5 x p95 E2E of the lowest step', () => {
    // 1..100 ms: p95 is 95 ms.
    expect(rampOf(run(openStep(20), [9999]), run(openStep(10), upTo(100)))).toBe(237.5)
  })

  test('is half the step where that is less', () => {
    expect(rampOf(run(openStep(20, 400), [1]), run(openStep(10), upTo(100)))).toBe(200)
  })

  test('is 0 where the lowest step had no successful reply', () => {
    expect(rampOf(run(openStep(20), [50]), run(openStep(10), []))).toBe(0)
  })
})

test('the lowest step is of the same kind of loop, by declared value, the first of equals', () => {
  const runs = [openStep(40), openStep(10), closedStep(8), openStep(10), closedStep(2)].map((step, index) =>
    run(step, [1], index),
  )
  expect(lowestStep(runs, 'open')?.index).toBe(1)
  expect(lowestStep(runs, 'closed')?.index).toBe(4)
  expect(lowestStep(runs.slice(0, 2), 'closed')).toBeUndefined()
})

describe('window', () => {
  // Ten bins of 100 ms with 1..10 arrivals, and two more while the step drained.
  const bins = binsOf(100, {
    arrivals: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0, 0],
    completions: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 5, 5],
    outputTokens: [0, 10, 20, 30, 40, 50, 60, 70, 80, 90, 50, 50],
    inputTokens: [0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 10, 10],
  })

  test.each([
    // [duration, ramp, from, to, arrivals, completions, in words]
    [1000, 0, 0, 1000, 55, 45, 'no ramp: all ten bins, not the two beyond the end'],
    [1000, 237.5, 300, 1000, 49, 42, 'the ramp is rounded up to a bin: without 1 + 2 + 3 arrivals'],
    [1000, 300, 300, 1000, 49, 42, 'a ramp of whole bins stays'],
    [950, 0, 0, 900, 45, 36, 'the last bin straddles the end: left out'],
    [80, 40, 0, 80, 1, 0, 'shorter than a bin: taken whole'],
    [100, 50, 0, 100, 1, 0, 'one bin, of which no part is left after the ramp: taken whole'],
  ])('of %d ms with a ramp of %d ms is %d to %d', (durationMs, ramp, fromMs, toMs, arrivals, completions) => {
    const window = windowOf(runOf(openStep(50, durationMs), { bins }), ramp)
    expect(window).toMatchObject({ fromMs, toMs, arrivals, completions })
  })

  test('sums the tokens of replies that ended in it', () => {
    expect(windowOf(runOf(openStep(50, 1000), { bins }), 700)).toMatchObject({
      outputTokens: 70 + 80 + 90,
      inputTokens: 14 + 16 + 18,
    })
  })
})
