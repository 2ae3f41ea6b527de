import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import type { Machine, MachineUse } from '../model/machine.ts'
import { countOf, cpuCgroup, cpuQuota, cpuThrottling, type ReadText } from './cgroup.ts'

/** One tick of `/proc/stat`, ms: USER_HZ is 100 on every platform that Node runs on. */
const TICK_MS = 10

/**
 * What this machine gives: CPUs online within the affinity, and the CPU quota of the cgroup, of version 1 or 2. Other
 * platforms than Linux have Node's `availableParallelism` alone.
 *
 * Not to be trusted where a quota lies outside what a container can see: then `MachineUse` cannot show it either.
 *
 * @param parallelism of this process by Node: whole cores, at least 1. Node takes a quota into it too, rounded down.
 */
export function readMachine(read: ReadText = readOrNull, parallelism = availableParallelism()): Machine {
  const cgroup = cpuCgroup(read)
  const quota = cgroup === null ? null : cpuQuota(cgroup, read)
  const cpus = affinity(read) ?? parallelism
  const cores = Math.min(cpus, quota ?? cpus)
  // Below what rounding explains, Node knows of a bound that is not in these files.
  if (parallelism < Math.floor(cores)) return { cpus: parallelism, quota, cores: parallelism }
  return { cpus, quota, cores }
}

/** CPUs that are online and in this process's affinity; null where that is not told. */
function affinity(read: ReadText): number | null {
  const allowed = cpuList(/^Cpus_allowed_list:\s*(.*)$/m.exec(read('/proc/self/status') ?? '')?.[1])
  if (allowed === null) return null
  // The affinity may name CPUs that the host has not, or not yet.
  const online = cpuList(read('/sys/devices/system/cpu/online')?.trim())
  const both = online === null ? [...allowed] : [...allowed].filter((cpu) => online.has(cpu))
  return both.length === 0 ? null : both.length
}

/** The CPUs of a list such as `0-3,8`; null when it is none. */
function cpuList(text: string | undefined): Set<number> | null {
  const cpus = new Set<number>()
  for (const range of (text ?? '').split(',')) {
    const [, first, last = first] = /^(\d{1,5})(?:-(\d{1,5}))?$/.exec(range) ?? []
    if (first === undefined) return null
    for (let cpu = Number(first); cpu <= Number(last); cpu++) cpus.add(cpu)
  }
  return cpus
}

/** The machine's running totals at one instant, as `MachineUse` counts them. */
export interface MachineCounters extends MachineUse {
  /** Directory of the cgroup whose throttling was read; null without one. */
  readonly cgroup: string | null
}

/** Reads the totals: a handful of small files, about 0.1 ms. Not to be done in a load process. */
export function readCounters(read: ReadText = readOrNull): MachineCounters {
  const cgroup = cpuCgroup(read)
  const throttling = cgroup === null ? null : cpuThrottling(cgroup, read)
  // "cpu", then ticks of user, nice, system, idle, iowait, irq, softirq, steal, each over all CPUs.
  const steal = countOf(/^cpu +(.*)$/m.exec(read('/proc/stat') ?? '')?.[1]?.split(' ')[7])
  return {
    cgroup: cgroup?.directories[0] ?? null,
    throttledMs: throttling?.ms ?? null,
    throttledPeriods: throttling?.periods ?? null,
    stealMs: Number.isNaN(steal) ? null : steal * TICK_MS,
  }
}

/**
 * What the machine took between two readings. Never negative: a figure is null where one reading has it not, where its
 * counter went backwards (the container was moved, or the host), and, for throttling, where the cgroup is another.
 */
export function usedBetween(from: MachineCounters, to: MachineCounters): MachineUse {
  const throttledMs = grown(from.throttledMs, to.throttledMs)
  const throttledPeriods = grown(from.throttledPeriods, to.throttledPeriods)
  const same = from.cgroup === to.cgroup && throttledMs !== null && throttledPeriods !== null
  return {
    throttledMs: same ? throttledMs : null,
    throttledPeriods: same ? throttledPeriods : null,
    stealMs: grown(from.stealMs, to.stealMs),
  }
}

function grown(from: number | null, to: number | null): number | null {
  return from === null || to === null || to < from ? null : to - from
}

/** The text of a file that may not be there; null then. */
export function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Other platforms have no such file, and sandboxes hide some; what cannot be read is not known.
    return null
  }
}
