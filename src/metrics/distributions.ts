import {
  GAP_METRICS,
  type GapMetric,
  METRICS,
  type Metric,
  SENT_METRICS,
  SERVER_METRICS,
  type SentMetric,
  type ServerMetric,
} from '../model/metric.ts'
import type { Trace } from '../model/request.ts'
import { eachGap, type GapSink } from './gaps.ts'
import { type HistogramData, LatencyHistogram } from './histogram.ts'
import {
  e2eMs,
  leastE2eMs,
  leastTtfoMs,
  leastTtftMs,
  ntpotMs,
  tpotDelayMs,
  tpotMs,
  ttfoMs,
  ttftMs,
} from './latencies.ts'

/** All latency distributions of a step as plain data. */
export interface DistributionsData {
  readonly latency: Readonly<Record<Metric, HistogramData>>
  readonly fromSent: Readonly<Record<SentMetric, HistogramData>>
  readonly least: Readonly<Record<ServerMetric, HistogramData>>
  readonly most: Readonly<Record<GapMetric, HistogramData>>
  readonly notApplicable: Readonly<Record<Metric, number>>
}

/**
 * The latency histograms of a step: eight metrics as measured, four of them from the sent instant too, and beside
 * them what the server can have taken at least, and of differences of two stamps at most.
 */
export class Distributions {
  readonly #latency = keyed(METRICS, () => new LatencyHistogram())
  readonly #least = keyed(SERVER_METRICS, () => new LatencyHistogram())
  readonly #most = keyed(GAP_METRICS, () => new LatencyHistogram())
  readonly fromSent: Readonly<Record<SentMetric, LatencyHistogram>> = keyed(SENT_METRICS, () => new LatencyHistogram())
  /** Replies to which a metric does not apply. */
  readonly notApplicable: Record<Metric, number> = keyed(METRICS, () => 0)
  /** Gaps of one token each, least, measured and most: ITL and ICL in one, which is most of what a stream has. */
  readonly #single = [new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram()] as const
  // Made once: closures for every reply would be garbage on the hot path.
  readonly #gaps: GapSink = {
    token: (ms, delay) => {
      const [least, measured, most] = this.#single
      least.record(ms > delay ? ms - delay : 0)
      measured.record(ms)
      most.record(ms + delay)
    },
    chunk: (ms, delay) => {
      this.#least.icl.record(ms > delay ? ms - delay : 0)
      this.#latency.icl.record(ms)
      this.#most.icl.record(ms + delay)
    },
    tokens: (ms, count, delay, merged) => {
      this.#least.itl.record(Math.max(0, ms - delay) / count, count)
      this.#latency.itl.record(ms / count, count)
      // A late client merges reads: its tokens may have come one by one, the first of them after the whole gap.
      this.#most.itl.record(merged ? ms + delay : (ms + delay) / count, count)
    },
  }

  get latency(): Readonly<Record<Metric, LatencyHistogram>> {
    this.#shareSingle()
    return this.#latency
  }

  get least(): Readonly<Record<ServerMetric, LatencyHistogram>> {
    this.#shareSingle()
    return this.#least
  }

  get most(): Readonly<Record<GapMetric, LatencyHistogram>> {
    this.#shareSingle()
    return this.#most
  }

  recordSendLag(ms: number): void {
    this.#latency.sendLag.record(ms)
  }

  /** Counts a successful reply in every metric that applies to it; its send lag is not among them. */
  recordReply(trace: Trace): void {
    const { sent, outputTokens } = trace
    const e2e = e2eMs(trace)
    this.#record('ttft', ttftMs(trace), ttftMs(trace, sent), leastTtftMs(trace))
    this.#record('ttfo', ttfoMs(trace), ttfoMs(trace, sent), leastTtfoMs(trace))
    this.#record('e2e', e2e, e2eMs(trace, sent), leastE2eMs(trace))
    // NTPOT of all three: N is the same, and NaN where there is no token.
    const n = outputTokens > 0 ? outputTokens : Number.NaN
    this.#record('ntpot', ntpotMs(trace), ntpotMs(trace, sent), leastE2eMs(trace) / n)
    const tpot = tpotMs(trace)
    if (Number.isNaN(tpot)) {
      this.notApplicable.tpot++
      // Both are of the tokens after the first read.
      this.notApplicable.itl++
    } else {
      const delay = tpotDelayMs(trace)
      this.#latency.tpot.record(tpot)
      this.#least.tpot.record(Math.max(0, tpot - delay))
      this.#most.tpot.record(tpot + delay)
    }
    if (!trace.streamed || trace.reads < 2) this.notApplicable.icl++
    else eachGap(trace, this.#gaps)
  }

  #record(metric: SentMetric, ms: number, fromSent: number, least: number): void {
    if (Number.isNaN(ms)) {
      this.notApplicable[metric]++
      return
    }
    this.#latency[metric].record(ms)
    this.fromSent[metric].record(fromSent)
    this.#least[metric].record(least)
  }

  /** Moves the gaps of one token to the two metrics that they are samples of. */
  #shareSingle(): void {
    const [least, measured, most] = this.#single
    if (measured.count === 0) return
    for (const metric of ['itl', 'icl'] as const) {
      this.#least[metric].add(least)
      this.#latency[metric].add(measured)
      this.#most[metric].add(most)
    }
    for (const histogram of this.#single) histogram.clear()
  }

  merge(data: DistributionsData): void {
    for (const metric of METRICS) {
      this.#latency[metric].merge(data.latency[metric])
      this.notApplicable[metric] += data.notApplicable[metric]
    }
    for (const metric of SENT_METRICS) this.fromSent[metric].merge(data.fromSent[metric])
    for (const metric of SERVER_METRICS) this.#least[metric].merge(data.least[metric])
    for (const metric of GAP_METRICS) this.#most[metric].merge(data.most[metric])
  }

  toData(): DistributionsData {
    const { latency, least, most, fromSent } = this
    return {
      latency: dataOf(METRICS, latency),
      fromSent: dataOf(SENT_METRICS, fromSent),
      least: dataOf(SERVER_METRICS, least),
      most: dataOf(GAP_METRICS, most),
      notApplicable: { ...this.notApplicable },
    }
  }
}

function dataOf<K extends string>(
  keys: readonly K[],
  histograms: Readonly<Record<K, LatencyHistogram>>,
): Record<K, HistogramData> {
  return keyed(keys, (key) => histograms[key].toData())
}

function keyed<K extends string, V>(keys: readonly K[], make: (key: K) => V): Record<K, V> {
  return Object.fromEntries(keys.map((key) => [key, make(key)])) as Record<K, V>
}
