import { seededRandom } from '../arrivals/random.ts'
import type { Random } from '../arrivals/random.ts'
import type { SimulatorOptions } from './options.ts'

/**
 * When the tokens of one reply are due: the offset of token k from the start of generation, ms. To be asked once for
 * each k = 0, 1, 2, ...
 */
export type Pace = (token: number) => number

/**
 * The pace of the request that arrived as number `index`.
 *
 * Without jitter, token k is due at ttft + k x itl, by multiplication: a long reply does not drift. With jitter the
 * first delay and each following one are lognormal with the same means and the coefficient of variation `jitter`,
 * and token k is due after the sum of the first k + 1 delays.
 */
export function paceOf(
  options: Pick<SimulatorOptions, 'ttftMs' | 'itlMs' | 'jitter' | 'seed'>,
): (index: number) => Pace {
  const { ttftMs, itlMs, jitter, seed } = options
  if (jitter === 0) {
    const steady: Pace = (token) => ttftMs + token * itlMs
    return () => steady
  }
  return (index) => {
    const random = seededRandom(seed, index)
    let offset = 0
    return (token) => (offset += lognormal(token === 0 ? ttftMs : itlMs, jitter, random))
  }
}

/**
 * A lognormal number with the given mean and coefficient of variation c:
 * mean x exp(s z - s^2 / 2) with s^2 = ln(1 + c^2) and z standard normal. Never below 0; 0 when the mean is.
 *
 * @see Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 1, chapter 14
 */
export function lognormal(mean: number, variation: number, random: Random): number {
  const variance = Math.log1p(variation * variation)
  return mean * Math.exp(Math.sqrt(variance) * standardNormal(random) - variance / 2)
}

/** Box and Muller's transform; 1 - random keeps the logarithm finite. */
function standardNormal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
