import type { Second } from '../model/profile.ts'
import { LatencyHistogram } from './histogram.ts'
import type { SecondCounts } from './second.ts'

/** One second of a step as one load process saw it. Plain data. */
export interface SecondDelta extends SecondCounts {
  readonly worker: number
  /** Number of the delta within its load process: tells a delta that comes twice. */
  readonly sequence: number
  /** Seconds from the step's start: 0, 1, 2, ... */
  readonly second: number
  /** Utilisation of the load process's event loop in that second, 0..1. */
  readonly rho: number
}

interface Merged {
  arrivals: number
  completed: number
  errors: number
  rho: number
  readonly sendLag: LatencyHistogram
  readonly ttft: LatencyHistogram
  readonly e2e: LatencyHistogram
  /** In flight by load process, of its latest delta. */
  readonly inFlight: Map<number, { readonly sequence: number; readonly count: number }>
}

/** A step's series of seconds over all load processes. Deltas may come in any order, and more than once. */
export class Series {
  readonly #seen = new Set<string>()
  readonly #seconds = new Map<number, Merged>()
  /** In flight by load process, of its latest delta. */
  readonly #inFlight = new Map<number, { readonly sequence: number; readonly count: number }>()
  #newest = -1
  #errors = 0

  /** Failures of any kind so far. */
  get errors(): number {
    return this.#errors
  }

  /**
   * Arrivals of the newest second so far, and requests in flight by each load process's last word; null before the
   * first delta. For progress: costs nothing however long the series is.
   */
  get latest(): { readonly arrivals: number; readonly inFlight: number } | null {
    const newest = this.#seconds.get(this.#newest)
    if (newest === undefined) return null
    return {
      arrivals: newest.arrivals,
      inFlight: [...this.#inFlight.values()].reduce((sum, { count }) => sum + count, 0),
    }
  }

  /** Adds a delta; false when it was added before, which changes nothing. */
  add(delta: SecondDelta): boolean {
    const { worker, sequence } = delta
    const name = `${worker} ${sequence}`
    if (this.#seen.has(name)) return false
    this.#seen.add(name)
    const merged = this.#at(delta.second)
    this.#errors += delta.errors
    if ((this.#inFlight.get(worker)?.sequence ?? -1) < sequence) {
      this.#inFlight.set(worker, { sequence, count: delta.inFlight })
    }
    this.#newest = Math.max(this.#newest, delta.second)
    merged.arrivals += delta.arrivals
    merged.completed += delta.completed
    merged.errors += delta.errors
    merged.rho = Math.max(merged.rho, delta.rho)
    merged.sendLag.merge(delta.sendLag)
    merged.ttft.merge(delta.ttft)
    merged.e2e.merge(delta.e2e)
    const known = merged.inFlight.get(worker)
    if (known === undefined || known.sequence < sequence) {
      merged.inFlight.set(worker, { sequence, count: delta.inFlight })
    }
    return true
  }

  /**
   * The seconds of which there is a delta, ascending. Counts are summed, percentiles are of the merged histograms
   * (within 1 %), rho is the worst load process's. A load process without a delta in a second still
   * has in flight what it had before.
   */
  toSeconds(): Second[] {
    const inFlight = new Map<number, number>()
    return [...this.#seconds]
      .sort(([a], [b]) => a - b)
      .map(([second, merged]) => {
        for (const [worker, { count }] of merged.inFlight) inFlight.set(worker, count)
        return {
          second,
          arrivals: merged.arrivals,
          completed: merged.completed,
          errors: merged.errors,
          inFlight: [...inFlight.values()].reduce((sum, count) => sum + count, 0),
          ttftP50: percentile(merged.ttft, 50),
          ttftP99: percentile(merged.ttft, 99),
          e2eP50: percentile(merged.e2e, 50),
          e2eP99: percentile(merged.e2e, 99),
          rho: merged.rho,
          sendLagP99: percentile(merged.sendLag, 99),
          sendLagMax: merged.sendLag.max,
        }
      })
  }

  #at(second: number): Merged {
    let merged = this.#seconds.get(second)
    if (merged === undefined) {
      const [sendLag, ttft, e2e] = [new LatencyHistogram(2), new LatencyHistogram(2), new LatencyHistogram(2)]
      merged = { arrivals: 0, completed: 0, errors: 0, rho: 0, sendLag, ttft, e2e, inFlight: new Map() }
      this.#seconds.set(second, merged)
    }
    return merged
  }
}

/** Nearest rank; percent x count is whole, so its division by 100 is exact where the rank is. */
function percentile(histogram: LatencyHistogram, percent: number): number | null {
  return histogram.valueAtRank(Math.ceil((histogram.count * percent) / 100))
}
