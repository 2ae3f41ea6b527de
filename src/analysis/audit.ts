import type { ClientAudit, WorkerAudit } from '../model/audit.ts'
import type { Limits } from '../model/plan.ts'
import type { Distribution, StepRecord, StepRun } from '../model/profile.ts'

/** Utilisation from which the modelled wait says nothing: it grows without bound. */
const MODEL_ENDS = 0.95

/** The instrument over all steps of a run. */
export function clientAudit(runs: readonly StepRun[], total: StepRecord, limits: Limits): ClientAudit {
  const audits = runs.flatMap((run) => run.audits)
  const busiest = audits.toSorted((a, b) => b.rhoMean - a.rhoMean)[0]
  const { canary } = total
  const lag = total.latency.sendLag
  return {
    workers: new Set([...audits, ...runs.flatMap((run) => run.dead)].map(({ worker }) => worker)).size,
    rho: busiest?.rhoMean ?? 0,
    sendLagP99: percentileOf(lag, 99),
    biasObserved: lag.mean === null ? null : lag.mean + (canary.mean ?? 0),
    biasModelled: busiest === undefined ? null : modelledWaitMs(busiest),
    floor: floorOf(lag, canary),
    limit: clientLimit(runs, limits),
  }
}

function floorOf(lag: Distribution, canary: Distribution): ClientAudit['floor'] {
  const [p50, p99] = [percentileOf(lag, 50), percentileOf(lag, 99)]
  if (p50 === null || p99 === null) return null
  return { p50: p50 + (percentileOf(canary, 50) ?? 0), p99: p99 + (percentileOf(canary, 99) ?? 0) }
}

/**
 * Requests per second over all load processes at which the busiest of them reaches the limit of rho, by proportion:
 * rate x limit / rho of the step in which it was busiest. The rate is of the sent requests that ended while that process
 * offered load, which takes longer than the step where it falls behind. Null where nothing ended, or no process told.
 */
function clientLimit(runs: readonly StepRun[], limits: Limits): number | null {
  let limit: number | null = null
  let busiest = 0
  for (const run of runs) {
    for (const { rhoMean, elapsedMs } of run.audits) {
      const rate = endsPerSecond(run, elapsedMs)
      if (rhoMean <= busiest || rate === 0) continue
      busiest = rhoMean
      limit = (rate * limits.rho) / rhoMean
    }
  }
  return limit
}

function endsPerSecond({ bins, record }: StepRun, elapsedMs: number): number {
  const within = Math.floor(elapsedMs / bins.widthMs + 1e-9)
  const ends = bins.ends.slice(0, within).reduce((sum, count) => sum + count, 0)
  // What was never sent ended when it was due, and cost the client nothing.
  const sent = Math.max(0, ends - record.counts.unsent)
  return within === 0 ? 0 : (sent * 1000) / (within * bins.widthMs)
}

function percentileOf(samples: Distribution, percent: number): number | null {
  return samples.valueAtRank(Math.ceil((percent * samples.count) / 100))
}

/**
 * Mean wait of an event at a load process's event loop by Pollaczek-Khinchine, ms:
 * W = rho S (1 + cv^2) / (2 (1 - rho)), S = rho x elapsed / events the mean service time, cv = 1 (service times of
 * reads and arrivals, assumed exponential).
 *
 * A model, never a bound: a server that emits the tokens of all streams at once makes the true wait several times
 * longer. Null without events, or from rho 0.95 on.
 *
 * @see Pollaczek 1930, Khinchine 1932
 */
export function modelledWaitMs({ rhoMean, elapsedMs, events }: WorkerAudit): number | null {
  if (events === 0 || rhoMean >= MODEL_ENDS) return null
  const serviceMs = (rhoMean * elapsedMs) / events
  const cv = 1
  return (rhoMean * serviceMs * (1 + cv * cv)) / (2 * (1 - rhoMean))
}
