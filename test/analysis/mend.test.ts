import { expect, test } from 'vitest'
import { type Instrument, mendOf } from '../../src/analysis/mend.ts'

const of = (workers: number, cores: number, limit: number | null = null): Instrument => ({ workers, cores, limit })

test.each<[number, Instrument, string]>([
  // Workers that bring rho to 0.5, and one core left to the rest.
  [0.93, of(2, 8), 'this machine has 8 cores: set workers to 4'],
  [0.9, of(1, 8), 'this machine has 8 cores: set workers to 2'],
  [1, of(2, 8), 'this machine has 8 cores: set workers to 4'],
  [0.93, of(4, 8, 5000), 'this machine has 8 cores: set workers to 7, or offer less'],
  [0.93, of(1, 3.5), 'this machine has 3.5 cores: set workers to 2'],
  // Whoever was late without being busy: one more, never fewer.
  [0.2, of(2, 8), 'this machine has 8 cores: set workers to 3'],
  [0, of(3, 8), 'this machine has 8 cores: set workers to 4'],
  // No core left.
  [
    0.93,
    of(1, 2, 5123),
    'this machine has 2 cores, none left for more workers: use one with more, or offer at most about 5100 req/s',
  ],
  [0.93, of(7, 8), 'this machine has 8 cores, none left for more workers: use one with more, or offer less'],
  [
    0.93,
    of(1, 1, 94.6),
    'this machine has 1 core, none left for more workers: use one with more, or offer at most about 95 req/s',
  ],
  [0.93, of(1, 0.5), 'this machine has 0.5 cores, none left for more workers: use one with more, or offer less'],
  [0.93, of(12, 8), 'this machine has 8 cores, none left for more workers: use one with more, or offer less'],
])('rho %d of %j: %s', (rho, instrument, mend) => {
  expect(mendOf(rho, instrument)).toBe(mend)
})
