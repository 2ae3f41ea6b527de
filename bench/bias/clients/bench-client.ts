import type { BenchServer } from '../bench-server.ts'
import type { SampleSummary } from '../sample-summary.ts'
import type { Workload } from '../workload.ts'

/** What one client tells of one run. Null is what it cannot tell. */
export interface Told {
  /** How the figures are named: a client that measures in two ways tells two. */
  readonly client: string
  /** Replies per second. */
  readonly achieved: number
  /** Share of requests sent within 5 ms of the instant at which they were due. */
  readonly onTime: number | null
  /** End-to-end latency as the client measures it. */
  readonly e2e: SampleSummary
  /** Utilisation of the (busiest) event loop, 0..1. */
  readonly rho: number | null
  /** Mean wait of a request in the client by Pollaczek-Khinchine, ms: at the send and at the reply. */
  readonly modelledMs: number | null
  /** The same wait as the client itself has observed it, ms. */
  readonly observedMs: number | null
  /** CPU time of the client per reply, us. */
  readonly cpuUs: number | null
  /** Share of the requests without a complete reply: the latencies above are those of the others. */
  readonly unanswered: number
  /** Why its own figures must not be used: empty when it says that they may; null when it does not judge. */
  readonly voids: readonly string[] | null
  /** What else is to be said of the run, for the console. */
  readonly notes: readonly string[]
}

/** A client that stands ready for runs. */
export interface BenchClient {
  run(workload: Workload, server: BenchServer): Promise<readonly Told[]>
  close(): Promise<void>
}
