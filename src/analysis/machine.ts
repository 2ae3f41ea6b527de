import type { Machine } from '../model/machine.ts'
import { trim } from '../model/units.ts'

/** Cores below which a load process has none for itself: one is Vitest's, or the embedded server's. */
const LEAST_CORES = 2

/** What is wrong with a machine as a place to measure from, a sentence each; empty where nothing is. */
export function machineWarnings({ cpus, quota, cores }: Machine): string[] {
  if (cores >= LEAST_CORES) return []
  const given = quota !== null && quota < cpus ? `a CPU quota of ${coresText(quota)} (cgroup)` : 'one core'
  const effect = cores < 1 ? 'load processes will be throttled' : 'the load process shares it with Vitest'
  return [`${given}: ${effect}, and figures may come out invalid; give it at least ${LEAST_CORES} cores`]
}

function coresText(cores: number): string {
  return cores === 1 ? '1 core' : `${trim(cores)} cores`
}
