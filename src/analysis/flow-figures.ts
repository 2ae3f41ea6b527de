import { SpecError } from '../model/errors.ts'
import type { Figures } from '../model/figures.ts'
import type { StepProfile, StepRecord, Window } from '../model/profile.ts'
import { type Quantity, quantity } from '../model/quantity.ts'
import { FAILURE_KINDS, FAILURE_LABEL, type FailureKind } from '../model/request.ts'
import { failuresOf } from './counts.ts'
import type { CountEvidence, PlainEvidence, RateEvidence, Scope, ShareEvidence } from './evidence.ts'
import { onTimeShare } from './punctuality.ts'
import { windowSeconds } from './window.ts'

/** Latencies are known to a microsecond. */
const GRAIN_MS = 0.001

/** What a set of figures is of: one step, or several added. */
export interface Part {
  readonly record: StepRecord
  readonly steps: readonly StepProfile[]
  /** `20 req/s`; absent for the merged figures. */
  readonly step?: string
}

/**
 * Rates per second: totals over the summed windows, which leave out the ramps. Null where nothing was scheduled in
 * them. The nominal rate is the arrivals declared over the time declared; null when a step is of the closed loop.
 */
export function rateFigures(part: Part, scope: Scope): Figures['rate'] {
  const rate = rateMaker(part, scope)
  const { nominal, requests } = nominalRate(part.steps)
  const evidence: PlainEvidence = { kind: 'plain', scope, value: nominal, reason: 'a closed loop has no nominal rate' }
  return {
    nominal: quantity({ ...naming(part, 'nominal rate'), unit: '/s', value: nominal, samples: requests }, evidence),
    offered: rate('offered rate', (window) => window.arrivals),
    achieved: rate('achieved rate', (window) => window.completions),
  }
}

/**
 * Throughput of successful replies, per second, over the same windows. Null for tokens where no reply had any: one
 * without output is a failure, so these are of an api that has no tokens (`http`).
 */
export function throughputFigures(part: Part, scope: Scope): Figures['throughput'] {
  const rate = rateMaker(part, scope)
  const tokensOf = ({ inputTokens, outputTokens }: Pick<Window, 'inputTokens' | 'outputTokens'>) =>
    inputTokens + outputTokens
  const hasTokens = [part.record, ...part.steps.map((step) => step.window)].some((told) => tokensOf(told) > 0)
  const tokenRate = hasTokens || part.record.counts.completed === 0 ? rate : rateMaker({ ...part, steps: [] }, scope)
  return {
    requests: rate('request throughput', (window) => window.completions),
    inputTokens: tokenRate('input token throughput', (window) => window.inputTokens),
    outputTokens: tokenRate('output token throughput', (window) => window.outputTokens),
    totalTokens: tokenRate('total token throughput', tokensOf),
  }
}

/**
 * Good requests per second of the steps, and their share of all scheduled requests.
 *
 * @throws SpecError without objectives.
 */
export function goodputFigures(part: Part, scope: Scope, objectives: boolean): Figures['goodput'] {
  const { counts } = part.record
  if (!objectives) {
    const message = 'goodput needs objectives, the limits that make a request good: give slo() the option objectives'
    throw new SpecError('goodput', [{ path: 'objectives', message }])
  }
  // Where no load process lived to tell, there is no count of good requests: no data.
  const { good, goodLessClient } = part.record
  const told = good !== null && goodLessClient !== null
  const planned = told ? counts.planned : 0
  const [least, most] = told ? [good, goodLessClient] : [0, 0]
  const seconds = part.steps.reduce((sum, step) => sum + step.durationMs, 0) / 1000
  const perSecond = (count: number) => (planned === 0 || seconds === 0 ? null : count / seconds)
  const might = perSecond(most)
  const rate: RateEvidence = {
    kind: 'rate',
    scope,
    requests: planned,
    seen: perSecond(least),
    most: might === null ? null : might * slowedBy(part),
    onTime: onTimeShare(part.record),
  }
  const ratio: ShareEvidence = { kind: 'share', scope, requests: planned, least, most }
  const value = planned === 0 ? null : least / planned
  return {
    rate: quantity({ ...naming(part, 'goodput'), unit: '/s', value: rate.seen, samples: planned }, rate),
    ratio: quantity({ ...naming(part, 'goodput ratio'), unit: 'ratio', value, samples: planned }, ratio),
  }
}

/** Requests without a successful reply: their number, share of all scheduled, and number by kind. Null when nothing was scheduled. */
export function errorFigures(part: Part, scope: Scope): Figures['errors'] {
  const { counts, byKind } = part.record
  const { planned } = counts
  const failures = failuresOf(counts)
  const count = (metric: string, value: number): Quantity<'count'> =>
    quantity({ ...naming(part, metric), unit: 'count', value: planned === 0 ? null : value, samples: planned }, {
      kind: 'count',
      scope,
      requests: planned,
      count: value,
    } satisfies CountEvidence)
  const share: ShareEvidence = { kind: 'share', scope, requests: planned, least: failures, most: failures }
  const ratio = planned === 0 ? null : failures / planned
  return {
    count: count('error count', failures),
    ratio: quantity({ ...naming(part, 'error ratio'), unit: 'ratio', value: ratio, samples: planned }, share),
    byKind: Object.fromEntries(
      FAILURE_KINDS.map((kind) => [kind, count(`error count (${FAILURE_LABEL[kind]})`, byKind[kind] ?? 0)]),
    ) as Record<FailureKind, Quantity<'count'>>,
  }
}

function rateMaker(part: Part, scope: Scope): (metric: string, of: (window: Window) => number) => Quantity<'/s'> {
  const seconds = part.steps.reduce((sum, step) => sum + windowSeconds(step.window), 0)
  const total = (of: (window: Window) => number) => part.steps.reduce((sum, step) => sum + of(step.window), 0)
  const arrivals = total((window) => window.arrivals)
  const slowed = slowedBy(part)
  return (metric, of) => {
    const value = arrivals === 0 || seconds === 0 ? null : total(of) / seconds
    const evidence: RateEvidence = {
      kind: 'rate',
      scope,
      requests: arrivals,
      seen: value,
      most: value === null ? null : value * slowed,
      onTime: onTimeShare(part.record),
    }
    return quantity({ ...naming(part, metric), unit: '/s', value, samples: arrivals }, evidence)
  }
}

/**
 * How many times more might have been done without the client's own delays, in which the slots of a closed loop were
 * not free: 1 + mean client delay / the server's own mean E2E (least). 1 in an open loop, and where there is no reply.
 */
function slowedBy({ steps, record: { latency, least } }: Part): number {
  const [seen, server] = [latency.e2e.mean, least.e2e.mean]
  if (seen === null || server === null || steps.every(({ step }) => step.kind === 'open')) return 1
  return 1 + (seen - server) / Math.max(server, GRAIN_MS)
}

function nominalRate(steps: readonly StepProfile[]): { nominal: number | null; requests: number } {
  let requests = 0
  let seconds = 0
  for (const { step } of steps) {
    if (step.kind === 'closed') return { nominal: null, requests: 0 }
    requests += step.rate * (step.durationMs / 1000)
    seconds += step.durationMs / 1000
  }
  return { nominal: seconds === 0 ? null : requests / seconds, requests: Math.round(requests) }
}

function naming(part: Part, metric: string) {
  return { metric, statistic: 'value', ...(part.step === undefined ? {} : { step: part.step }) }
}
