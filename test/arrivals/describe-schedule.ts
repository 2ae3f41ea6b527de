import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/arrivals/random.ts'
import type { Schedule } from '../../src/arrivals/schedule.ts'
import type { OpenStep } from '../../src/model/step.ts'

export function openStep(requests: number, durationMs: number): OpenStep {
  return { kind: 'open', rate: (requests / durationMs) * 1000, durationMs, requests }
}

/** The contract that every schedule keeps, whatever its arrivals look like. */
export function describeSchedule(name: string, make: Schedule): void {
  describe(`${name} schedule`, () => {
    test.each([
      { name: 'one request', step: openStep(1, 1000) },
      { name: 'ten in a second', step: openStep(10, 1000) },
      { name: 'a duration that is no round number', step: openStep(7, 333.3333333333333) },
      { name: 'many', step: openStep(50_000, 10_000) },
    ])('of $name: that many, ascending, in [0, duration)', ({ step }) => {
      const offsets = make(step, seededRandom(1))
      expect(offsets).toBeInstanceOf(Float64Array)
      expect(offsets).toHaveLength(step.requests)
      expect(offsets.every((offset) => offset >= 0 && offset < step.durationMs)).toBe(true)
      expect(offsets.every((offset, i) => i === 0 || offset > offsets[i - 1]!)).toBe(true)
    })

    test('the same random numbers give the same schedule', () => {
      const step = openStep(1000, 5000)
      expect(make(step, seededRandom(42, 3))).toEqual(make(step, seededRandom(42, 3)))
    })

    test('no part of the step is favoured', () => {
      const counts = new Map<number, number>()
      for (const offset of make(openStep(10_000, 5000), seededRandom(7))) {
        const tenth = Math.floor(offset / 500)
        counts.set(tenth, (counts.get(tenth) ?? 0) + 1)
      }
      // 1,000 expected in each tenth; binomial deviation sqrt(10,000 x 0.1 x 0.9) = 30, of which five are allowed.
      expect(counts.size).toBe(10)
      for (const count of counts.values()) expect(Math.abs(count - 1000)).toBeLessThan(150)
    })
  })
}
