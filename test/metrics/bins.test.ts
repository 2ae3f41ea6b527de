import { describe, expect, test } from 'vitest'
import { TimeBins } from '../../src/metrics/bins.ts'

describe('TimeBins', () => {
  test.each([
    { offset: 0, bin: 0 },
    { offset: 99.9, bin: 0 },
    { offset: 100, bin: 1 },
    // A rounding error before the start.
    { offset: -0.001, bin: 0 },
    // Beyond the step's end, while it drains.
    { offset: 750, bin: 7 },
  ])('$offset ms lies in bin $bin', ({ offset, bin }) => expect(new TimeBins(100, 3).at(offset)).toBe(bin))

  test.each([Number.NaN, Number.POSITIVE_INFINITY])('there is no bin for %s', (offset) =>
    expect(() => new TimeBins(100, 3).at(offset)).toThrow(RangeError),
  )

  test('all arrays grow together', () => {
    const bins = new TimeBins(100, 1)
    bins.ends[bins.at(250)]!++
    expect(bins.toData()).toEqual({
      widthMs: 100,
      arrivals: [0, 0, 0],
      ends: [0, 0, 1],
      completions: [0, 0, 0],
      outputTokens: [0, 0, 0],
      inputTokens: [0, 0, 0],
    })
  })

  test.each([
    { name: 'a longer one', mine: 1, theirs: 3, sum: [1, 0, 1] },
    { name: 'a shorter one', mine: 3, theirs: 1, sum: [1, 0, 1] },
  ])('adds $name, padded', ({ mine, theirs, sum }) => {
    const bins = new TimeBins(100, 1)
    bins.arrivals[bins.at((mine - 1) * 100)]!++
    const other = new TimeBins(100, 1)
    other.arrivals[other.at((theirs - 1) * 100)]!++
    bins.add(other)
    expect(bins.arrivals).toEqual(sum)
  })

  test('does not add bins of other width', () => {
    expect(() => new TimeBins(100, 1).add(new TimeBins(50, 1))).toThrow('50 ms to bins of 100 ms')
  })
})
