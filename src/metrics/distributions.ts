import { METRICS, type Metric, SENT_METRICS, type SentMetric } from '../model/metric.ts'
import type { Trace } from '../model/request.ts'
import { type HistogramData, LatencyHistogram } from './histogram.ts'
import { e2eMs, eachGap, ntpotMs, tpotMs, ttfoMs, ttftMs } from './latencies.ts'

/** All latency distributions of a step as plain data. */
export interface DistributionsData {
  readonly latency: Readonly<Record<Metric, HistogramData>>
  readonly fromSent: Readonly<Record<SentMetric, HistogramData>>
  readonly notApplicable: Readonly<Record<Metric, number>>
}

/** The twelve latency histograms of a step: eight metrics, and four of them from the sent instant too. */
export class Distributions {
  readonly latency: Readonly<Record<Metric, LatencyHistogram>> = keyed(METRICS, () => new LatencyHistogram())
  readonly fromSent: Readonly<Record<SentMetric, LatencyHistogram>> = keyed(SENT_METRICS, () => new LatencyHistogram())
  /** Replies to which a metric does not apply. */
  readonly notApplicable: Record<Metric, number> = keyed(METRICS, () => 0)
  // Made once: a closure for every reply would be garbage on the hot path.
  readonly #icl = (ms: number) => this.latency.icl.record(ms)
  readonly #itl = (ms: number, count: number) => this.latency.itl.record(ms, count)

  /** Counts a successful reply in every metric that applies to it; its send lag is not among them. */
  recordReply(trace: Trace): void {
    const tpot = tpotMs(trace)
    this.#record('ttft', ttftMs(trace))
    this.#record('ttfo', ttfoMs(trace))
    this.#record('tpot', tpot)
    this.#record('ntpot', ntpotMs(trace))
    this.#record('e2e', e2eMs(trace))
    // Both are of the tokens after the first read.
    if (Number.isNaN(tpot)) this.notApplicable.itl++
    if (!trace.streamed || trace.reads < 2) this.notApplicable.icl++
    eachGap(trace, this.#icl, this.#itl)
    this.#recordFromSent('ttft', ttftMs(trace, trace.sent))
    this.#recordFromSent('ttfo', ttfoMs(trace, trace.sent))
    this.#recordFromSent('ntpot', ntpotMs(trace, trace.sent))
    this.#recordFromSent('e2e', e2eMs(trace, trace.sent))
  }

  #record(metric: Metric, ms: number): void {
    if (Number.isNaN(ms)) this.notApplicable[metric]++
    else this.latency[metric].record(ms)
  }

  #recordFromSent(metric: SentMetric, ms: number): void {
    if (!Number.isNaN(ms)) this.fromSent[metric].record(ms)
  }

  merge(data: DistributionsData): void {
    for (const metric of METRICS) {
      this.latency[metric].merge(data.latency[metric])
      this.notApplicable[metric] += data.notApplicable[metric]
    }
    for (const metric of SENT_METRICS) this.fromSent[metric].merge(data.fromSent[metric])
  }

  toData(): DistributionsData {
    return {
      latency: keyed(METRICS, (metric) => this.latency[metric].toData()),
      fromSent: keyed(SENT_METRICS, (metric) => this.fromSent[metric].toData()),
      notApplicable: { ...this.notApplicable },
    }
  }
}

function keyed<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>
}
