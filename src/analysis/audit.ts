import type { Limits } from '../model/plan.ts'
import type { ClientAudit, StepRecord, StepRun, VoidReason, WorkerAudit } from '../model/profile.ts'
import { stepLabel } from '../model/step.ts'
import { formatValue } from '../model/units.ts'

/** Share of an embedded server's writes that may be late. */
const LATE_WRITES = 0.01
/** Utilisation from which the modelled wait says nothing: it grows without bound. */
const MODEL_ENDS = 0.95

/**
 * Why a step's figures must not be used: requests lost, a load process that died, stood still or was too busy,
 * failures of the client's own making, an embedded server that was late. Empty for a sound step.
 *
 * @param cores of the host, so that the advice is not "more workers" where there is no core for one.
 */
export function voidsOf(run: StepRun, limits: Limits, cores?: number): VoidReason[] {
  const at = `at ${stepLabel(run.step)}`
  const mend =
    cores !== undefined && run.audits.length >= cores - 1 ? 'use a machine with more cores' : 'use more workers'
  return [
    ...run.dead.map((dead) => ({
      check: 'dead-process' as const,
      message: `load process ${dead.worker + 1} (pid ${dead.pid}) died ${at}: ${dead.reason}; its requests are lost, run again`,
    })),
    ...lostRequests(run, at),
    ...run.audits.flatMap((audit) => stalled(audit, limits, at)),
    ...run.audits.flatMap((audit) => busy(audit, limits, at, mend)),
    ...clientFailures(run, at),
    ...lateServer(run, at),
  ]
}

/** planned = sent + unsent, and sent = completed + failed + timed out + aborted. */
function lostRequests({ record: { counts } }: StepRun, at: string): VoidReason[] {
  const { planned, sent, unsent, completed, failed, timedOut, aborted } = counts
  const ended = completed + failed + timedOut + aborted
  const told = (missing: number, sums: string): VoidReason => ({
    check: 'lost-requests',
    message: `${requests(Math.abs(missing))} ${missing > 0 ? 'lost' : 'counted too often'} ${at} (${sums}), the limit is 0: run again`,
  })
  const reasons: VoidReason[] = []
  if (planned !== sent + unsent) {
    reasons.push(told(planned - sent - unsent, `${planned} planned, ${sent} sent, ${unsent} unsent`))
  }
  if (sent !== ended) reasons.push(told(sent - ended, `${sent} sent, ${ended} ended`))
  return reasons
}

function stalled(audit: WorkerAudit, limits: Limits, at: string): VoidReason[] {
  if (audit.stallMs <= limits.stallMs) return []
  const message =
    `${nameOf(audit)} stood still for ${formatValue(audit.stallMs, 'ms')} ${at}, ` +
    `the limit is ${formatValue(limits.stallMs, 'ms')}: leave more of the machine to it`
  return [{ check: 'stall', message }]
}

function busy(audit: WorkerAudit, limits: Limits, at: string, mend: string): VoidReason[] {
  const seconds = audit.rho.filter((rho) => rho >= limits.rho)
  if (seconds.length < Math.max(2, limits.busySeconds * audit.rho.length)) return []
  const message =
    `${nameOf(audit)} reached rho ${Math.max(...seconds).toFixed(2)} in ${seconds.length} of ${audit.rho.length} s ${at}, ` +
    `the limit is ${limits.rho}: ${mend}`
  return [{ check: 'rho', message }]
}

function clientFailures({ record }: StepRun, at: string): VoidReason[] {
  const failures = record.byKind.client ?? 0
  if (failures === 0) return []
  const message =
    `${requests(failures)} failed for want of descriptors or ports of the client ${at}, the limit is 0: ` +
    'raise the limit of open files, or lower maxInFlight'
  return [{ check: 'client-failures', message }]
}

function lateServer({ server }: StepRun, at: string): VoidReason[] {
  if (server === null || server.late <= LATE_WRITES * server.writes) return []
  const message =
    `the embedded server was late with ${formatValue(server.late / server.writes, 'ratio')} of its writes ${at} ` +
    `(at worst ${formatValue(server.worstMs, 'ms')}), the limit is ${formatValue(LATE_WRITES, 'ratio')}: ` +
    'offer less, or leave it a core of its own'
  return [{ check: 'late-server', message }]
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`
}

/** Processes are numbered from 1 for people. */
function nameOf(audit: WorkerAudit): string {
  return `load process ${audit.worker + 1} (pid ${audit.pid})`
}

/** The instrument over all steps of a run. */
export function clientAudit(runs: readonly StepRun[], total: StepRecord): ClientAudit {
  const audits = runs.flatMap((run) => run.audits)
  const busiest = audits.toSorted((a, b) => b.rhoMean - a.rhoMean)[0]
  const lag = total.latency.sendLag
  return {
    workers: new Set([...audits, ...runs.flatMap((run) => run.dead)].map(({ worker }) => worker)).size,
    rho: busiest?.rhoMean ?? 0,
    sendLagP99: lag.valueAtRank(Math.ceil((99 * lag.count) / 100)),
    biasObserved: lag.mean,
    biasModelled: busiest === undefined ? null : modelledWaitMs(busiest),
  }
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
