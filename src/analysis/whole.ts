import type { Profile } from '../model/profile.ts'

/** What is wrong with a run as a whole, whatever its tests asserted. */
export interface WholeFinding {
  readonly verdict: 'invalid' | 'inconclusive'
  /** Sentences for people, the first the gravest; each stands after "the run is invalid: ". */
  readonly reasons: readonly [string, ...string[]]
}

/**
 * Whether a run is invalid as a whole (a load process died, an invariant broke, every step is void) or inconclusive
 * (not one request got a successful reply), and why; null when it is neither.
 */
export function wholeFinding({ breaches, steps, total }: Profile): WholeFinding | null {
  const [breach, ...more] = breaches
  if (breach !== undefined) return { verdict: 'invalid', reasons: [breach, ...more] }
  const voids = steps.flatMap((step) => step.voids.slice(0, 1))
  if (steps.length > 0 && voids.length === steps.length) {
    return { verdict: 'invalid', reasons: [`every step is void: ${voids[0]!.message}`] }
  }
  if (total.counts.completed > 0) return null
  const [example] = total.examples
  const why = example === undefined ? '' : ` (${example.kind}: ${example.message})`
  const none = `not one of ${total.counts.planned} requests got a successful reply${why}`
  return { verdict: 'inconclusive', reasons: [none] }
}
