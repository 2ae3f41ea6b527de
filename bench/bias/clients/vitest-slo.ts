import { profileOf } from '../../../src/analysis/profile.ts'
import { seededRandom } from '../../../src/arrivals/random.ts'
import type { Plan } from '../../../src/model/plan.ts'
import type { Distribution, StepProfile } from '../../../src/model/profile.ts'
import type { Step } from '../../../src/model/step.ts'
import type { LoadPool } from '../../../src/pool/load-pool.ts'
import { startProcessPool } from '../../../src/pool/process-pool.ts'
import { runPlan } from '../../../src/pool/run-plan.ts'
import { hostNow } from '../../../src/worker/clock.ts'
import { planFor } from '../../offered-load.ts'
import type { BenchServer } from '../bench-server.ts'
import { cpuMs } from '../cpu-time.ts'
import type { Workload } from '../workload.ts'
import type { BenchClient, Told } from './bench-client.ts'
import { startSlowedPool } from './slowed-pool.ts'

const SIGNAL = new AbortController().signal
/** A request waits for the loop twice: to be sent, and when its reply has come. The model gives one wait. */
const WAITS = 2

/** vitest-slo's own load processes, its own run of a plan and its own analysis. Slowed where tokens cost work. */
export async function startVitestSlo(workers: number, workload: Workload, server: BenchServer): Promise<BenchClient> {
  const pool = await startPool(planOf(workload, workers, server), workload.workMs)
  const client = `vitest-slo, ${workers} load process${workers === 1 ? '' : 'es'}`
  return {
    async run(offered, target) {
      const plan = planOf(offered, workers, target)
      const before = await cpuOf(pool)
      const { profile, breaches } = await profileRun(plan, pool, target)
      const used = (await cpuOf(pool)) - before
      return [toldOf(client, profile.steps[0]!, profile.client, breaches, used)]
    },
    close: () => pool.close(),
  }
}

/**
 * Replies per second of one load process with `concurrency` requests always in flight: of its best second, since
 * whatever else the machine does only takes away from it.
 */
export async function closedLoopRate(workload: Workload, concurrency: number, server: BenchServer): Promise<number> {
  const step: Step = { kind: 'closed', concurrency, durationMs: workload.seconds * 1000, requests: null }
  const plan: Plan = { ...planOf(workload, 1, server), load: { kind: 'list', steps: [step] }, warmupMs: 1500 }
  const pool = await startPool(plan, workload.workMs)
  try {
    const { seconds } = (await profileRun(plan, pool, server)).profile.steps[0]!
    return Math.max(...seconds.map(({ completed }) => completed))
  } finally {
    await pool.close()
  }
}

function planOf({ rate, tokens, seconds, seed }: Workload, workers: number, server: BenchServer): Plan {
  return { ...planFor({ rate, tokens, seconds, workers, itlMs: 0 }, server.url, seed), warmupMs: 0 }
}

function startPool(plan: Plan, workMs: number): Promise<LoadPool> {
  return workMs === 0 ? startProcessPool(plan, SIGNAL) : startSlowedPool(plan, workMs)
}

async function profileRun(plan: Plan, pool: LoadPool, server: BenchServer) {
  const quiet = () => undefined
  const { runs, total, breaches } = await runPlan(plan, {
    pool,
    now: hostNow,
    signal: SIGNAL,
    writesBetween: (fromMs, toMs) => server.writesBetween(fromMs, toMs),
    onProgress: quiet,
    onStep: quiet,
  })
  return { profile: profileOf(plan, runs, total, breaches, seededRandom(plan.seed)), breaches }
}

function toldOf(
  client: string,
  step: StepProfile,
  audit: ReturnType<typeof profileOf>['client'],
  breaches: readonly string[],
  usedMs: number,
): Told {
  const { record, voids } = step
  const { e2e } = record.latency
  return {
    client,
    achieved: rateOf(step),
    onTime: record.onTime / record.counts.planned,
    e2e: { meanMs: e2e.mean, p99Ms: rank(e2e, 0.99) },
    rho: audit.rho,
    modelledMs: audit.biasModelled === null ? null : WAITS * audit.biasModelled,
    // Mean send lag and mean wait of the canaries: what the audit itself calls the observed bias.
    observedMs: audit.biasObserved,
    cpuUs: Number.isNaN(usedMs) ? null : (usedMs * 1000) / record.counts.completed,
    unanswered: 1 - record.counts.completed / record.counts.planned,
    voids: [...breaches.map(() => 'run invalid'), ...new Set(voids.map(({ check }) => check))],
    notes: [...breaches, ...voids.map(({ message }) => message)],
  }
}

function rateOf({ window }: StepProfile): number {
  return (window.completions * 1000) / (window.toMs - window.fromMs)
}

function rank(samples: Distribution, share: number): number | null {
  return samples.valueAtRank(Math.max(1, Math.ceil(samples.count * share)))
}

/** CPU time of all load processes, ms; NaN where the system does not tell. */
async function cpuOf(pool: LoadPool): Promise<number> {
  const all = await Promise.all(pool.processes.map(({ pid }) => cpuMs(pid)))
  return all.reduce<number>((sum, ms) => sum + (ms ?? Number.NaN), 0)
}
