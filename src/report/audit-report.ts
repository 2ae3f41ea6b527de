import type { WorkerAudit } from '../model/audit.ts'
import type { Distribution } from '../model/profile.ts'
import type { ReportAudit, ReportDistribution } from '../model/report.ts'

/** A load process's audit as the report keeps it: distributions as their figures and a histogram. */
export function auditReport({ sendLag, position, canary, ...audit }: WorkerAudit): ReportAudit {
  return {
    ...audit,
    sendLag: distributionReport(sendLag),
    position: distributionReport(position),
    canary: distributionReport(canary),
  }
}

function distributionReport(samples: Distribution): ReportDistribution {
  const { count, mean, max } = samples
  const percentile = (percent: number) => samples.valueAtRank(Math.ceil((percent * count) / 100))
  return { count, mean, p50: percentile(50), p99: percentile(99), max, histogram: samples.encode() }
}
