import type { Plan } from '../model/plan.ts'
import { trim } from '../model/units.ts'
import { type Demand, type Sizing, shortfallOf } from '../spec/workers.ts'
import { counted, grouped } from './digits.ts'

/** Digits of a rate that is an estimate. */
const ESTIMATED_DIGITS = 2

const BASIS: Readonly<Record<Sizing['basis'], { readonly brief: string; readonly whole: string }>> = {
  calibrated: { brief: 'calibrated', whole: 'as calibrated' },
  'built-in': {
    brief: 'not calibrated',
    whole: 'not calibrated, by built-in figures: npx vitest-slo calibrate measures this machine',
  },
  foreign: {
    brief: 'not calibrated',
    whole:
      'not calibrated, by built-in figures, since the calibration was measured on another machine or version: ' +
      'npx vitest-slo calibrate measures this one',
  },
}

/** What stands behind the number of load processes where costs have decided it: ` (auto, calibrated)`; else nothing. */
export function sizedBy({ workers }: Pick<Plan, 'workers'>, { auto, busiest, basis }: Sizing): string {
  if (!auto || busiest === null || workers === 1) return ''
  return ` (auto, ${BASIS[basis].brief})`
}

/**
 * That a load asks more than so many load processes, or this machine, can offer, by which figures, and what to do;
 * null when it does not. `rho` is the utilisation from which a step is void.
 */
export function shortfallText(sizing: Sizing, workers: number, rho: number): string | null {
  const shortfall = shortfallOf(sizing, workers, rho)
  if (shortfall === null) return null
  const { demand, better, offers } = shortfall
  const asks = `asks about ${processesText(demand)} at ${demandText(demand)}`
  const set = better === null ? '' : `, ${workers} ${workers === 1 ? 'is' : 'are'} set: use workers: ${better}`
  const most = `this machine (${counted(sizing.cores, 'core')}) offers about`
  const offered =
    offers === null ? '' : `${better === null ? ', and' : ';'} ${most} ${estimated(offers)} req/s of this load`
  return `${asks}${set}${offered} (${BASIS[sizing.basis].whole})`
}

/** `1.9 load processes' worth`. */
export function processesText({ processes }: Demand): string {
  return `${trim(Number(processes.toPrecision(ESTIMATED_DIGITS)))} load processes' worth`
}

/** `4,000 req/s x 64 tokens`, `4,000 req/s` without streamed tokens. */
export function demandText({ rate, tokens }: Demand): string {
  const shown = rate >= 1000 ? grouped(rate) : trim(rate)
  return `${shown} req/s${tokens === 0 ? '' : ` x ${counted(tokens, 'token')}`}`
}

/** A rate that is an estimate, in two digits: `2,300`. */
export function estimated(rate: number): string {
  const rounded = Number(rate.toPrecision(ESTIMATED_DIGITS))
  return rounded >= 1000 ? grouped(rounded) : trim(rounded)
}
