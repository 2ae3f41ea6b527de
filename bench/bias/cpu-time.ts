import { readFile } from 'node:fs/promises'

/** Kernel ticks are 10 ms on every Linux that Node supports. */
const TICK_MS = 10

/** CPU time of a process with all its threads, ms, in steps of 10; null where /proc does not tell. */
export async function cpuMs(pid: number): Promise<number | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  if (stat === null) return null
  // The name, in brackets, may hold anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS
}
