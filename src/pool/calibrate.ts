import { LoadError } from '../model/errors.ts'
import type { Calibration } from '../model/calibration.ts'
import { DEFAULT_LIMITS, type Plan } from '../model/plan.ts'
import type { StepRun } from '../model/profile.ts'
import type { Step } from '../model/step.ts'
import { hostNow } from '../worker/clock.ts'
import type { NullReply } from '../worker/null-server-entry.ts'
import { type CostSample, requestSample, tokenSample } from './cost-sample.ts'
import { costAtHalf, type HalfBusyCost, nextRate } from './cost-search.ts'
import { forkNullServer } from './null-server-process.ts'
import { startProcessPool } from './process-pool.ts'
import { runPlan } from './run-plan.ts'

const API = 'openai-chat'
/** Tokens of a stream, and the time between two of them, ms: many streams at once, and a step far longer than one. */
const TOKENS = 64
const GAP_MS = 2

/** Open-loop steps for each figure: the first finds the rate, the others are near it. */
const OPEN_STEPS = 5
/** Time for two starts of all processes and for what lies between the steps, ms (an idle machine takes less). */
const OVERHEAD_MS = 3000
const SHORTEST_STEP_MS = 150

/** Whoever falls behind by more spoils the step; far below the descriptors that one process may have. */
const MAX_IN_FLIGHT = 800
const SETTLE_MS = 3000

/** Longest time over what was asked for, ms: starts, drains, a machine that is busy otherwise. */
const MARGIN_MS = 60_000

/**
 * Measures what one load process costs its event loop, against a null server in a process of its own: a closed loop
 * tells roughly when the loop is full, open-loop steps then seek the rate at which it is half busy, and their
 * utilisation over their rate is the cost. All of it runs through the pool that real runs use.
 *
 * Load process, its metronome and the null server want three cores. With fewer they take time from each other, which
 * counts as the loop's: costs come out higher, and rates lower, than with a server elsewhere.
 *
 * @param seconds about how long it may take
 * @throws {LoadError} when no step was sound, a process died, or it took a minute more than its time
 */
export async function measureLoadCost(
  seconds: number,
): Promise<Pick<Calibration, 'requestMs' | 'tokenMs' | 'limited'>> {
  const bound = new AbortController()
  const timer = setTimeout(
    () => bound.abort(new LoadError(`the calibration was stopped ${MARGIN_MS / 1000} s after its time`)),
    seconds * 1000 + MARGIN_MS,
  )
  const stepMs = Math.max(SHORTEST_STEP_MS, (seconds * 1000 - OVERHEAD_MS) / (2 * (1 + OPEN_STEPS)))
  try {
    const request = await measure({
      reply: { api: API, tokens: 1, gapMs: null },
      concurrency: 32,
      stepMs,
      signal: bound.signal,
      sampleOf: requestSample,
    })
    const token = await measure({
      reply: { api: API, tokens: TOKENS, gapMs: GAP_MS },
      concurrency: 256,
      stepMs,
      signal: bound.signal,
      sampleOf: (run) => tokenSample(run, TOKENS, request.ms),
    })
    const limited: Calibration['limited'] = [
      ...(request.limited ? ['requestMs' as const] : []),
      ...(token.limited ? ['tokenMs' as const] : []),
    ]
    return { requestMs: request.ms, tokenMs: token.ms, limited }
  } finally {
    clearTimeout(timer)
  }
}

/** One figure: what is answered, how much of it is in flight in the closed loop, and how a step is read. */
interface Measurement {
  readonly reply: NullReply
  readonly concurrency: number
  readonly stepMs: number
  readonly signal: AbortSignal
  readonly sampleOf: (run: StepRun) => CostSample
}

/** Cost of one kind of event, from a null server and a load process of its own. */
async function measure({ reply, concurrency, stepMs, signal, sampleOf }: Measurement): Promise<HalfBusyCost> {
  const server = await forkNullServer(reply)
  const gone = new AbortController()
  void server.ended.then((how) => gone.abort(new LoadError(`the null server ended in mid-run: ${how}`)))
  const either = AbortSignal.any([signal, gone.signal])
  try {
    const closed: Step = { kind: 'closed', concurrency, durationMs: stepMs, requests: null }
    const plan = planOf(server.url, reply.tokens, closed)
    const pool = await startProcessPool(plan, either)
    try {
      const offer = async (step: Step): Promise<CostSample> => {
        const { runs, breaches } = await runPlan(
          { ...plan, load: { kind: 'list', steps: [step] } },
          { pool, now: hostNow, signal: either, writesBetween: null, onProgress: quiet, onStep: quiet },
        )
        // A dead load process is a breach, and so is a request that nobody offered.
        if (breaches.length > 0 || runs.length === 0) throw new LoadError(breaches[0] ?? 'a step did not run')
        return sampleOf(runs[0]!)
      }
      const { replyMs, rate } = await offer(closed)
      // Where its cost cannot be told, it was full at the rate that it reached.
      const full = replyMs > 0 && replyMs < Infinity ? 1000 / replyMs : rate
      const samples: CostSample[] = []
      for (let i = 0; i < OPEN_STEPS; i++) samples.push(await offer(openStep(nextRate(full, samples), stepMs)))
      const cost = costAtHalf(samples)
      if (cost === null) throw new LoadError(`no step of the calibration was sound: ${samples.at(-1)!.fault}`)
      return cost
    } finally {
      await pool.close()
    }
  } finally {
    await server.close()
  }
}

function openStep(rate: number, durationMs: number): Step {
  const requests = Math.max(1, Math.round((rate * durationMs) / 1000))
  return { kind: 'open', rate: (requests * 1000) / durationMs, durationMs, requests }
}

function planOf(url: string, outputTokens: number, first: Step): Plan {
  return {
    name: 'calibration',
    spec: 'calibration',
    seed: 1,
    target: {
      api: API,
      method: 'POST',
      url,
      model: null,
      headers: {},
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
      embedded: false,
    },
    load: { kind: 'list', steps: [first] },
    arrivals: 'poisson',
    prompts: { kind: 'synthetic', inputTokens: 128, outputTokens },
    objectives: {},
    attainment: 1,
    workers: 1,
    warmupMs: 0,
    settleMs: SETTLE_MS,
    timeouts: { connectMs: 5000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 10_000 },
    maxInFlight: MAX_IN_FLIGHT,
    limits: DEFAULT_LIMITS,
  }
}

function quiet(): void {}
