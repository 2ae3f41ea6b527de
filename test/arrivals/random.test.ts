import { describe, expect, test } from 'vitest'
import { seededRandom, seedOf } from '../../src/arrivals/random.ts'

function take(count: number, ...seeds: [number, ...number[]]): number[] {
  const random = seededRandom(...seeds)
  return Array.from({ length: count }, () => random())
}

describe('seededRandom', () => {
  test('gives the same numbers for the same seed and stream, for ever', () => {
    expect(take(5, 42, 1, 2)).toEqual(take(5, 42, 1, 2))
    // Pinned: a change here changes the schedule and the prompts of every spec.
    expect(take(3, 20261129)).toMatchInlineSnapshot(`
      [
        0.45835977626686075,
        0.5202526023078292,
        0.27025397890075553,
      ]
    `)
    expect(take(3, 1, -1, 7)).toMatchInlineSnapshot(`
      [
        0.880494332006891,
        0.1512554190167842,
        0.026816319002955336,
      ]
    `)
  })

  test('stays in [0, 1) with mean 1/2 and variance 1/12', () => {
    const numbers = take(100_000, 1)
    expect(numbers.every((number) => number >= 0 && number < 1)).toBe(true)
    const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length
    const variance = numbers.reduce((sum, number) => sum + (number - mean) ** 2, 0) / numbers.length
    // Standard errors are 0.0009 and 0.0002.
    expect(mean).toBeCloseTo(0.5, 2)
    expect(variance).toBeCloseTo(1 / 12, 2)
  })

  test('streams and seeds that differ in one number have nothing in common', () => {
    const streams: [number, ...number[]][] = [
      [1],
      [2],
      [1, 0],
      [1, 1],
      [1, -1],
      [1, 0, 0],
      [1, 0, 1],
      [1, 1, 0],
      [0, 1],
    ]
    const numbers = streams.flatMap((stream) => take(1000, ...stream))
    expect(new Set(numbers).size).toBe(numbers.length)
  })

  test('neighbouring streams are not correlated', () => {
    const count = 20_000
    const [a, b] = [take(count, 5, 0), take(count, 5, 1)]
    const covariance = a.reduce((sum, number, i) => sum + (number - 0.5) * (b[i]! - 0.5), 0) / count
    // Standard error of the correlation: 1 / sqrt(20,000) = 0.007; five are allowed.
    expect(Math.abs(covariance * 12)).toBeLessThan(0.035)
  })

  test('first numbers of consecutive streams are uniform', () => {
    const tenths = Array.from({ length: 10 }, () => 0)
    for (let stream = 0; stream < 10_000; stream++) tenths[Math.floor(take(1, 9, stream)[0]! * 10)]!++
    // 1,000 expected, deviation 30; five are allowed.
    for (const count of tenths) expect(Math.abs(count - 1000)).toBeLessThan(150)
  })
})

describe('seedOf', () => {
  test('is an unsigned 32-bit number that never changes', () => {
    // Pinned: a change here changes the default seed of every spec.
    expect(['', 'chat', 'specs/chat.slo.ts chat'].map(seedOf)).toMatchInlineSnapshot(`
      [
        3900923005,
        3123138579,
        2290648831,
      ]
    `)
  })

  test('texts that differ in one character differ in about half of the bits', () => {
    for (const [one, other] of [
      ['chat', 'chau'],
      ['chat', 'Chat'],
      ['a.slo.ts chat 1', 'a.slo.ts chat 2'],
    ] as const) {
      const bits = [...(seedOf(one) ^ seedOf(other)).toString(2).replace('-', '')].filter((bit) => bit === '1').length
      expect(bits).toBeGreaterThan(7)
      expect(bits).toBeLessThan(25)
    }
  })
})
