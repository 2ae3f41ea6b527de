import type { Comparison } from '../model/verdict.ts'
import { formatValue, type Unit } from '../model/units.ts'

/** One side of a comparison: the figure must stay on this side of the limit. */
export interface Side {
  readonly direction: 'upper' | 'lower'
  readonly limit: number
  /** Whether the limit itself is on the wrong side. */
  readonly strict: boolean
}

/** The sides of a comparison: `between` needs all of its two, `outside` any; the others have one. */
export function sidesOf(comparison: Comparison): { readonly sides: readonly Side[]; readonly need: 'all' | 'any' } {
  const side = (direction: Side['direction'], limit: number, strict: boolean): Side => ({ direction, limit, strict })
  switch (comparison.kind) {
    case 'below':
      return { sides: [side('upper', comparison.limit, true)], need: 'all' }
    case 'at-most':
      return { sides: [side('upper', comparison.limit, false)], need: 'all' }
    case 'above':
      return { sides: [side('lower', comparison.limit, true)], need: 'all' }
    case 'at-least':
      return { sides: [side('lower', comparison.limit, false)], need: 'all' }
    case 'between':
      return { sides: [side('lower', comparison.low, false), side('upper', comparison.high, false)], need: 'all' }
    case 'outside':
      return { sides: [side('upper', comparison.low, true), side('lower', comparison.high, true)], need: 'any' }
  }
}

/** Whether a value is on the right side; NaN is on none. */
export function meets(value: number, { direction, limit, strict }: Side): boolean {
  if (strict && value === limit) return false
  return direction === 'upper' ? value <= limit : value >= limit
}

/**
 * The opposite comparison, as which `.not` is judged: its limits follow the rules for that side, so that a failed
 * request, or too few of them, does not help a negated assertion either.
 */
export function negate(comparison: Comparison): Comparison {
  switch (comparison.kind) {
    case 'below':
      return { ...comparison, kind: 'at-least' }
    case 'at-most':
      return { ...comparison, kind: 'above' }
    case 'above':
      return { ...comparison, kind: 'at-most' }
    case 'at-least':
      return { ...comparison, kind: 'below' }
    case 'between':
      return { ...comparison, kind: 'outside' }
    case 'outside':
      return { ...comparison, kind: 'between' }
  }
}

/** `below 40 ms`, `at least 99 %`, `between 10 ms and 20 ms`; without a unit the numbers alone. */
export function comparisonText(comparison: Comparison, unit?: Unit): string {
  const limit = (value: number) => (unit === undefined ? String(value) : formatValue(value, unit))
  switch (comparison.kind) {
    case 'between':
    case 'outside':
      return `${comparison.kind} ${limit(comparison.low)} and ${limit(comparison.high)}`
    default:
      return `${comparison.kind.replace('-', ' ')} ${limit(comparison.limit)}`
  }
}
