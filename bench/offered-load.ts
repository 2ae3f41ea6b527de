/**
 * What the whole load path adds: load processes, metronome, client and loopback against the embedded server on the
 * same cores.
 *
 *   npx node bench/offered-load.ts [rate] [tokens] [seconds] [load processes] [inter-token latency, ms] [runs]
 *
 * Prints one row a run and the medians. E2E is from the scheduled instant; "added" is E2E less what the server
 * planned. A run in which the embedded server was late or a step void says so.
 */
import { hostNow } from '../src/worker/clock.ts'
import { seededRandom } from '../src/arrivals/random.ts'
import { profileOf } from '../src/analysis/profile.ts'
import type { Plan } from '../src/model/plan.ts'
import { DEFAULT_LIMITS } from '../src/model/plan.ts'
import type { Distribution, StepProfile } from '../src/model/profile.ts'
import { readMachine } from '../src/pool/machine.ts'
import { startProcessPool } from '../src/pool/process-pool.ts'
import { runPlan } from '../src/pool/run-plan.ts'
import { startSimulator } from '../src/simulator/launch.ts'

export interface OfferedLoad {
  readonly rate: number
  readonly tokens: number
  readonly seconds: number
  readonly workers: number
  readonly itlMs: number
}

/** One run's figures; times in ms. */
export interface OfferedFigures {
  readonly onTime: number
  readonly achieved: number
  readonly lagP50: number
  readonly lagP99: number
  readonly e2eAdded: number
  readonly e2eP99: number
  readonly rho: number
  readonly state: string
  readonly voids: readonly string[]
}

/** The plan of one step at a server. */
export function planFor({ rate, tokens, seconds, workers }: OfferedLoad, baseUrl: string, seed: number): Plan {
  return {
    name: 'bench',
    spec: 'bench',
    seed,
    target: {
      api: 'openai-chat',
      method: 'POST',
      url: `${baseUrl}/chat/completions`,
      model: null,
      headers: {},
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
      embedded: true,
    },
    load: {
      kind: 'list',
      steps: [{ kind: 'open', rate, durationMs: seconds * 1000, requests: Math.round(rate * seconds) }],
    },
    arrivals: 'poisson',
    prompts: { kind: 'synthetic', inputTokens: 128, outputTokens: tokens },
    objectives: {},
    attainment: 0.99,
    workers,
    warmupMs: 2000,
    settleMs: 30_000,
    timeouts: { connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 },
    maxInFlight: 8000,
    limits: DEFAULT_LIMITS,
  }
}

/** Offers one step to an embedded server of its own and tells what it cost. */
export async function offerOnce(load: OfferedLoad, seed: number): Promise<OfferedFigures> {
  const { itlMs } = load
  const server = await startSimulator({ ttftMs: itlMs, itlMs, ledger: 0 })
  const plan = planFor(load, server.url, seed)
  const signal = new AbortController().signal
  const pool = await startProcessPool(plan, signal)
  try {
    const writesBetween = server.writesBetween.bind(server)
    const quiet = () => undefined
    const options = { pool, now: hostNow, signal, writesBetween, onProgress: quiet, onStep: quiet }
    const { runs, total, breaches } = await runPlan(plan, options)
    const profile = profileOf(plan, runs, total, breaches, seededRandom(seed), readMachine().cores)
    return figuresOf(profile.steps[0]!, load, breaches)
  } finally {
    await pool.close()
    await server.close()
  }
}

function figuresOf(step: StepProfile, load: OfferedLoad, breaches: readonly string[]): OfferedFigures {
  const { record, window, audits, sustain } = step
  const plannedMs = load.itlMs * load.tokens
  return {
    onTime: record.onTime / record.counts.planned,
    achieved: (window.completions * 1000) / (window.toMs - window.fromMs),
    lagP50: rank(record.latency.sendLag, 0.5),
    lagP99: rank(record.latency.sendLag, 0.99),
    e2eAdded: (record.latency.e2e.mean ?? Number.NaN) - plannedMs,
    e2eP99: rank(record.latency.e2e, 0.99),
    rho: Math.max(...audits.map((audit) => audit.rhoMean)),
    state: sustain?.state ?? 'none',
    voids: [...breaches, ...step.voids.map((reason) => reason.message)],
  }
}

function rank(samples: Distribution, share: number): number {
  return samples.valueAtRank(Math.max(1, Math.ceil(samples.count * share))) ?? Number.NaN
}

export function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1]!
}

if (import.meta.main) {
  const [rate = 5000, tokens = 1, seconds = 20, workers = 1, itlMs = 0, runs = 1] = process.argv.slice(2).map(Number)
  const all: OfferedFigures[] = []
  for (let run = 0; run < runs; run++) {
    const figures = await offerOnce({ rate, tokens, seconds, workers, itlMs }, run + 1)
    all.push(figures)
    console.log(JSON.stringify(figures))
  }
  const middle = (of: (figures: OfferedFigures) => number) => medianOf(all.map(of))
  console.table({
    'sent on time': middle((run) => run.onTime),
    'achieved /s': middle((run) => run.achieved),
    'send lag p50 ms': middle((run) => run.lagP50),
    'send lag p99 ms': middle((run) => run.lagP99),
    'E2E mean added ms': middle((run) => run.e2eAdded),
    rho: middle((run) => run.rho),
  })
}
