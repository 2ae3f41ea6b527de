import { METRICS, SENT_METRICS, type Metric, type SentMetric } from '../../src/model/metric.ts'
import { DEFAULT_LIMITS, type Plan } from '../../src/model/plan.ts'
import type { Bins, Counts, Distribution, Profile, StepProfile, StepRecord, StepRun } from '../../src/model/profile.ts'
import { stepLabel, type Step } from '../../src/model/step.ts'
import { distributionOf } from './samples.ts'

/** Counts of `planned` requests, all sent and completed but for what is given. */
export function countsOf(planned: number, given: Partial<Counts> = {}): Counts {
  const { failed = 0, timedOut = 0, aborted = 0, unsent = 0 } = given
  const sent = planned - unsent
  return { planned, sent, unsent, completed: sent - failed - timedOut - aborted, failed, timedOut, aborted, ...given }
}

interface GivenRecord extends Omit<Partial<StepRecord>, 'latency' | 'fromSent' | 'notApplicable'> {
  readonly latency?: Partial<Record<Metric, Distribution>>
  readonly fromSent?: Partial<Record<SentMetric, Distribution>>
  readonly notApplicable?: Partial<Record<Metric, number>>
}

/** A record with empty distributions where none is given; from the sent instant they are those from the scheduled one. */
export function recordOf(given: GivenRecord = {}): StepRecord {
  const counts = given.counts ?? countsOf(0)
  const empty = distributionOf([])
  const latency = { ...keyed(METRICS, empty), ...given.latency }
  return {
    byKind: {},
    examples: [],
    withoutUsage: 0,
    outputTokens: 0,
    inputTokens: 0,
    good: null,
    goodFromSent: null,
    onTime: counts.sent,
    ...given,
    counts,
    latency,
    fromSent: {
      ...Object.fromEntries(SENT_METRICS.map((metric) => [metric, latency[metric]])),
      ...given.fromSent,
    } as StepRecord['fromSent'],
    notApplicable: { ...keyed(METRICS, 0), ...given.notApplicable },
  }
}

/** Time bins out of counts; what is not given is zero. */
export function binsOf(widthMs: number, given: Partial<Omit<Bins, 'widthMs'>>): Bins {
  const length = Math.max(0, ...Object.values(given).map((counts) => counts.length))
  const filled = (counts: readonly number[] = []) => Array.from({ length }, (_, i) => counts[i] ?? 0)
  return {
    widthMs,
    arrivals: filled(given.arrivals),
    ends: filled(given.ends ?? given.completions),
    completions: filled(given.completions),
    outputTokens: filled(given.outputTokens),
    inputTokens: filled(given.inputTokens),
  }
}

/** An open-loop step. */
export function openStep(rate: number, durationMs = 10_000): Step {
  return { kind: 'open', rate, durationMs, requests: Math.round((rate * durationMs) / 1000) }
}

/** A closed-loop step. */
export function closedStep(concurrency: number, durationMs = 10_000): Step {
  return { kind: 'closed', concurrency, durationMs, requests: null }
}

/** A run of a step: empty but for what is given. */
export function runOf(step: Step, given: Partial<StepRun> = {}): StepRun {
  return {
    index: 0,
    step,
    startedMs: 0,
    durationMs: step.durationMs ?? 10_000,
    record: recordOf(),
    bins: binsOf(100, {}),
    seconds: [],
    audits: [],
    dead: [],
    server: null,
    ...given,
  }
}

/** The profile of a step: stable and sound but for what is given. */
export function stepProfileOf(step: Step, given: Partial<StepProfile> = {}): StepProfile {
  const run = runOf(step, given)
  return {
    label: stepLabel(step),
    window: { fromMs: 0, toMs: run.durationMs, arrivals: 0, completions: 0, outputTokens: 0, inputTokens: 0 },
    voids: [],
    sustain:
      step.kind === 'closed' ? null : { state: 'stable', growth: 0, growthLow: 0, growthHigh: 0, reason: 'steady' },
    ...run,
    ...given,
  }
}

/** A profile of steps; the total is the first step's record unless given. */
export function profileWith(steps: readonly StepProfile[], given: Partial<Profile> = {}): Profile {
  return {
    loadKind: 'list',
    steps,
    total: steps[0]?.record ?? recordOf(),
    saturation: null,
    usable: null,
    objectives: false,
    attainment: 0.99,
    breaches: [],
    client: { workers: 1, rho: 0.1, sendLagP99: 0.5, biasObserved: 0.1, biasModelled: 0.02 },
    ...given,
  }
}

/** A plan of steps, default in all else. */
export function planOf(steps: readonly Step[], given: Partial<Plan> = {}): Plan {
  return {
    name: 'chat',
    spec: 'chat.slo.ts',
    seed: 1,
    target: {
      api: 'openai-chat',
      url: 'http://127.0.0.1/',
      model: null,
      headers: {},
      body: {},
      stream: true,
      embedded: false,
    },
    load: { kind: 'list', steps },
    arrivals: 'poisson',
    prompts: { kind: 'synthetic', inputTokens: 1, outputTokens: 1 },
    objectives: {},
    attainment: 0.99,
    workers: 1,
    warmupMs: 0,
    settleMs: 0,
    timeouts: { connectMs: 1, firstByteMs: 1, idleMs: 1, totalMs: 1 },
    maxInFlight: 1000,
    limits: DEFAULT_LIMITS,
    ...given,
  }
}

function keyed<K extends string, V>(keys: readonly K[], value: V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>
}
