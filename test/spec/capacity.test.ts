import { expect, test } from 'vitest'
import { maxInFlightOf, parseLimits, parsePortRange, readCapacity } from '../../src/spec/capacity.ts'

test.each([
  // descriptors, ports, workers, embedded, most in flight
  // ports decide: 0.9 x 28,232
  [1_048_576, 28_232, 3, false, 25_408],
  // descriptors decide: 2 x (1,024 - 128)
  [1024, 28_232, 2, false, 1792],
  // the embedded server has all other ends in one process
  [1024, 28_232, 2, true, 896],
  // no limit of descriptors
  [Infinity, 28_232, 1, false, 25_408],
  // another platform
  [null, null, 3, false, 8000],
  // ports are not known, descriptors are fewer
  [256, null, 4, false, 512],
  // nearly nothing: one a load process all the same
  [100, 28_232, 4, false, 4],
  [1_048_576, 0, 4, false, 4],
  // absurdly many ports
  [Infinity, 1e9, 4, false, 1_000_000],
])('%d descriptors, %d ports, %i workers, embedded %s: %i', (descriptors, ports, workers, embedded, most) => {
  expect(maxInFlightOf({ descriptors, ports }, workers, embedded)).toBe(most)
})

const LIMITS = `Limit                     Soft Limit           Hard Limit           Units
Max core file size        0                    unlimited            bytes
Max open files            20000                1048576              files
Max pending signals       31353                31353                signals
`

test.each([
  [LIMITS, 20_000],
  [LIMITS.replace('20000', 'unlimited'), Infinity],
  ['', null],
  [null, null],
])('soft limit of open files %#', (text, descriptors) => {
  expect(parseLimits(text)).toBe(descriptors)
})

test.each([
  // both ends belong to it
  ['32768\t60999\n', 28_232],
  ['1024 65535', 64_512],
  // the wrong way round: nothing is left
  ['60999 32768', 0],
  ['none', null],
  [null, null],
])('ports of %j', (text, ports) => {
  expect(parsePortRange(text)).toBe(ports)
})

test('this host has a capacity that can be used', () => {
  expect(maxInFlightOf(readCapacity(), 2, false)).toBeGreaterThanOrEqual(2)
})
