import type { EmbeddedOptions, SimulatorTarget } from './options.ts'

/**
 * The embedded server as a target: it starts with the load, in a process of its own, and stops with it. Checked with
 * the rest of the options, when the suite starts.
 *
 * @example
 * ```ts
 * slo('chat capacity', { target: simulator({ ttft: '20ms', itl: '5ms', slots: 16 }), load }, body)
 * ```
 */
export function simulator(options: EmbeddedOptions = {}): SimulatorTarget {
  return Object.freeze({ ...options, kind: 'simulator' })
}
