import type { OpenStep } from '../model/step.ts'
import type { Random } from './random.ts'

/**
 * Poisson arrivals given their count, ms from the step's start: `requests` instants, uniform and sorted.
 *
 * Given how many arrivals a Poisson process has in an interval, the instants are independent and uniform on it. So
 * bursts and gaps are those of Poisson traffic, while the offered rate equals the nominal one in every run. (Counts
 * of parts of the step are binomial, a little less variable than Poisson ones: by the part's share of the step.)
 *
 * @see Cox, Lewis, "The Statistical Analysis of Series of Events", 1966
 */
export function poissonSchedule(step: OpenStep, random: Random): Float64Array {
  return Float64Array.from({ length: step.requests }, () => random() * step.durationMs).sort()
}
