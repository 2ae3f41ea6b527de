import type { SweepLoad, SweepOptions } from './options.ts'

/**
 * A load of steps that are spaced from a low to a high rate, to find the saturation point. Checked with the rest of
 * the options, when the suite starts.
 *
 * @example
 * ```ts
 * slo('chat capacity', { target, load: sweep({ from: 5, to: 80, count: 6, spacing: 'geometric', duration: '15s' }) }, body)
 * ```
 */
export function sweep(options: SweepOptions): SweepLoad {
  return Object.freeze({ ...options, kind: 'sweep' })
}
