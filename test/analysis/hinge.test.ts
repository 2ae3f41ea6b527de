import { expect, test } from 'vitest'
import { hingeOf } from '../../src/analysis/hinge.ts'

const points = (...pairs: readonly (readonly [number, number])[]) =>
  pairs.map(([offered, achieved]) => ({ offered, achieved }))

test.each([
  ['a flat top at 30', points([10, 10], [20, 20], [40, 30], [80, 30]), 30, 10 ** 2 / 40 + 50 ** 2 / 80],
  // C = (28/40 + 31/80) / (1/40 + 1/80) = 1.0875 / 0.0375 = 29; misfit 1/40 + 4/80 = 0.075 of 12^2/40 + 49^2/80.
  ['a noisy top: the mean weighted by 1 / lambda', points([10, 10], [40, 28], [80, 31]), 29, 33.6125 - 0.075],
  ['one overloaded step', points([100, 40]), 40, 36],
  ['any order of the steps', points([80, 30], [10, 10], [40, 30]), 30, 10 ** 2 / 40 + 50 ** 2 / 80],
  ['all above the top', points([40, 30], [80, 30]), 30, 10 ** 2 / 40 + 50 ** 2 / 80],
])('%s: C and what the hinge gains over the line', (_, given, capacity, gain) => {
  const hinge = hingeOf(given)
  expect(hinge.capacity).toBeCloseTo(capacity, 9)
  expect(hinge.gain).toBeCloseTo(gain, 9)
})

test.each([
  ['everything is carried', points([10, 10], [20, 20])],
  ['more ends than arrivals is no saturation', points([10, 11], [20, 21])],
  ['no step', points()],
  ['a step without arrivals', points([0, 0])],
])('no capacity where %s', (_, given) => {
  expect(hingeOf(given)).toEqual({ capacity: Number.POSITIVE_INFINITY, gain: 0 })
})
