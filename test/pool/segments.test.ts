import { describe, expect, test } from 'vitest'
import type { Step } from '../../src/model/step.ts'
import { segmentsOf, warmupSegment } from '../../src/pool/segments.ts'
import { planOf } from './plan.ts'

const open = (rate: number, seconds: number): Step => ({
  kind: 'open',
  rate,
  durationMs: seconds * 1000,
  requests: rate * seconds,
})
const closed = (concurrency: number, requests: number): Step => ({
  kind: 'closed',
  concurrency,
  durationMs: null,
  requests,
})

describe('segments', () => {
  test('with a settle time every step is one, starting at its own beginning', () => {
    const segments = segmentsOf(planOf({ steps: [open(10, 2), open(20, 3)], warmupMs: 0, settleMs: 1000 }))
    expect(segments.map((segment) => segment.steps.map((step) => step.index))).toEqual([[0], [1]])
    expect(segments.map((segment) => segment.number)).toEqual([1, 2])
    expect(segments.every((segment) => segment.steps[0]!.atMs === 0)).toBe(true)
  })

  test('without one the steps follow back to back', () => {
    const [only, ...rest] = segmentsOf(
      planOf({ steps: [open(10, 2), open(20, 3), open(5, 1)], warmupMs: 0, settleMs: 0 }),
    )
    expect(rest).toEqual([])
    expect(only!.steps.map((step) => step.atMs)).toEqual([0, 2000, 5000])
  })

  test('a step whose end only its requests decide ends a segment', () => {
    const segments = segmentsOf(planOf({ steps: [open(10, 2), closed(4, 8), open(20, 3)], warmupMs: 0, settleMs: 0 }))
    expect(segments.map((segment) => segment.steps.map((step) => step.index))).toEqual([[0, 1], [2]])
  })

  test('prompts are numbered through, after those of the warm-up', () => {
    const plan = planOf({ steps: [open(10, 2), closed(4, 8), open(20, 3)], warmupMs: 2000, settleMs: 1000 })
    const first = segmentsOf(plan).flatMap((segment) => segment.steps.map((step) => step.firstPrompt))
    // 20 of the warm-up (10/s for 2 s), then 20, then 8.
    expect(first).toEqual([20, 40, 48])
  })
})

describe('the warm-up', () => {
  test("is the first step's load for its own time", () => {
    expect(warmupSegment(planOf({ steps: [open(10, 60)], warmupMs: 2000, settleMs: 1000 }))?.steps).toEqual([
      { index: -1, step: { kind: 'open', rate: 10, durationMs: 2000, requests: 20 }, atMs: 0, firstPrompt: 0 },
    ])
  })

  test('has at least one request, also below one a second', () => {
    const segment = warmupSegment(planOf({ steps: [open(0.1, 60)], warmupMs: 2000, settleMs: 1000 }))
    expect(segment?.steps[0]!.step.requests).toBe(1)
  })

  test('is none when it is 0', () => {
    expect(warmupSegment(planOf({ steps: [open(10, 60)], warmupMs: 0, settleMs: 1000 }))).toBeNull()
  })
})
