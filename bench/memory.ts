/**
 * Resident memory of a load process over a long run (Linux).
 *
 *   npx node bench/memory.ts [minutes] [rate]
 *
 * Prints the memory every ten seconds and, at the end, by how much it grew after the second minute.
 */
import { readFile } from 'node:fs/promises'
import { hostNow } from '../src/worker/clock.ts'
import { startProcessPool } from '../src/pool/process-pool.ts'
import { runPlan } from '../src/pool/run-plan.ts'
import { startSimulator } from '../src/simulator/launch.ts'
import { planFor } from './offered-load.ts'

const PAGE_MB = 4096 / 2 ** 20
const EVERY_MS = 10_000

/** Resident memory in MB, a figure every ten seconds from the load's start. */
export async function memoryOver(minutes: number, rate: number): Promise<number[]> {
  const server = await startSimulator({ ledger: 0 })
  const plan = planFor({ rate, tokens: 1, seconds: minutes * 60, workers: 1, itlMs: 0 }, server.url, 1)
  const signal = new AbortController().signal
  const pool = await startProcessPool(plan, signal)
  const resident: number[] = []
  const sample = async () => {
    const statm = await readFile(`/proc/${pool.processes[0]!.pid}/statm`, 'utf8')
    resident.push(Math.round(Number(statm.split(' ')[1]) * PAGE_MB * 10) / 10)
  }
  const timer = setInterval(() => void sample(), EVERY_MS)
  try {
    const quiet = () => undefined
    await runPlan(plan, { pool, now: hostNow, signal, writesBetween: null, onProgress: quiet, onStep: quiet })
    return resident
  } finally {
    clearInterval(timer)
    await pool.close()
    await server.close()
  }
}

/** How far memory strays upwards after the second minute from where it was then, MB. */
export function growthAfterSecondMinute(resident: readonly number[]): number {
  const [then, ...rest] = resident.slice((2 * 60_000) / EVERY_MS - 1)
  return then === undefined ? Number.NaN : Math.max(0, ...rest) - then
}

if (import.meta.main) {
  const [minutes = 10, rate = 1000] = process.argv.slice(2).map(Number)
  const resident = await memoryOver(minutes, rate)
  console.log(resident.join(' '))
  console.log(`growth after the second minute: ${growthAfterSecondMinute(resident).toFixed(1)} MB`)
}
