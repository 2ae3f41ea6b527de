import { describe, expect, test } from 'vitest'
import { shortfallText, sizedBy } from '../../src/report/sizing.ts'
import type { Sizing } from '../../src/spec/workers.ts'

/** A load of 1.9 load processes' worth on a machine of 8 cores, for which 4 are half busy. */
const SIZING: Sizing = {
  workers: 4,
  auto: false,
  cores: 8,
  most: 7,
  busiest: { rate: 4000, tokens: 64, processes: 1.9 },
  basis: 'calibrated',
}

const NOT = 'not calibrated, by built-in figures'

describe('a load that asks more than its load processes can offer', () => {
  test.each<[string, Partial<Sizing>, number, string]>([
    [
      'says how many serve it',
      {},
      1,
      "asks about 1.9 load processes' worth at 4,000 req/s x 64 tokens, 1 is set: use workers: 4 (as calibrated)",
    ],
    [
      'of several, too',
      {},
      2,
      "asks about 1.9 load processes' worth at 4,000 req/s x 64 tokens, 2 are set: use workers: 4 (as calibrated)",
    ],
    [
      'says what the machine offers where it has no more cores',
      // 4,000 x 0.85 / 1.9 = 1,789
      { workers: 1, cores: 2, most: 1, auto: true },
      1,
      "asks about 1.9 load processes' worth at 4,000 req/s x 64 tokens, and this machine (2 cores) offers about 1,800 req/s of this load (as calibrated)",
    ],
    [
      'says both where it has more cores, and not enough',
      // 4,000 x 0.85 x 2 / 1.9 = 3,579
      { workers: 2, cores: 3, most: 2 },
      1,
      "asks about 1.9 load processes' worth at 4,000 req/s x 64 tokens, 1 is set: use workers: 2; this machine (3 cores) offers about 3,600 req/s of this load (as calibrated)",
    ],
    [
      'of replies that do not stream',
      { busiest: { rate: 950.5, tokens: 0, processes: 12.345 }, workers: 7 },
      7,
      "asks about 12 load processes' worth at 950.5 req/s, and this machine (8 cores) offers about 460 req/s of this load (as calibrated)",
    ],
    [
      'by figures that were not measured',
      { basis: 'built-in', busiest: { rate: 4000, tokens: 1, processes: 1.9 } },
      1,
      `asks about 1.9 load processes' worth at 4,000 req/s x 1 token, 1 is set: use workers: 4 (${NOT}: npx vitest-slo calibrate measures this machine)`,
    ],
    [
      'by figures of another machine',
      { basis: 'foreign' },
      1,
      `asks about 1.9 load processes' worth at 4,000 req/s x 64 tokens, 1 is set: use workers: 4 (${NOT}, since the calibration was measured on another machine or version: npx vitest-slo calibrate measures this one)`,
    ],
  ])('%s', (_, changes, workers, text) => {
    expect(shortfallText({ ...SIZING, ...changes }, workers, 0.85)).toBe(text)
  })

  test.each<[Partial<Sizing>, number]>([
    [{}, 3],
    [{ busiest: null }, 1],
    [{ busiest: { rate: 10, tokens: 64, processes: 0.01 } }, 1],
  ])('is not told of one that asks less: %j with %i', (changes, workers) => {
    expect(shortfallText({ ...SIZING, ...changes }, workers, 0.85)).toBeNull()
  })
})

test.each<[Partial<Sizing>, number, string]>([
  [{ auto: true }, 4, ' (auto, calibrated)'],
  [{ auto: true, basis: 'built-in' }, 4, ' (auto, not calibrated)'],
  [{ auto: true, basis: 'foreign' }, 4, ' (auto, not calibrated)'],
  // no figure has decided it
  [{ auto: true, busiest: null }, 4, ''],
  [{ auto: true }, 1, ''],
  [{ auto: false }, 4, ''],
])('%j of %i says%s', (changes, workers, text) => {
  expect(sizedBy({ workers }, { ...SIZING, ...changes })).toBe(text)
})
