import { availableParallelism } from 'node:os'
import { type BenchServer, startInstantServer, startStepServer } from './bench-server.ts'
import { startAutocannon } from './clients/autocannon.ts'
import type { BenchClient } from './clients/bench-client.ts'
import { startFetchScript } from './clients/fetch-script.ts'
import { k6 } from './clients/k6.ts'
import { oha } from './clients/oha.ts'
import { startVitestSlo } from './clients/vitest-slo.ts'
import { wrk } from './clients/wrk.ts'
import type { Workload } from './workload.ts'

/** How much is measured. */
export interface Size {
  readonly rounds: number
  /** Length of a run, s. */
  readonly seconds: number
  /** Length of a run of the sweep, s. */
  readonly sweepSeconds: number
  /** Loads of the sweep, in shares of what one load process can do: for one process, for several, for the script. */
  readonly levels: readonly number[]
  readonly severalLevels: readonly number[]
  readonly scriptLevels: readonly number[]
}

export const FULL: Size = {
  rounds: 3,
  seconds: 5,
  sweepSeconds: 4,
  levels: [0.2, 0.4, 0.6, 0.8, 0.9, 0.95, 1],
  severalLevels: [0.4, 0.8, 0.9, 1],
  scriptLevels: [0.2, 0.4, 0.6, 0.8],
}

export const QUICK: Size = {
  rounds: 1,
  seconds: 2,
  sweepSeconds: 2,
  levels: [0.3, 0.6, 0.9, 1],
  severalLevels: [0.9, 1],
  scriptLevels: [0.3, 0.6],
}

/** Work per token of the sweep, ms: enough to be most of what a request costs, so that rho can be set by the rate. */
export const SWEEP_WORK_MS = 0.5
/** Streams: 200 requests/s x 64 tokens x 20 ms is 256 at a time. */
const BATCHES = { rate: 200, tokens: 64 }
/** Work per token in the second row of batches, ms. */
const BATCH_WORK_MS = 0.02
const WARM_UP_S = 1.5
/** Three times a reply of the streams: below, most of a run is its ramp. */
const LEAST_STREAM_S = 4
/** Longer than a reply, so that as many are under way as will be. */
const STREAM_WARM_UP_S = 2.5

/** A client of a block: started once a round, and idle while the others run. */
export interface Contestant {
  readonly start: (server: BenchServer, seed: number) => Promise<BenchClient>
  readonly loads: readonly Load[]
  /** Without it the client is a program that starts anew for every run. */
  readonly warmUpSeconds: number | null
}

export interface Load extends Omit<Workload, 'seed'> {
  readonly name: string
  readonly level: number | null
  /** False for a client that goes as fast as it can: nothing is offered, and there is no latency to compare. */
  readonly offered: boolean
}

/** Contestants that take turns against one server. */
export interface Block {
  readonly startServer: () => Promise<BenchServer>
  readonly contestants: readonly Contestant[]
}

/**
 * Near-zero latency: the whole reply at once.
 *
 * @param commands programs found on the PATH, of k6, oha and wrk
 */
export function instantBlock({ seconds }: Size, commands: readonly string[]): Block {
  const load = (rate: number): Load => {
    const name = `${rate.toLocaleString('en-GB')} req/s`
    return { name, level: null, rate, seconds, tokens: 1, workMs: 0, offered: true }
  }
  const [slow, fast] = [load(1000), load(5000)]
  const floor: Load = { ...fast, name: 'full speed', offered: false }
  const present = (name: string, contestant: Contestant) => (commands.includes(name) ? [contestant] : [])
  const program = (client: BenchClient, ...loads: Load[]): Contestant => {
    return { start: async () => client, loads, warmUpSeconds: null }
  }
  return {
    startServer: () => startInstantServer(ledgerFor(fast)),
    contestants: [
      vitestSlo(1, [slow, fast]),
      ...several().map((workers) => vitestSlo(workers, [fast])),
      { start: () => startFetchScript(), loads: [slow, fast], warmUpSeconds: WARM_UP_S },
      { start: () => startAutocannon(), loads: [slow, fast], warmUpSeconds: WARM_UP_S },
      ...present('k6', program(k6(), slow, fast)),
      ...present('oha', program(oha(), slow, fast)),
      ...present('wrk', program(wrk(), floor)),
    ],
  }
}

/** From an idle loop to a saturated one: artificial work per token sets rho. */
export function sweepBlock(size: Size, capacity: number): Block {
  const loads = size.levels.map((level): Load => {
    const rate = Math.round(level * capacity)
    const name = `rho ${level}`
    return { name, level, rate, seconds: size.sweepSeconds, tokens: 1, workMs: SWEEP_WORK_MS, offered: true }
  })
  const at = (levels: readonly number[]) => loads.filter(({ level }) => levels.includes(level!))
  return {
    startServer: () => startInstantServer(ledgerFor(loads.at(-1)!)),
    contestants: [
      vitestSlo(1, loads),
      ...several().map((workers) => vitestSlo(workers, at(size.severalLevels))),
      { start: () => startFetchScript(), loads: at(size.scriptLevels), warmUpSeconds: WARM_UP_S },
    ],
  }
}

/** The tokens of 256 streams, written together every 20 ms. */
export function batchBlock({ sweepSeconds }: Size): Block {
  const seconds = Math.max(LEAST_STREAM_S, sweepSeconds)
  const plain: Load = { ...BATCHES, name: 'batches', level: null, seconds, workMs: 0, offered: true }
  const slowed: Load = { ...plain, name: `batches, ${BATCH_WORK_MS * 1000} us/token`, workMs: BATCH_WORK_MS }
  return {
    startServer: startStepServer,
    contestants: [
      vitestSlo(1, [plain], STREAM_WARM_UP_S),
      { start: () => startFetchScript(), loads: [plain], warmUpSeconds: STREAM_WARM_UP_S },
      vitestSlo(1, [slowed], STREAM_WARM_UP_S),
      vitestSlo(2, [slowed], STREAM_WARM_UP_S),
    ],
  }
}

function vitestSlo(workers: number, loads: readonly Load[], warmUpSeconds = WARM_UP_S): Contestant {
  return { start: (server, seed) => startVitestSlo(workers, { ...loads[0]!, seed }, server), loads, warmUpSeconds }
}

/** Two load processes, and as many as `auto` would take where that is more. */
function several(): number[] {
  const auto = availableParallelism() - 1
  return auto > 2 ? [2, auto] : [2]
}

/** Requests that the ledger must keep: those of one run, and some to spare for clients that send more. */
function ledgerFor({ rate, seconds }: Load): number {
  return Math.round(1.5 * rate * seconds)
}
