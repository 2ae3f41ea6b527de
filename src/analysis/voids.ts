import type { VoidReason, WorkerAudit } from '../model/audit.ts'
import type { MachineUse } from '../model/machine.ts'
import type { Limits } from '../model/plan.ts'
import type { StepRun } from '../model/profile.ts'
import { stepLabel } from '../model/step.ts'
import { formatValue } from '../model/units.ts'
import { type Instrument, mendOf } from './mend.ts'
import { isLate, onTimeShare } from './punctuality.ts'

/** Share of an embedded server's writes that may be late. */
const LATE_WRITES = 0.01

/**
 * Why a step's figures must not be used: requests lost, a load process that died, stood still or was too busy,
 * failures of the client's own making, an embedded server that was late. Empty for a sound step.
 *
 * Requests that were not sent because `maxInFlight` was reached are the server's failures while the client is healthy;
 * with a client that was too busy, or late with its requests, they void the step.
 *
 * @param instrument what there is to mend it with.
 */
export function voidsOf(run: StepRun, limits: Limits, instrument: Instrument): VoidReason[] {
  const at = `at ${stepLabel(run.step)}`
  return [
    ...run.dead.map((dead) => ({
      check: 'dead-process' as const,
      message: `load process ${dead.worker + 1} (pid ${dead.pid}) died ${at}: ${dead.reason}; its requests are lost, run again`,
    })),
    ...lostRequests(run, at),
    // One that is too busy stands still as well: what to do about that is told first.
    ...busy(run, limits, at, instrument),
    ...run.audits.flatMap((audit) => stalled(audit, limits, at, run.machine)),
    ...unsent(run, limits, at, instrument),
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

function stalled(audit: WorkerAudit, limits: Limits, at: string, machine: MachineUse): VoidReason[] {
  if (audit.stallMs <= limits.stallMs) return []
  const message =
    `load process ${audit.worker + 1} (pid ${audit.pid}) stood still for ${formatValue(audit.stallMs, 'ms')} ${at}, ` +
    `the limit is ${formatValue(limits.stallMs, 'ms')}${taken(machine)}: leave more of the machine to it`
  return [{ check: 'stall', message }]
}

function busy(run: StepRun, limits: Limits, at: string, instrument: Instrument): VoidReason[] {
  const tooBusy = run.audits.filter(({ seconds }) => {
    const busySeconds = seconds.filter(({ rho }) => rho >= limits.rho).length
    return busySeconds >= Math.max(2, limits.busySeconds * seconds.length)
  })
  if (tooBusy.length === 0) return []
  const rho = Math.max(...tooBusy.map(highestRho))
  const longest = Math.max(...tooBusy.map(({ seconds }) => seconds.filter((s) => s.rho >= limits.rho).length))
  const of = Math.max(...tooBusy.map(({ seconds }) => seconds.length))
  const message =
    `${processes(tooBusy.length, run.audits.length)} reached rho ${rho.toFixed(2)} ${at} (${longest} of ${of} s at or above ` +
    `the limit of ${limits.rho})${taken(run.machine)}; ${mendOf(rho, instrument)}`
  return [{ check: 'rho', message }]
}

function unsent(run: StepRun, limits: Limits, at: string, instrument: Instrument): VoidReason[] {
  const count = run.record.counts.unsent
  if (count === 0) return []
  const rho = Math.max(0, ...run.audits.map(highestRho))
  const late = isLate(run.record)
  if (rho < limits.rho && !late) return []
  const why = late
    ? `only ${formatValue(onTimeShare(run.record) ?? 0, 'ratio')} of the others were sent on time, the limit is 99 %`
    : `a load process was at rho ${rho.toFixed(2)}, the limit is ${limits.rho}`
  const message = `${requests(count)} could not be sent ${at}, as many in flight as maxInFlight allows, while ${why}; ${mendOf(rho, instrument)}`
  return [{ check: 'in-flight', message }]
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

function highestRho({ seconds }: WorkerAudit): number {
  return Math.max(0, ...seconds.map(({ rho }) => rho))
}

/** What the machine withheld, where that is known and more than a tenth of a second. */
function taken({ throttledMs, stealMs }: MachineUse): string {
  const parts: string[] = []
  if ((throttledMs ?? 0) > 100) parts.push(`its CPU quota throttled it for ${formatValue(throttledMs!, 'ms')}`)
  if ((stealMs ?? 0) > 100) parts.push(`the host gave ${formatValue(stealMs!, 'ms')} of its CPU to others`)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function requests(count: number): string {
  return count === 1 ? '1 request' : `${count} requests`
}

function processes(count: number, of: number): string {
  if (of === 1) return 'the load process'
  return count === of ? `all ${of} load processes` : `${count} of ${of} load processes`
}
