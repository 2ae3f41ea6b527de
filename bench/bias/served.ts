import type { LedgerRequest } from '../../src/simulator/ledger.ts'
import { type SampleSummary, summaryOf } from './sample-summary.ts'

/** What a server's own ledger says of the replies of one run: time from the request's arrival to the last write. */
export interface Served extends SampleSummary {
  readonly replies: number
}

/** Of the complete replies to requests that arrived in [fromMs, toMs] (host clock). */
export function servedBetween(requests: readonly LedgerRequest[], fromMs: number, toMs: number): Served {
  const times = requests
    .filter(({ arrived, ended }) => ended === 'complete' && arrived >= fromMs && arrived <= toMs)
    .map(({ arrived, actual }) => actual.at(-1)! - arrived)
  return { replies: times.length, ...summaryOf(times) }
}
