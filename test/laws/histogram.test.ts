import * as fc from 'fast-check'
import { Int32Histogram } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import { HIGHEST_US, LatencyHistogram } from '../../src/metrics/histogram.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 200 } as const

/** From a microsecond to an hour, all magnitudes alike. */
const sample = fc.double({ min: -3, max: Math.log10(3_600_000), noNaN: true }).map((exponent) => 10 ** exponent)
const samples = fc.array(sample, { minLength: 1, maxLength: 300 })

function histogramOf(all: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram()
  for (const ms of all) histogram.record(ms)
  return histogram
}

describe('LatencyHistogram', () => {
  test('a sample of any rank is known within 0.1 %, or half a microsecond', () => {
    fc.assert(
      fc.property(samples, (all) => {
        const histogram = histogramOf(all)
        const sorted = [...all].sort((a, b) => a - b)
        sorted.forEach((ms, i) => {
          const told = histogram.valueAtRank(i + 1)!
          expect(Math.abs(told - ms)).toBeLessThanOrEqual(Math.max(ms * 1e-3, 0.00051))
        })
        expect(histogram.valueAtRank(1)).toBe(histogram.min)
        expect(histogram.valueAtRank(all.length)).toBe(histogram.max)
      }),
      settings,
    )
  })

  test('counts above and below a limit agree with the ranks', () => {
    fc.assert(
      fc.property(samples, sample, (all, other) => {
        const histogram = histogramOf(all)
        const told = all.map((_, i) => histogram.valueAtRank(i + 1)!)
        for (const limit of [other, all[0]!, histogram.min!, histogram.max!, told[Math.floor(all.length / 2)]!]) {
          expect(histogram.countAbove(limit)).toBe(told.filter((ms) => ms > limit).length)
          expect(histogram.countBelow(limit)).toBe(told.filter((ms) => ms < limit).length)
        }
      }),
      settings,
    )
  })

  test('adding is associative and commutative, and equals recording all in one', () => {
    const some = fc.array(sample, { maxLength: 100 })
    const sum = (...parts: readonly LatencyHistogram[]) => {
      const total = new LatencyHistogram()
      for (const part of parts) total.add(part)
      return total
    }
    fc.assert(
      fc.property(some, some, some, (a, b, c) => {
        const all = histogramOf([...a, ...b, ...c])
        const [x, y, z] = [histogramOf(a), histogramOf(b), histogramOf(c)]
        expect(sum(sum(x, y), z).toData()).toEqual(all.toData())
        expect(sum(x, sum(y, z)).toData()).toEqual(all.toData())
        expect(sum(z, y, x).toData()).toEqual(all.toData())
        expect(sum(z, y, x).encode()).toBe(all.encode())
      }),
      { ...settings, numRuns: 60 },
    )
  })

  test('a sample lies in the bucket where HdrHistogram puts it', () => {
    const powers = Array.from({ length: 32 }, (_, i) => 2 ** i)
    const edges = powers.flatMap((us) => [us - 1, us, us + 1]).filter((us) => us <= HIGHEST_US)
    fc.assert(
      fc.property(
        fc.oneof(fc.integer({ min: 0, max: HIGHEST_US }), fc.constantFrom(...edges, HIGHEST_US)),
        fc.constantFrom(2 as const, 3 as const),
        (us, digits) => {
          const histogram = new LatencyHistogram(digits)
          histogram.record(us / 1000)
          const index = new Int32Histogram(1, HIGHEST_US, digits).countsArrayIndex(us)
          expect(histogram.toData().buckets).toEqual([index, 1])
        },
      ),
      { ...settings, numRuns: 1000 },
    )
  })

  test('n samples at once are n samples one by one', () => {
    fc.assert(
      fc.property(sample, fc.integer({ min: 1, max: 50 }), (ms, count) => {
        const at = new LatencyHistogram()
        at.record(ms, count)
        expect(at.toData()).toEqual(histogramOf(Array.from({ length: count }, () => ms)).toData())
      }),
      settings,
    )
  })
})
