import { SpecError } from '../model/errors.ts'
import type { ClientFigures, Figures, RunFigures, StepFigures } from '../model/figures.ts'
import type { Profile, StepProfile } from '../model/profile.ts'
import { quantity } from '../model/quantity.ts'
import type { Unit } from '../model/units.ts'
import { OPEN_SCOPE, type PlainEvidence, type Scope } from './evidence.ts'
import { errorFigures, goodputFigures, type Part, rateFigures, throughputFigures } from './flow-figures.ts'
import { latenciesOf, percentileStatistic } from './latency-figures.ts'
import { lazily, type Makers } from './lazy.ts'
import { saturationFigure, usableFigure } from './rate-figures.ts'
import { findStep } from './step-lookup.ts'
import { saturationClause } from './words.ts'

const MERGED_SWEEP =
  'a sweep passes the saturation point on purpose, so its merged figures say nothing about the server: use at(rate), steps[i] or usable'

/**
 * What the tests of a run receive. Every figure is a quantity, computed when it is first read, that keeps beside it
 * the evidence for `judge`.
 */
export function figuresOf(profile: Profile): RunFigures {
  const scope: Scope = { invalid: profile.breaches, silent: silenceOf(profile), saturation: null }
  const steps = profile.steps.map((step) => stepFigures(profile, step))
  const whole = makersOf(profile, { record: profile.total, steps: profile.steps }, profile.loadKind === 'sweep')
  const makers: Makers<RunFigures> = {
    ...whole,
    steps: () => steps,
    at: () => (declared) => findStep(steps, declared),
    saturation: () => saturationFigure(profile, scope),
    usable: () => usableFigure(profile, scope),
    client: () => clientFigures(profile),
  }
  return lazily(makers, ['goodput', 'saturation', 'usable'])
}

function stepFigures(profile: Profile, step: StepProfile): StepFigures {
  const makers: Makers<StepFigures> = {
    ...makersOf(profile, { record: step.record, steps: [step], step: step.label }, false),
    index: () => step.index,
    label: () => step.label,
    step: () => step.step,
  }
  return lazily(makers, ['goodput'])
}

/** Why latencies and rates say nothing: a run without one successful reply is inconclusive as a whole. */
function silenceOf({ total: { counts } }: Profile): string | null {
  return counts.completed === 0 && counts.planned > 0 ? 'the run had not one successful reply' : null
}

function makersOf(profile: Profile, part: Part, mergedSweep: boolean): Makers<Figures> {
  const invalid = [...profile.breaches, ...part.steps.flatMap((step) => step.voids.map((reason) => reason.message))]
  const sweep = mergedSweep ? MERGED_SWEEP : null
  const silent = sweep ?? silenceOf(profile)
  const open = part.steps.some((step) => step.step.kind === 'open')
  const errors: Scope = { invalid, silent: sweep, saturation: null }
  const rates: Scope = { invalid, silent, saturation: null }
  const objectives: Scope = { invalid, silent, saturation: open ? saturationClause(profile.saturation) : null }

  const source = {
    record: part.record,
    ...(part.step === undefined ? {} : { step: part.step }),
    scope: objectives,
    clientScope: OPEN_SCOPE,
    saturated: part.steps.some((step) => step.sustain?.state === 'saturated'),
  }
  const percentile = (percent: number) => latenciesOf(source, percentileStatistic(percent))
  return {
    p50: () => percentile(50),
    p75: () => percentile(75),
    p90: () => percentile(90),
    p95: () => percentile(95),
    p99: () => percentile(99),
    p999: () => percentile(99.9),
    mean: () => latenciesOf(source, { name: 'mean' }),
    min: () => percentile(0),
    max: () => percentile(100),
    percentile: () => (percent) => percentile(checked(percent)),
    rate: () => rateFigures(part, rates),
    throughput: () => throughputFigures(part, rates),
    goodput: () => goodputFigures(part, objectives, profile.objectives),
    errors: () => errorFigures(part, errors),
  }
}

function checked(percent: number): number {
  if (percent > 0 && percent < 100) return percent
  const message = `a percentile lies between 0 and 100, for example 99.5; use min and max for the ends`
  throw new SpecError(`percentile(${percent})`, [{ path: `percentile(${percent})`, message }])
}

/** The instrument's own figures: judged as they are, whatever else is wrong with the run. */
function clientFigures({ client, steps, total }: Profile): ClientFigures {
  const figure = <U extends Unit>(metric: string, statistic: string, unit: U, value: number | null, samples: number) =>
    quantity({ metric, statistic, unit, value, samples }, {
      kind: 'plain',
      scope: OPEN_SCOPE,
      value,
      reason: 'no request was sent',
    } satisfies PlainEvidence)
  const sent = total.latency.sendLag.count
  const audits = steps.reduce((sum, step) => sum + step.audits.length, 0)
  return {
    rho: figure('client rho', 'value', 'ratio', audits === 0 ? null : client.rho, audits),
    sendLag: figure('client send lag', 'p99', 'ms', client.sendLagP99, sent),
    bias: {
      observed: figure('client bias observed', 'mean', 'ms', client.biasObserved, sent),
      modelled: figure('client bias modelled', 'mean', 'ms', client.biasModelled, sent),
    },
    limit: figure('client limit', 'value', '/s', client.limit, audits),
    workers: figure('client workers', 'value', 'count', client.workers, audits),
  }
}
