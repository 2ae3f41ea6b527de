import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { seededRandom } from '../../src/arrivals/random.ts'
import { closedShare, type Share, shareOf } from '../../src/arrivals/shares.ts'
import { sweepRates } from '../../src/arrivals/sweep.ts'
import type { ClosedStep } from '../../src/model/step.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 300 } as const

const workers = fc.integer({ min: 1, max: 64 })
const uint32 = fc.integer({ min: 0, max: 0xffffffff })

function indices({ first, stride, count }: Share): number[] {
  return Array.from({ length: count }, (_, i) => first + i * stride)
}

function everyWorker<T>(count: number, make: (worker: number) => T): T[] {
  return Array.from({ length: count }, (_, worker) => make(worker))
}

const ascending = (a: number, b: number) => a - b

describe('shares', () => {
  test('their union is the whole, each index once, for every number of load processes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 500 }), workers, (count, of) => {
        const all = everyWorker(of, (worker) => indices(shareOf(count, worker, of))).flat()
        expect(all.sort(ascending)).toEqual(Array.from({ length: count }, (_, i) => i))
      }),
      settings,
    )
  })

  test('a closed loop’s slots and requests are all dealt, and requests only where there is a slot', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100 }),
        fc.integer({ min: 1, max: 300 }),
        workers,
        (concurrency, requests, of) => {
          const step: ClosedStep = { kind: 'closed', concurrency, durationMs: null, requests }
          const shares = everyWorker(of, (worker) => closedShare(step, worker, of))
          expect(shares.reduce((sum, { slots }) => sum + slots, 0)).toBe(concurrency)
          const all = shares.flatMap((share) => indices(share.requests))
          expect(all.sort(ascending)).toEqual(Array.from({ length: requests }, (_, i) => i))
          for (const share of shares) expect(share.slots > 0 || share.requests.count === 0).toBe(true)
        },
      ),
      settings,
    )
  })
})

describe('seeds', () => {
  test('reproduce, and give other numbers for another seed or stream', () => {
    fc.assert(
      fc.property(uint32, fc.array(uint32, { maxLength: 3 }), uint32, (seed, stream, other) => {
        const numbers = (...words: [number, ...number[]]) => {
          const random = seededRandom(...words)
          return [random(), random(), random()]
        }
        expect(numbers(seed, ...stream)).toEqual(numbers(seed, ...stream))
        if (other !== seed) expect(numbers(other, ...stream)).not.toEqual(numbers(seed, ...stream))
        expect(numbers(seed, ...stream, other)).not.toEqual(numbers(seed, ...stream))
      }),
      settings,
    )
  })
})

test('a sweep begins and ends where it says and climbs all the way, in equal differences or ratios', () => {
  fc.assert(
    fc.property(
      fc.double({ min: 0.1, max: 1000, noNaN: true }),
      fc.double({ min: 1.1, max: 100, noNaN: true }),
      fc.integer({ min: 2, max: 30 }),
      fc.constantFrom('linear' as const, 'geometric' as const),
      (from, times, count, spacing) => {
        const to = from * times
        const rates = sweepRates({ from, to, count, spacing })
        expect(rates).toHaveLength(count)
        expect([rates[0], rates.at(-1)]).toEqual([from, to])
        const steps = rates.slice(1).map((rate, i) => (spacing === 'linear' ? rate - rates[i]! : rate / rates[i]!))
        const even = spacing === 'linear' ? (to - from) / (count - 1) : times ** (1 / (count - 1))
        for (const step of steps) {
          expect(step).toBeGreaterThan(spacing === 'linear' ? 0 : 1)
          // Two rates, each within half of the sixth digit.
          expect(Math.abs(step - even)).toBeLessThanOrEqual(1e-5 * (spacing === 'linear' ? to : even))
        }
      },
    ),
    settings,
  )
})
