import { SIZING_RHO } from '../model/plan.ts'
import { trim } from '../model/units.ts'

/** What there is to offer load with. */
export interface Instrument {
  /** Load processes. */
  readonly workers: number
  /** Cores that can be used, may be a fraction. */
  readonly cores: number
  /** Requests per second at which the client ends; null when that is not known. */
  readonly limit: number | null
}

/**
 * What to do about load processes that reached a utilisation: as many workers as bring it to 0.5, as far as the cores
 * go with one left to the rest; where there are none to add, less load, or another machine.
 */
export function mendOf(rho: number, { workers, cores, limit }: Instrument): string {
  const spare = Math.max(1, Math.floor(cores) - 1)
  // One more at least: who was late without being busy had too much to do at a time.
  const wanted = Math.max(workers + 1, Math.ceil((workers * rho) / SIZING_RHO - 1e-9))
  const machine = `this machine has ${trim(cores)} ${cores === 1 ? 'core' : 'cores'}`
  if (wanted <= spare) return `${machine}: set workers to ${wanted}`
  if (spare > workers) return `${machine}: set workers to ${spare}, or offer less`
  const less = limit === null ? 'offer less' : `offer at most about ${trim(Number(limit.toPrecision(2)))} req/s`
  return `${machine}, none left for more workers: use one with more, or ${less}`
}
