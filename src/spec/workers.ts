import type { KnownCalibration, LoadCost } from '../model/calibration.ts'
import { SIZING_RHO } from '../model/plan.ts'
import type { Load, OpenStep } from '../model/step.ts'

/** Most load processes (chosen: far beyond the cores of one host, and what a slip of the pen would fork). */
export const MOST_WORKERS = 256

/**
 * Costs where nothing was measured (chosen). Slow cores of 2026 took 0.03 to 0.045 ms a request and 0.007 to 0.009 ms
 * a token with little else to do, and 0.07 to 0.09 and 0.011 to 0.023 ms while other work filled them. So a pool is
 * twice as large as it need be on the former, and on machines up to 1.7 times as dear as these figures its loops stay
 * below the rho of 0.85 from which steps are void.
 */
export const BUILT_IN_COST: LoadCost = { requestMs: 0.06, tokenMs: 0.02 }

/** How many load processes a load wants, and from which figures that was told. */
export interface Sizing {
  /** What `workers: 'auto'` makes of it. */
  readonly workers: number
  /** Whether `'auto'` was given, so that it was made. */
  readonly auto: boolean
  /** Whole cores that there are, at least 1. */
  readonly cores: number
  /** Most load processes that have a core each, one left for the rest; at least 1. */
  readonly most: number
  /** The open-loop step that asks most; null when there is none. A closed loop's rate is the server's. */
  readonly busiest: Demand | null
  /** Which costs were used. */
  readonly basis: 'calibrated' | 'foreign' | 'built-in'
}

/** What a step asks of the client. */
export interface Demand {
  /** Requests per second. */
  readonly rate: number
  /** Streamed tokens of a reply; 0 for replies that do not stream. */
  readonly tokens: number
  /** Load processes' worth: event-loop seconds per second. */
  readonly processes: number
}

/** What is sized. */
export interface SizingInput {
  readonly auto: boolean
  /** May be a fraction, as a container's share is. */
  readonly cores: number
  readonly calibration: KnownCalibration
  readonly load: Load
  /** Tokens of a reply that may come one by one; 0 for replies that do not stream. */
  readonly tokens: number
  readonly maxInFlight: number | undefined
}

/**
 * Sizes the pool so that the loops stay about half busy or less: ceil(d / 0.5) load processes, at least 1, at most
 * cores - 1, one for each request in flight, and 256. d is the highest of rate x (requestMs + tokens x tokenMs) / 1000
 * over the open-loop steps: event-loop seconds per second. A closed loop's rate is not known before it runs; it gets
 * all cores but one, and never more processes than its concurrency.
 *
 * Every token counts as if it came by itself. Servers that send several at once cost the client less.
 */
export function sizingOf({ auto, cores, calibration, load, tokens, maxInFlight }: SizingInput): Sizing {
  const whole = Math.max(1, Math.floor(cores))
  const most = Math.max(1, Math.min(whole - 1, maxInFlight ?? Infinity, MOST_WORKERS))
  const known = calibration !== null && calibration !== 'foreign'
  const cost = known ? calibration : BUILT_IN_COST
  const busiest = load.steps
    .filter((step) => step.kind === 'open')
    .map((step) => demandOf(step, tokens, cost))
    .reduce<Demand | null>((a, b) => (a === null || b.processes > a.processes ? b : a), null)
  const concurrencies = load.steps.map((step) => (step.kind === 'closed' ? step.concurrency : 0))
  const wanted = Math.max(processesFor(busiest?.processes ?? 0), ...concurrencies)
  return {
    workers: Math.max(1, Math.min(wanted, most)),
    auto,
    cores: whole,
    most,
    busiest,
    basis: known ? 'calibrated' : calibration === 'foreign' ? 'foreign' : 'built-in',
  }
}

function demandOf({ rate }: OpenStep, tokens: number, { requestMs, tokenMs }: LoadCost): Demand {
  return { rate, tokens, processes: (rate * (requestMs + tokens * tokenMs)) / 1000 }
}

function processesFor(demand: number): number {
  // The noise of a product must not make a process.
  return Math.ceil(demand / SIZING_RHO - 1e-9)
}

/** A load that asks more of its load processes than their loops can give. */
export interface Shortfall {
  readonly demand: Demand
  /** Number of load processes that serves it better; null when there are no cores for more. */
  readonly better: number | null
  /** Highest rate of this load that the machine offers, per second; null when `better` is enough. */
  readonly offers: number | null
}

/**
 * Whether the busiest step drives so many load processes beyond the utilisation `rho` from which steps are void; null
 * when it does not. More processes than cores count as one for each core.
 */
export function shortfallOf({ busiest, workers, cores, most }: Sizing, set: number, rho: number): Shortfall | null {
  const running = Math.min(set, cores)
  if (busiest === null || busiest.processes <= rho * running) return null
  const better = workers > set ? workers : null
  const enough = better !== null && busiest.processes <= rho * better
  const offers = enough ? null : (busiest.rate * rho * Math.max(most, running)) / busiest.processes
  return { demand: busiest, better, offers }
}
