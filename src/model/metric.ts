/** Names of what is measured of a request, in the words of the field (see docs/metrics.md for every definition). */

/** Latency metrics, each a distribution over requests (or over reads and tokens: `icl`, `itl`); all in ms. */
export const METRICS = ['ttft', 'ttfo', 'tpot', 'itl', 'icl', 'ntpot', 'e2e', 'sendLag'] as const
export type Metric = (typeof METRICS)[number]

/** Metrics that start at the scheduled instant, and so are kept from the sent instant too. */
export const SENT_METRICS = ['ttft', 'ttfo', 'ntpot', 'e2e'] as const
export type SentMetric = (typeof SENT_METRICS)[number]

/** Metrics that are differences of two reads' stamps, so that a late client may make them too long and too short. */
export const GAP_METRICS = ['tpot', 'itl', 'icl'] as const
export type GapMetric = (typeof GAP_METRICS)[number]

/** Metrics of which the client's own part is known and can be taken off; the send lag is nothing but that part. */
export const SERVER_METRICS = [...SENT_METRICS, ...GAP_METRICS] as const
export type ServerMetric = (typeof SERVER_METRICS)[number]

/** Metrics that an objective may limit, per request. */
export const OBJECTIVE_METRICS = ['ttft', 'ttfo', 'tpot', 'ntpot', 'e2e'] as const
export type ObjectiveMetric = (typeof OBJECTIVE_METRICS)[number]

/** Limits on one request, in ms from scheduled. */
export type Objectives = Readonly<Partial<Record<ObjectiveMetric, number>>>

/** How a metric is written for people. */
export const METRIC_LABEL: Readonly<Record<Metric, string>> = {
  ttft: 'TTFT',
  ttfo: 'TTFO',
  tpot: 'TPOT',
  itl: 'ITL',
  icl: 'ICL',
  ntpot: 'NTPOT',
  e2e: 'E2E',
  sendLag: 'send lag',
}
