import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import type { VoidReason, WorkerAudit } from '../../src/model/audit.ts'
import { METRICS, type Metric } from '../../src/model/metric.ts'
import { DEFAULT_LIMITS, type Plan } from '../../src/model/plan.ts'
import type {
  Distribution,
  FailureExample,
  Profile,
  StepProfile,
  StepRecord,
  Sustain,
} from '../../src/model/profile.ts'
import { FAILURE_LABEL, type FailureKind, outcomeOf } from '../../src/model/request.ts'
import { type Step, stepLabel } from '../../src/model/step.ts'
import type { AssertionRecord } from '../../src/model/verdict.ts'
import type { ReportInput } from '../../src/report/report.ts'

/** What a sample step is like: replies whose latencies are spread evenly from `low` to `high` ms, and failures. */
export interface SampleStep {
  readonly step: Step
  readonly replies: number
  readonly ttft?: readonly [low: number, high: number]
  readonly e2e?: readonly [low: number, high: number]
  readonly failures?: Partial<Record<FailureKind, number>>
  readonly failureMessage?: string
  readonly stream?: boolean
  readonly withoutUsage?: number
  readonly good?: number
  readonly rho?: number
  readonly sendLag?: readonly [low: number, high: number]
  readonly sustain?: Sustain
  readonly voids?: readonly VoidReason[]
}

/** Output tokens of every sample reply. */
const TOKENS = 64
/** For how long every read of a sample reply may have lain unread, ms. */
const READ_DELAY = 0.1
/** Waits of a load process's sample canaries, ms. */
const CANARIES = [0.05, 0.06, 0.08, 0.3]

export function openStep(rate: number, seconds = 30): Step {
  return { kind: 'open', rate, durationMs: seconds * 1000, requests: Math.round(rate * seconds) }
}

export function closedStep(concurrency: number, seconds = 30): Step {
  return { kind: 'closed', concurrency, durationMs: seconds * 1000, requests: null }
}

export function sustain(state: Sustain['state'], reason = `the backlog is ${state}`): Sustain {
  return { state, growth: 0.01, growthLow: 0, growthHigh: 0.02, reason }
}

export function samplePlan(steps: readonly Step[], changes: Partial<Plan> = {}): Plan {
  return {
    name: 'chat',
    spec: 'load/chat.slo.ts',
    seed: 1234,
    target: {
      api: 'openai-chat',
      method: 'POST',
      url: 'http://127.0.0.1:8000/v1/chat/completions',
      model: 'llama-3-8b',
      headers: { authorization: 'Bearer sk-very-secret' },
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
      embedded: false,
    },
    load: { kind: 'list', steps },
    arrivals: 'poisson',
    prompts: { kind: 'synthetic', inputTokens: 128, outputTokens: TOKENS },
    objectives: {},
    attainment: 0.99,
    workers: 2,
    warmupMs: 2000,
    settleMs: 30_000,
    timeouts: { connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 },
    maxInFlight: 20_000,
    limits: DEFAULT_LIMITS,
    ...changes,
  }
}

/** A profile of these steps: consistent counts, bins of one second, real histograms. */
export function sampleProfile(steps: readonly SampleStep[], changes: Partial<Profile> = {}): Profile {
  const records = steps.map(recordOf)
  let startedMs = 0
  const profiles = steps.map((sample, index) => {
    const profile = stepProfile(sample, index, startedMs, records[index]!.record)
    startedMs += profile.durationMs
    return profile
  })
  const total = addRecords(records)
  const lag = total.latency.sendLag
  return {
    loadKind: 'list',
    steps: profiles,
    total,
    saturation: null,
    usable: null,
    objectives: total.good !== null,
    attainment: 0.99,
    breaches: [],
    client: {
      workers: 2,
      rho: Math.max(0, ...profiles.flatMap((step) => step.audits.map((audit) => audit.rhoMean))),
      sendLagP99: lag.count === 0 ? null : rank(lag, 99),
      biasObserved: lag.mean === null ? null : lag.mean + total.canary.mean!,
      biasModelled: 0.02,
      floor: lag.count === 0 ? null : { p50: rank(lag, 50) + 0.06, p99: rank(lag, 99) + 0.3 },
      limit: lag.count === 0 ? null : 1940,
    },
    ...changes,
  }
}

export function sampleInput(
  steps: readonly SampleStep[],
  changes: {
    plan?: Partial<Plan>
    profile?: Partial<Profile>
    assertions?: readonly AssertionRecord[]
    notes?: readonly string[]
  } = {},
): ReportInput {
  const { plan, profile, assertions = [], notes = [] } = changes
  return {
    plan: samplePlan(
      steps.map((sample) => sample.step),
      plan,
    ),
    profile: sampleProfile(steps, profile),
    assertions,
    notes,
    startedAt: '2026-11-29T15:00:00.000Z',
    host: { platform: 'linux', arch: 'x64', cpu: 'Some CPU @ 2.60GHz', cores: 2, memoryGiB: 8 },
    versions: { 'vitest-slo': '0.1.0', node: '24.21.0', vitest: '5.1.2' },
  }
}

type Histograms = Record<Metric, LatencyHistogram>

interface Recorded {
  readonly record: StepRecord
  /** As measured, from sent, at least and at most. */
  readonly all: readonly [latency: Histograms, fromSent: Histograms, least: Histograms, most: Histograms]
}

function rank(histogram: Distribution, percent: number): number {
  return histogram.valueAtRank(Math.ceil((percent * histogram.count) / 100))!
}

function recordOf(sample: SampleStep): Recorded {
  const { replies, failures = {}, stream = true, sendLag = [0.05, 0.4] } = sample
  const all = [emptyHistograms(), emptyHistograms(), emptyHistograms(), emptyHistograms()] as const
  const [latency, fromSent, least, most] = all
  for (let i = 0; i < replies; i++) {
    const share = replies === 1 ? 0 : i / (replies - 1)
    const at = ([low, high]: readonly [number, number]) => low + share * (high - low)
    const lag = at(sendLag)
    const e2e = at(sample.e2e ?? [300, 400])
    const ttft = Math.min(e2e, at(sample.ttft ?? [20, 50]))
    latency.sendLag.record(lag)
    for (const [histograms, earlier] of [
      [latency, 0],
      [fromSent, lag],
      [least, lag + READ_DELAY],
    ] as const) {
      histograms.e2e.record(Math.max(0, e2e - earlier))
      histograms.ntpot.record(Math.max(0, e2e - earlier) / TOKENS)
      if (!stream) continue
      histograms.ttft.record(Math.max(0, ttft - earlier))
      histograms.ttfo.record(Math.max(0, ttft - earlier))
    }
    if (!stream) continue
    const gap = (e2e - ttft) / (TOKENS - 1)
    for (const [histograms, delay] of [
      [latency, 0],
      [least, -2 * READ_DELAY],
      [most, 2 * READ_DELAY],
    ] as const) {
      histograms.tpot.record(Math.max(0, gap + delay / (TOKENS - 1)))
      histograms.itl.record(Math.max(0, gap + delay), TOKENS - 1)
      histograms.icl.record(Math.max(0, gap + delay), TOKENS - 1)
    }
  }
  const kinds = Object.entries(failures) as [FailureKind, number][]
  const count = (wanted: (kind: FailureKind) => boolean) =>
    kinds.reduce((sum, [kind, n]) => sum + (wanted(kind) ? n : 0), 0)
  const unsent = count((kind) => kind === 'unsent')
  const lost = count((kind) => kind !== 'unsent')
  if (lost > 0) latency.sendLag.record(sendLag[1], lost)
  const outcome = (name: string) => count((kind) => kind !== 'unsent' && outcomeOf(kind) === name)
  const sent = replies + lost
  const unsuited = (metric: Metric) => (stream || ['e2e', 'ntpot', 'sendLag'].includes(metric) ? 0 : replies)
  const record: StepRecord = {
    counts: {
      planned: sent + unsent,
      sent,
      unsent,
      completed: replies,
      failed: outcome('failed'),
      timedOut: outcome('timed-out'),
      aborted: outcome('aborted'),
    },
    byKind: failures,
    examples: kinds.map(([kind, n]): FailureExample => ({
      kind,
      status: kind === 'http' ? 503 : null,
      count: n,
      message: sample.failureMessage ?? `${FAILURE_LABEL[kind]} (sample)`,
    })),
    latency,
    fromSent,
    least,
    most,
    notApplicable: Object.fromEntries(METRICS.map((metric) => [metric, unsuited(metric)])) as Record<Metric, number>,
    withoutUsage: sample.withoutUsage ?? 0,
    outputTokens: replies * TOKENS,
    inputTokens: replies * 128,
    good: sample.good ?? null,
    goodLessClient: sample.good ?? null,
    onTime: sent,
    canary: histogramOf([...CANARIES, ...CANARIES]),
  }
  return { record, all }
}

function stepProfile(sample: SampleStep, index: number, startedMs: number, record: StepRecord): StepProfile {
  const { step, rho = 0.12 } = sample
  const durationMs = step.durationMs ?? 30_000
  const seconds = Math.max(1, Math.ceil(durationMs / 1000))
  const spread = (total: number) => {
    const even = Math.floor(total / seconds)
    return Array.from({ length: seconds }, (_, i) => (i === seconds - 1 ? total - even * (seconds - 1) : even))
  }
  const { planned, completed, sent } = record.counts
  const fromMs = durationMs / 10
  const inWindow = (total: number) => Math.round(total * 0.9)
  return {
    index,
    step,
    label: stepLabel(step),
    startedMs,
    durationMs,
    record,
    bins: {
      widthMs: 1000,
      arrivals: spread(planned),
      ends: spread(planned),
      completions: spread(completed),
      outputTokens: spread(record.outputTokens),
      inputTokens: spread(record.inputTokens),
    },
    seconds: [
      {
        second: 0,
        arrivals: spread(planned)[0]!,
        completed: spread(completed)[0]!,
        errors: 0,
        inFlight: 3,
        ttftP50: record.latency.ttft.min,
        ttftP99: record.latency.ttft.max,
        e2eP50: record.latency.e2e.min,
        e2eP99: record.latency.e2e.max,
        rho,
        sendLagP99: record.latency.sendLag.max,
        sendLagMax: record.latency.sendLag.max,
      },
    ],
    audits: [0, 1].map((worker) => auditOf(worker, rho, sent, durationMs)),
    dead: [],
    server: null,
    machine: { throttledMs: 0, throttledPeriods: 0, stealMs: null },
    window: {
      fromMs,
      toMs: durationMs,
      arrivals: inWindow(planned),
      completions: inWindow(completed),
      outputTokens: inWindow(record.outputTokens),
      inputTokens: inWindow(record.inputTokens),
    },
    voids: sample.voids ?? [],
    sustain: step.kind === 'closed' ? null : (sample.sustain ?? sustain('stable')),
  }
}

function auditOf(worker: number, rho: number, sent: number, elapsedMs: number): WorkerAudit {
  const sendLag = { sendLagP50: 0.1, sendLagP99: 0.4, sendLagMax: 0.4 }
  const canary = { canaries: 4, canaryMean: 0.1225, canaryMax: 0.3 }
  return {
    worker,
    pid: 4000 + worker,
    seconds: [{ rho, cpu: rho + 0.05, gcMs: 1.2, ...sendLag, positionMax: 0.09, ...canary }],
    rhoMean: rho * (1 - worker / 10),
    stallMs: 1.5,
    events: sent * TOKENS,
    elapsedMs,
    cpuMs: rho * elapsedMs,
    gc: { pauses: 3, totalMs: 4.5, longestMs: 2 },
    mostInFlight: 12,
    unsent: 0,
    sendLag: histogramOf([0.1, 0.1, 0.4]),
    position: histogramOf([0, 0.01, 0.09]),
    canary: histogramOf(CANARIES),
  }
}

function addRecords(recorded: readonly Recorded[]): StepRecord {
  const [latency, fromSent, least, most] = [0, 1, 2, 3].map((which) => {
    const total = emptyHistograms()
    for (const { all } of recorded) for (const metric of METRICS) total[metric].add(all[which]![metric])
    return total
  }) as [Histograms, Histograms, Histograms, Histograms]
  const records = recorded.map((one) => one.record)
  const sum = (pick: (record: StepRecord) => number) => records.reduce((total, record) => total + pick(record), 0)
  const sums = <K extends string>(keys: readonly K[], pick: (record: StepRecord, key: K) => number) =>
    Object.fromEntries(keys.map((key) => [key, sum((record) => pick(record, key))])) as Record<K, number>
  const kinds = [...new Set(records.flatMap((record) => Object.keys(record.byKind) as FailureKind[]))]
  const good = records.every((record) => record.good !== null) && records.length > 0 ? sum((r) => r.good!) : null
  return {
    counts: sums(
      ['planned', 'sent', 'unsent', 'completed', 'failed', 'timedOut', 'aborted'],
      (record, key) => record.counts[key],
    ),
    byKind: sums(kinds, (record, kind) => record.byKind[kind] ?? 0),
    examples: records.flatMap((record) => record.examples),
    latency,
    fromSent,
    least,
    most,
    notApplicable: sums(METRICS, (record, metric) => record.notApplicable[metric]),
    withoutUsage: sum((record) => record.withoutUsage),
    outputTokens: sum((record) => record.outputTokens),
    inputTokens: sum((record) => record.inputTokens),
    good,
    goodLessClient: good,
    onTime: sum((record) => record.onTime),
    canary: histogramOf(records.flatMap(() => [...CANARIES, ...CANARIES])),
  }
}

function histogramOf(values: readonly number[]): LatencyHistogram {
  const histogram = new LatencyHistogram(2)
  for (const value of values) histogram.record(value)
  return histogram
}

function emptyHistograms(): Histograms {
  return Object.fromEntries(METRICS.map((metric) => [metric, new LatencyHistogram()])) as Histograms
}
