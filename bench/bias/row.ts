import type { Told } from './clients/bench-client.ts'
import type { Served } from './served.ts'

/** One run of one client, and what the server did meanwhile; null where the two are not comparable. */
export interface Run {
  readonly told: Told
  readonly served: Served | null
}

/** One client under one load: medians of its runs. Null is what cannot be told. Times in ms unless named otherwise. */
export interface Row {
  /** The load, as the table names it. */
  readonly load: string
  /** In the sweep: the offered rate as a share of what one load process can do. */
  readonly level: number | null
  readonly client: string
  /** Requests per second. */
  readonly offered: number | null
  readonly achieved: number
  readonly onTime: number | null
  /** E2E mean and p99 above those of the server's ledger. */
  readonly addedMean: number | null
  readonly addedP99: number | null
  readonly rho: number | null
  readonly modelled: number | null
  readonly observed: number | null
  readonly cpuUs: number | null
  /** The client's own judgement of its figures, in a few words. */
  readonly verdict: string
}

/** The row of all runs of one client under one load. */
export function rowOf(load: Pick<Row, 'load' | 'level' | 'offered'>, runs: readonly Run[]): Row {
  const middle = (of: (run: Run) => number | null) => median(runs.map(of))
  return {
    ...load,
    client: runs[0]!.told.client,
    achieved: middle(({ told }) => told.achieved)!,
    onTime: middle(({ told }) => told.onTime),
    addedMean: middle(({ told, served }) => above(told.e2e.meanMs, served?.meanMs)),
    addedP99: middle(({ told, served }) => above(told.e2e.p99Ms, served?.p99Ms)),
    rho: middle(({ told }) => told.rho),
    modelled: middle(({ told }) => told.modelledMs),
    observed: middle(({ told }) => told.observedMs),
    cpuUs: middle(({ told }) => told.cpuUs),
    verdict: verdictOf(
      runs.map(({ told }) => told.voids),
      middle(({ told }) => told.unanswered)!,
    ),
  }
}

function above(client: number | null, server: number | null | undefined): number | null {
  return client === null || server === null || server === undefined ? null : client - server
}

/** Middle value, the upper one of two; null when half of the runs or more have none. */
export function median(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null).toSorted((a, b) => a - b)
  return 2 * known.length <= values.length ? null : known[known.length >> 1]!
}

/** Share of unanswered requests that is worth a word. */
const WORTH_TELLING = 0.005

/**
 * `valid`, `void (rho)`, `void in 2 of 3 (rho, stall)`; of a client that does not judge itself, `no audit`. Then how
 * many requests were not answered, whose latencies are in no figure.
 */
export function verdictOf(voids: readonly (readonly string[] | null)[], unanswered = 0): string {
  const lost = unanswered < WORTH_TELLING ? '' : `, ${(100 * unanswered).toFixed(0)} % unanswered`
  return judgement(voids) + lost
}

function judgement(voids: readonly (readonly string[] | null)[]): string {
  const judged = voids.filter((reasons) => reasons !== null)
  if (judged.length === 0) return 'no audit'
  const broken = judged.filter((reasons) => reasons.length > 0)
  if (broken.length === 0) return 'valid'
  const often = broken.length === judged.length ? 'void' : `void in ${broken.length} of ${judged.length}`
  return `${often} (${[...new Set(broken.flat())].join(', ')})`
}
