import { LatencyHistogram } from '../metrics/histogram.ts'
import type { WorkerAudit } from '../model/audit.ts'
import type { StepResult } from '../worker/messages.ts'

/** What one load process told of itself and its share of a step. */
export function auditOf({ audit, recording }: StepResult): WorkerAudit {
  const unsent = recording.failures.filter(({ kind }) => kind === 'unsent').reduce((sum, { count }) => sum + count, 0)
  return {
    ...audit,
    unsent,
    sendLag: LatencyHistogram.fromData(recording.distributions.latency.sendLag),
    position: LatencyHistogram.fromData(audit.position),
    canary: LatencyHistogram.fromData(recording.canary),
  }
}
