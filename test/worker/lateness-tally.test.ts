import { describe, expect, test } from 'vitest'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import { LatenessTally } from '../../src/worker/lateness-tally.ts'

describe('a tally of lateness', () => {
  test('counts every read, those that were the first of their turn as 0', () => {
    const tally = new LatenessTally()
    for (const position of [0, 2, 1, 0, 0]) tally.read(position)
    expect(tally.position).toMatchObject({ count: 5, min: 0, max: 2, mean: 0.6 })
    // Asked again, and after more: none is counted twice.
    expect(tally.position.count).toBe(5)
    tally.read(0)
    expect(tally.position.count).toBe(6)
  })

  test('has nothing before the first read', () => {
    expect(new LatenessTally().position).toMatchObject({ count: 0, max: null })
  })

  test("gives each second's own largest position and canaries, and keeps the whole", () => {
    const canary = new LatencyHistogram(2)
    const tally = new LatenessTally(canary)
    tally.read(0)
    tally.read(4)
    tally.read(3)
    for (const wait of [1, 0.5, 3]) tally.canaryRead(wait)
    expect(tally.takeSecond()).toEqual({ positionMax: 4, canaries: 3, canaryMean: 1.5, canaryMax: 3 })
    tally.read(1)
    tally.canaryRead(2)
    expect(tally.takeSecond()).toEqual({ positionMax: 1, canaries: 1, canaryMean: 2, canaryMax: 2 })
    expect(canary).toMatchObject({ count: 4, max: 3, mean: 1.625 })
    expect(tally.position).toMatchObject({ count: 4, max: 4 })
  })

  test('a second without a canary has no wait, and none of 0 ms', () => {
    const tally = new LatenessTally()
    tally.canaryRead(5)
    tally.takeSecond()
    expect(tally.takeSecond()).toEqual({ positionMax: 0, canaries: 0, canaryMean: null, canaryMax: null })
  })
})
