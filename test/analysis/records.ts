import type { AuditSecond, WorkerAudit } from '../../src/model/audit.ts'
import type { MachineUse } from '../../src/model/machine.ts'
import {
  GAP_METRICS,
  type GapMetric,
  METRICS,
  type Metric,
  SENT_METRICS,
  type SentMetric,
  SERVER_METRICS,
  type ServerMetric,
} from '../../src/model/metric.ts'
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

interface GivenRecord extends Omit<Partial<StepRecord>, 'latency' | 'fromSent' | 'least' | 'most' | 'notApplicable'> {
  readonly latency?: Partial<Record<Metric, Distribution>>
  readonly fromSent?: Partial<Record<SentMetric, Distribution>>
  readonly least?: Partial<Record<ServerMetric, Distribution>>
  readonly most?: Partial<Record<GapMetric, Distribution>>
  readonly notApplicable?: Partial<Record<Metric, number>>
}

/**
 * A record with empty distributions where none is given, by a client without a part of its own: from the sent instant,
 * at least and at most they are those from the scheduled one, save where given.
 */
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
    goodLessClient: null,
    onTime: counts.sent,
    canary: empty,
    ...given,
    counts,
    latency,
    fromSent: { ...chosen(SENT_METRICS, latency), ...given.fromSent },
    least: { ...chosen(SERVER_METRICS, latency), ...given.least },
    most: { ...chosen(GAP_METRICS, latency), ...given.most },
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
    machine: UNTOLD,
    ...given,
  }
}

const UNTOLD: MachineUse = { throttledMs: null, throttledPeriods: null, stealMs: null }

/** A load process over a step of 10 s: idle, in time, but for what is given. `rho` is of its seconds, one each. */
export function auditOf({
  rho,
  ...given
}: Partial<WorkerAudit> & { readonly rho?: readonly number[] } = {}): WorkerAudit {
  return {
    worker: 0,
    pid: 123,
    seconds: (rho ?? Array.from({ length: 10 }, () => 0.2)).map(secondOf),
    rhoMean: 0.2,
    stallMs: 5,
    events: 1000,
    elapsedMs: 10_000,
    cpuMs: 2500,
    gc: { pauses: 4, totalMs: 6, longestMs: 2 },
    mostInFlight: 3,
    unsent: 0,
    sendLag: distributionOf([0.1]),
    position: distributionOf([0.02]),
    canary: distributionOf([0.1]),
    ...given,
  }
}

function secondOf(rho: number): AuditSecond {
  const sendLag = { sendLagP50: 0.1, sendLagP99: 0.1, sendLagMax: 0.1 }
  return { rho, cpu: 0.25, gcMs: 0.6, ...sendLag, positionMax: 0.02, canaries: 100, canaryMean: 0.1, canaryMax: 0.1 }
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
    client: {
      workers: 1,
      rho: 0.1,
      sendLagP99: 0.5,
      biasObserved: 0.1,
      biasModelled: 0.02,
      floor: { p50: 0.05, p99: 0.6 },
      limit: 1700,
    },
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
      method: 'POST',
      url: 'http://127.0.0.1/',
      model: null,
      headers: {},
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
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

function chosen<K extends Metric>(keys: readonly K[], from: Record<Metric, Distribution>): Record<K, Distribution> {
  return Object.fromEntries(keys.map((key) => [key, from[key]])) as Record<K, Distribution>
}

function keyed<K extends string, V>(keys: readonly K[], value: V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, value])) as Record<K, V>
}
