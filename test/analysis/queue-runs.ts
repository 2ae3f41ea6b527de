import type { StepRun } from '../../src/model/profile.ts'
import { binsOf, countsOf, openStep, recordOf, runOf } from './records.ts'
import { distributionOf } from './samples.ts'

/** A server of known capacity: G/G/c, first come, first served. */
export interface Server {
  readonly servers: number
  /** Mean service time, ms; the capacity is servers / meanMs x 1000 per second. */
  readonly meanMs: number
  /** Coefficient of variation: 0 constant, 1 exponential, else lognormal. */
  readonly cv: number
}

/** Capacity, per second. */
export function capacityOf({ servers, meanMs }: Server): number {
  return (servers / meanMs) * 1000
}

/**
 * A step of open-loop load on a server that is empty at its start, as the load processes would have recorded it.
 * Written apart from the analysis' own simulation, and simpler, so that the one checks the other.
 */
export function queueRun(
  server: Server,
  rate: number,
  durationMs: number,
  random: () => number,
  arrivals: 'poisson' | 'constant' = 'poisson',
  binMs = durationMs / 200,
): StepRun {
  const step = openStep(rate, durationMs)
  const planned = Math.round((rate * durationMs) / 1000)
  const at = Array.from({ length: planned }, (_, i) =>
    arrivals === 'poisson' ? random() * durationMs : (i * durationMs) / planned,
  ).sort((a, b) => a - b)
  const free: number[] = Array.from({ length: server.servers }, () => 0)
  const ends = at.map((arrival) => {
    const next = free.indexOf(Math.min(...free))
    const end = Math.max(arrival, free[next]!) + serviceMs(server, random)
    free[next] = end
    return end
  })
  const e2e = distributionOf(ends.map((end, i) => end - at[i]!))
  const completions = counted(ends, binMs)
  return runOf(step, {
    record: recordOf({ counts: countsOf(planned), latency: { e2e } }),
    bins: binsOf(binMs, { arrivals: counted(at, binMs), completions, ends: completions }),
  })
}

function counted(instants: readonly number[], binMs: number): number[] {
  const counts: number[] = []
  for (const instant of instants) {
    const bin = Math.floor(instant / binMs)
    while (counts.length <= bin) counts.push(0)
    counts[bin]!++
  }
  return counts
}

function serviceMs({ meanMs, cv }: Server, random: () => number): number {
  if (cv === 0) return meanMs
  if (cv === 1) return -meanMs * Math.log(1 - random())
  const variance = Math.log(1 + cv * cv)
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return meanMs * Math.exp(Math.sqrt(variance) * normal - variance / 2)
}
