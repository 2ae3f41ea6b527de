import { SpecError } from '../model/errors.ts'
import type { Problem } from '../model/errors.ts'

/** How the embedded server behaves. Plain data: it crosses a process border as JSON. */
export interface SimulatorOptions {
  /** Time to first token, from the instant at which the request got its slot, ms. */
  readonly ttftMs: number
  /** Inter-token latency, ms; 0 sends a whole reply in one write. */
  readonly itlMs: number
  /** Requests that generate at the same time, others wait in line; null for no limit. */
  readonly slots: number | null
  /** Coefficient of variation (standard deviation / mean) of `ttftMs` and of each `itlMs`, 0..1. */
  readonly jitter: number
  /** Seed of the jitter: a request's delays depend on the seed and on its number in order of arrival. */
  readonly seed: number
  /** Address to listen on. */
  readonly host: string
  /** Port to listen on; 0 for any free one. */
  readonly port: number
  /** Name that `/v1/models` lists and that replies carry when the request names no model. Requests may name any. */
  readonly model: string
  /** Ended requests that the ledger keeps, the newest. */
  readonly ledger: number
}

/** A server that answers at once, without limit, on a free local port. */
export const SIMULATOR_DEFAULTS: SimulatorOptions = {
  ttftMs: 0,
  itlMs: 0,
  slots: null,
  jitter: 0,
  seed: 0,
  host: '127.0.0.1',
  port: 0,
  model: 'simulator',
  ledger: 10_000,
}

/** Longest delay, ms: beyond a day a schedule is a mistake of units. */
const MAX_DELAY_MS = 86_400_000

type Check = readonly [accepts: (value: unknown) => boolean, accepted: string]

const CHECKS: Readonly<Record<keyof SimulatorOptions, Check>> = {
  ttftMs: [within(0, MAX_DELAY_MS), 'a number of milliseconds from 0 to 86,400,000'],
  itlMs: [within(0, MAX_DELAY_MS), 'a number of milliseconds from 0 to 86,400,000'],
  slots: [(value) => value === null || whole(1, 2 ** 31)(value), 'a whole number from 1, or null for no limit'],
  jitter: [within(0, 1), 'a number from 0 to 1'],
  seed: [whole(0, 2 ** 32 - 1), 'a whole number from 0 to 4,294,967,295'],
  host: [isText, 'a host name or address'],
  port: [whole(0, 65_535), 'a whole number from 0 to 65,535'],
  model: [isText, 'a name'],
  ledger: [whole(0, 1_000_000), 'a whole number from 0 to 1,000,000'],
}

/**
 * The options with every default filled in. `slots: Infinity` is the same as null.
 *
 * @throws {SpecError} with all problems at once
 */
export function simulatorOptions(given: Partial<SimulatorOptions>): SimulatorOptions {
  const options = { ...SIMULATOR_DEFAULTS, ...given }
  if (options.slots === Infinity) options.slots = null
  const problems: Problem[] = []
  for (const [path, value] of Object.entries(options)) {
    if (!isOption(path)) problems.push({ path, message: `is no option; there are ${Object.keys(CHECKS).join(', ')}` })
    else if (!CHECKS[path][0](value)) {
      problems.push({ path, message: `is ${JSON.stringify(value) ?? String(value)}, expected ${CHECKS[path][1]}` })
    }
  }
  if (problems.length > 0) throw new SpecError('The simulator', problems)
  return options
}

function isOption(path: string): path is keyof SimulatorOptions {
  return Object.hasOwn(CHECKS, path)
}

function within(low: number, high: number): (value: unknown) => boolean {
  return (value) => typeof value === 'number' && value >= low && value <= high
}

function whole(low: number, high: number): (value: unknown) => boolean {
  return (value) => Number.isInteger(value) && within(low, high)(value)
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}
