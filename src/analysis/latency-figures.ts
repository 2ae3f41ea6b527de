import type { Latencies } from '../model/figures.ts'
import {
  GAP_METRICS,
  type GapMetric,
  type Metric,
  METRIC_LABEL,
  METRICS,
  SENT_METRICS,
  type SentMetric,
} from '../model/metric.ts'
import type { Distribution, StepRecord } from '../model/profile.ts'
import { type Quantity, quantity } from '../model/quantity.ts'
import { failuresOf } from './counts.ts'
import type { MeanEvidence, PercentileEvidence, Scope } from './evidence.ts'
import { lazily } from './lazy.ts'
import { percentileAbove, percentileInterval, type Ranked, requestsOf } from './ranked.ts'

/** The requests that latency figures are of. */
export interface LatencySource {
  readonly record: StepRecord
  /** `20 req/s`; absent for the merged figures. */
  readonly step?: string
  readonly scope: Scope
  /** Of `sendLag`, the instrument's own: nothing bars it. */
  readonly clientScope: Scope
  /** Whether a saturated step is among them: its percentiles grow with its length, so that they have no interval. */
  readonly saturated: boolean
}

/** Which statistic: a percentile (0 is the minimum, 100 the maximum) or the mean. */
export type Statistic = { readonly name: string; readonly percent: number } | { readonly name: 'mean' }

/** A percentile by its number: 99.9 is `p99.9`; 0 and 100 are `min` and `max`. */
export function percentileStatistic(percent: number): Statistic {
  const name = percent === 0 ? 'min' : percent === 100 ? 'max' : `p${percent}`
  return { name, percent }
}

/** One statistic of every latency. Percentiles are nearest rank, with failures ranked above every reply. */
export function latenciesOf(source: LatencySource, statistic: Statistic): Latencies {
  const seen = keyed(METRICS, (metric) => () => figureOf(source, statistic, metric, false))
  const fromSent = keyed(SENT_METRICS, (metric) => () => figureOf(source, statistic, metric, true))
  return lazily<Latencies>({ ...seen, fromSent: () => lazily(fromSent) })
}

function figureOf(source: LatencySource, statistic: Statistic, metric: Metric, sent: boolean): Quantity<'ms'> {
  const { record } = source
  const scheduled = rankedOf(record, metric)
  const of = (samples: Distribution): Ranked => ({ ...scheduled, samples })
  const seen = sent && isSent(metric) ? of(record.fromSent[metric]) : scheduled
  const evidence = {
    scope: metric === 'sendLag' ? source.clientScope : source.scope,
    seen,
    // The send lag is in neither: what is left is the same from the scheduled instant and from the sent one.
    least: metric === 'sendLag' ? null : of(record.least[metric]),
    most: isGap(metric) ? of(record.most[metric]) : null,
  }
  const figure = {
    metric: METRIC_LABEL[metric] + (sent ? ' from sent' : ''),
    statistic: statistic.name,
    unit: 'ms' as const,
    samples: requestsOf(seen),
    ...(source.step === undefined ? {} : { step: source.step }),
  }
  if (!('percent' in statistic)) {
    return quantity({ ...figure, value: seen.samples.mean }, { kind: 'mean', ...evidence } satisfies MeanEvidence)
  }
  const { percent } = statistic
  const value = percentileAbove(seen, percent)
  const extreme = percent === 0 || percent === 100
  const interval = extreme || source.saturated || value === null ? {} : { interval: percentileInterval(seen, percent) }
  return quantity({ ...figure, value, ...interval }, {
    kind: 'percentile',
    percent,
    ...evidence,
  } satisfies PercentileEvidence)
}

/**
 * The samples of a metric and the requests they are of. Failures count where the metric applies to some reply, or to
 * none because there is none. The send lag is of all sent requests, failed ones too: no request lacks it.
 */
function rankedOf(record: StepRecord, metric: Metric): Ranked {
  const samples = record.latency[metric]
  if (metric === 'sendLag') return { samples, replies: samples.count, failures: 0 }
  const perReply = metric !== 'itl' && metric !== 'icl'
  const { completed } = record.counts
  const replies = perReply || samples.count === 0 ? samples.count : completed - record.notApplicable[metric]
  const applies = replies > 0 || completed === 0
  return { samples, replies, failures: applies ? failuresOf(record.counts) : 0 }
}

function isSent(metric: Metric): metric is SentMetric {
  return (SENT_METRICS as readonly Metric[]).includes(metric)
}

function isGap(metric: Metric): metric is GapMetric {
  return (GAP_METRICS as readonly Metric[]).includes(metric)
}

function keyed<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>
}
