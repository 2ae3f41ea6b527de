import { build, decodeFromCompressedBase64 } from 'hdr-histogram-js'
import { describe, expect, test } from 'vitest'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'

function histogramOf(...samples: number[]): LatencyHistogram {
  const histogram = new LatencyHistogram()
  for (const ms of samples) histogram.record(ms)
  return histogram
}

describe('LatencyHistogram', () => {
  test('has nothing to say without samples', () => {
    const empty = new LatencyHistogram()
    expect([empty.count, empty.min, empty.max, empty.mean, empty.valueAtRank(1), empty.encode()]).toEqual([
      0,
      null,
      null,
      null,
      null,
      null,
    ])
    expect([empty.countAbove(0), empty.countBelow(1e9)]).toEqual([0, 0])
  })

  test.each([
    { name: 'min and max are exact to the microsecond', samples: [1234.567, 40.0004], min: 40, max: 1234.567 },
    { name: 'half a microsecond rounds up', samples: [0.0005], min: 0.001, max: 0.001 },
    { name: 'zero is a sample', samples: [0, 5], min: 0, max: 5 },
    { name: 'one hour is the highest', samples: [3_600_000], min: 3_600_000, max: 3_600_000 },
  ])('$name', ({ samples, min, max }) => {
    const histogram = histogramOf(...samples)
    expect([histogram.min, histogram.max, histogram.clamped]).toEqual([min, max, 0])
  })

  test('mean is the exact sum over the count', () => {
    // (1234.567 + 1 + 1) / 3; HdrHistogram's own mean would take the middles of buckets.
    const histogram = histogramOf(1234.567)
    histogram.record(1, 2)
    expect(histogram.mean).toBeCloseTo(412.189, 9)
    expect(histogram.count).toBe(3)
  })

  test.each([
    // Below 0 and beyond the hour the bound is counted.
    { ms: -0.5, told: 0 },
    { ms: 3_600_000.5, told: 3_600_000 },
    { ms: 1e300, told: 3_600_000 },
  ])('clamps $ms ms to $told and says so', ({ ms, told }) => {
    const histogram = new LatencyHistogram()
    histogram.record(ms, 3)
    expect([histogram.max, histogram.clamped, histogram.count]).toEqual([told, 3, 3])
  })

  test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])('refuses %s', (ms) => {
    const histogram = new LatencyHistogram()
    expect(() => histogram.record(ms)).toThrow(RangeError)
    expect(histogram.count).toBe(0)
  })

  describe('valueAtRank', () => {
    // Below 2.048 ms every microsecond has its own bucket, so ranks are exact.
    const histogram = histogramOf(...Array.from({ length: 1000 }, (_, i) => (i + 1) / 1000))

    test.each([
      { rank: 1, ms: 0.001 },
      { rank: 2, ms: 0.002 },
      // p99 and p99.9 of 1000 by nearest rank; 1 - 0.999 in floating point would miss the second by one.
      { rank: 990, ms: 0.99 },
      { rank: 999, ms: 0.999 },
      { rank: 1000, ms: 1 },
    ])('rank $rank is $ms ms', ({ rank, ms }) => expect(histogram.valueAtRank(rank)).toBe(ms))

    test.each([0, -1, 1001, 1.5, Number.NaN])('there is no rank %s', (rank) =>
      expect(histogram.valueAtRank(rank)).toBeNull(),
    )

    test('stays between min and max, which are exact, inside one bucket', () => {
      // 40.000 and 40.031 ms are the ends of one bucket of 32 us.
      const narrow = histogramOf(40.001, 40.002, 40.003)
      expect([1, 2, 3].map((rank) => narrow.valueAtRank(rank))).toEqual([40.001, 40.003, 40.003])
    })
  })

  test.each([
    // Samples 10, 20, 20, 30 ms. Each is told as its bucket's highest: 10.007, 20.015 (twice), and the maximum.
    { limit: 9.9, above: 4, below: 0 },
    { limit: 10, above: 3, below: 0 },
    { limit: 10.001, above: 3, below: 1 },
    { limit: 15, above: 3, below: 1 },
    { limit: 20.02, above: 1, below: 3 },
    { limit: 29.9, above: 1, below: 3 },
    // At the maximum none is above, whatever the bucket's end.
    { limit: 30, above: 0, below: 3 },
    { limit: 30.001, above: 0, below: 4 },
    { limit: Number.POSITIVE_INFINITY, above: 0, below: 4 },
  ])('$above above and $below below $limit ms', ({ limit, above, below }) => {
    const histogram = histogramOf(10, 20, 20, 30)
    expect([histogram.countAbove(limit), histogram.countBelow(limit)]).toEqual([above, below])
  })

  test('encodes what any reader of HdrHistogram V2 decodes', () => {
    const samples = [0, 0.5, 12.345, 400, 400, 3_600_000]
    const encoded = histogramOf(...samples).encode()
    const decoded = decodeFromCompressedBase64(encoded!)
    const direct = build({ lowestDiscernibleValue: 1, highestTrackableValue: 3_600_000_000, bitBucketSize: 32 })
    for (const ms of samples) direct.recordValue(ms * 1000)
    expect(decoded.totalCount).toBe(6)
    for (const p of [1, 40, 50, 80, 99, 100]) {
      expect(decoded.getValueAtPercentile(p)).toBe(direct.getValueAtPercentile(p))
    }
  })

  test('survives a process border and JSON', () => {
    const histogram = histogramOf(0.25, 12.345, 1e9)
    for (const data of [structuredClone(histogram.toData()), JSON.parse(JSON.stringify(histogram.toData()))]) {
      const copy = LatencyHistogram.fromData(data)
      expect(copy.toData()).toEqual(histogram.toData())
      expect(copy.encode()).toBe(histogram.encode())
    }
  })

  test('adds nothing from an empty one, and takes no memory for it', () => {
    const empty = new LatencyHistogram()
    empty.add(new LatencyHistogram())
    expect(empty.encode()).toBeNull()
    const histogram = histogramOf(3)
    histogram.add(empty)
    expect(histogram.toData()).toEqual(histogramOf(3).toData())
  })

  test('cleared, it is as new', () => {
    const used = new LatencyHistogram()
    used.record(7)
    used.record(-1)
    used.clear()
    expect(used.toData()).toEqual(new LatencyHistogram().toData())
    expect([used.min, used.max, used.mean, used.valueAtRank(1), used.encode()]).toEqual([null, null, null, null, null])
    const fresh = new LatencyHistogram()
    for (const histogram of [used, fresh]) histogram.record(3, 2)
    expect(used.toData()).toEqual(fresh.toData())
    expect(used.encode()).toBe(fresh.encode())
  })

  test('does not add histograms of other resolution', () => {
    expect(() => new LatencyHistogram(2).add(histogramOf(1))).toThrow('3 digits to one of 2')
  })

  test('two digits tell a sample within 1 %', () => {
    const coarse = new LatencyHistogram(2)
    for (const ms of [99, 100, 101, 5000]) coarse.record(ms)
    const told = coarse.valueAtRank(2)!
    expect(told).toBeGreaterThanOrEqual(100)
    expect(told).toBeLessThan(101)
  })
})
