import { hostNow } from '../../src/worker/clock.ts'
import { startInstantServer } from './bench-server.ts'
import {
  batchBlock,
  type Block,
  type Contestant,
  instantBlock,
  type Load,
  type Size,
  SWEEP_WORK_MS,
  sweepBlock,
} from './blocks.ts'
import type { BenchClient } from './clients/bench-client.ts'
import { closedLoopRate } from './clients/vitest-slo.ts'
import { type Row, rowOf, type Run } from './row.ts'

export interface Experiment {
  readonly rows: readonly Row[]
  /** Replies per second of one slowed load process at full speed: rho 1 of the sweep. */
  readonly capacity: number
  /** Why runs were void, and what failed, each once. */
  readonly notes: readonly string[]
}

/** Requests in flight while the capacity is measured: the loop has always something to do. */
const CAPACITY_CONCURRENCY = 16
/** Shortest time in which the capacity is measured, s: the compiler is still at work in the first second. */
const CAPACITY_S = 3

/**
 * The paper's experiment: clients that say they measure a server, against servers that keep a ledger. Whatever is
 * compared takes turns within a round; every round begins with new processes and other arrivals.
 *
 * @param commands programs found on the PATH, of k6, oha and wrk
 */
export async function runExperiment(
  size: Size,
  commands: readonly string[],
  log: (line: string) => void,
): Promise<Experiment> {
  const capacity = await capacityOf(size)
  log(`one load process with ${SWEEP_WORK_MS} ms of work per token: ${Math.round(capacity)} replies/s at full speed`)
  const blocks = [instantBlock(size, commands), sweepBlock(size, capacity), batchBlock(size)]
  const runs = new Map<Load, Map<string, Run[]>>()
  const notes = new Set<string>()
  for (let round = 0; round < size.rounds; round++) {
    for (const block of blocks) {
      await runBlock(block, round, (load, run) => {
        const { told } = run
        const ofLoad = runs.get(load) ?? new Map<string, Run[]>()
        runs.set(load, ofLoad)
        ofLoad.set(told.client, [...(ofLoad.get(told.client) ?? []), run])
        for (const note of told.notes) notes.add(`${load.name}, ${told.client}: ${note}`)
        log(`round ${round + 1}, ${load.name}: ${told.client}`)
      })
    }
  }
  const rows = [...runs].flatMap(([load, ofLoad]) => {
    const { name, level, rate, offered } = load
    return [...ofLoad.values()].map((all) => rowOf({ load: name, level, offered: offered ? rate : null }, all))
  })
  return { rows, capacity, notes: [...notes] }
}

async function capacityOf({ sweepSeconds }: Size): Promise<number> {
  const server = await startInstantServer(0)
  try {
    const workload = { rate: 1, seconds: Math.max(CAPACITY_S, sweepSeconds), tokens: 1, workMs: SWEEP_WORK_MS, seed: 0 }
    return await closedLoopRate(workload, CAPACITY_CONCURRENCY, server)
  } finally {
    await server.close()
  }
}

async function runBlock(block: Block, round: number, tell: (load: Load, run: Run) => void): Promise<void> {
  const { contestants } = block
  const seed = round + 1
  const server = await block.startServer()
  const clients = new Map<Contestant, BenchClient>()
  try {
    for (const contestant of contestants) {
      const client = await contestant.start(server, seed)
      clients.set(contestant, client)
      const seconds = contestant.warmUpSeconds
      if (seconds !== null) await client.run({ ...contestant.loads[0]!, seconds, seed: 0 }, server)
    }
    // Every load once, in the order in which the contestants name them; who begins changes with the round.
    const order = round % 2 === 0 ? contestants : contestants.toReversed()
    for (const load of new Set(contestants.flatMap(({ loads }) => loads))) {
      for (const contestant of order) {
        if (!contestant.loads.includes(load)) continue
        const from = hostNow()
        const told = await clients.get(contestant)!.run({ ...load, seed }, server)
        const served = load.offered ? await server.served(from, hostNow()) : null
        for (const one of told) tell(load, { told: one, served })
      }
    }
  } finally {
    for (const client of clients.values()) await client.close()
    await server.close()
  }
}
