import type { SyntheticOptions, SyntheticSource } from './options.ts'

/**
 * Prompts of made-up words, each with a unique seeded beginning, so that a prefix cache does not flatter TTFT.
 * Checked with the rest of the options, when the suite starts.
 *
 * @example
 * ```ts
 * slo('chat', { target, load, prompts: synthetic({ inputTokens: 512, outputTokens: 128 }) }, body)
 * ```
 */
export function synthetic(options: SyntheticOptions = {}): SyntheticSource {
  return Object.freeze({ ...options, kind: 'synthetic' })
}
