import { METRIC_LABEL, OBJECTIVE_METRICS, type Objectives } from '../model/metric.ts'
import type { FailureExample, Saturation, Usable } from '../model/profile.ts'
import type { Report } from '../model/report.ts'
import { FAILURE_KINDS, FAILURE_LABEL } from '../model/request.ts'
import { formatValue, trim } from '../model/units.ts'
import { counted, grouped } from './digits.ts'

/** One remark below a table: what it is about, and the sentence. */
export interface Line {
  readonly key: string
  readonly text: string
}

/** `3 assertions: 2 pass, 1 fail`. */
export function assertionsText(report: Report): string {
  const { assertions } = report
  if (assertions.length === 0) return 'no assertions'
  const parts = (['invalid', 'fail', 'inconclusive', 'pass'] as const).flatMap((verdict) => {
    const count = assertions.filter((assertion) => assertion.verdict === verdict).length
    return count === 0 ? [] : [`${count} ${verdict}`]
  })
  return `${counted(assertions.length, 'assertion')}: ${parts.join(', ')}`
}

/** The saturation point with its interval and the steps beside it, in one sentence; rates per second. */
export function saturationText(saturation: Saturation): string {
  const { rate, interval, lastSustained, firstSaturated, reached, reason } = saturation
  if (reached === 'unknown' || rate === null) return `unknown: ${reason}`
  if (reached === 'not-reached') return `not reached up to ${trim(rate)} req/s`
  if (reached === 'already-passed') {
    return `already passed at ${trim(firstSaturated ?? rate)} req/s, the lowest step: at most ${trim(rate)} req/s`
  }
  const range = interval === null ? '' : ` (95 % interval ${trim(interval[0])} to ${trim(interval[1])})`
  const bracket: string[] = []
  if (lastSustained !== null) bracket.push(`carried ${trim(lastSustained)}`)
  if (firstSaturated !== null) bracket.push(`not ${trim(firstSaturated)}`)
  return `${trim(rate)} req/s${range}: ${bracket.join(', ') || reason}`
}

/** The usable rate in one sentence; rates per second. */
export function usableText({ rate, reached, reason }: Usable): string {
  if (reached === 'unknown' || rate === null) return `unknown: ${reason}`
  if (reached === 'not-reached') return `at least ${trim(rate)} req/s: ${reason}`
  return `${reached === 'within' ? '' : 'below '}${trim(rate)} req/s: ${reason}`
}

/** What makes a rate usable: `99 % of all requests within TTFT 500 ms, NTPOT 40 ms`; null without objectives. */
export function objectivesText(attainment: number, objectives: Objectives): string | null {
  const limits = OBJECTIVE_METRICS.flatMap((metric) => {
    const limit = objectives[metric]
    return limit === undefined ? [] : [`${METRIC_LABEL[metric]} ${formatValue(limit, 'ms')}`]
  })
  return limits.length === 0 ? null : `${formatValue(attainment, 'ratio')} of all requests within ${limits.join(', ')}`
}

/**
 * The instrument in one sentence: `2 load processes, rho 0.12, send lag p99 0.41 ms, adds 0.1 ms p50, 1.1 ms p99 to a
 * latency at these rates on this machine; mean 0.09 ms (model 0.02)`.
 */
export function clientText(report: Report): string {
  const { workers, rho, sendLagP99, biasObserved, biasModelled, floor } = report.client
  const parts = [counted(workers, 'load process', 'load processes'), `rho ${trim(rho)}`]
  if (sendLagP99 !== null) parts.push(`send lag p99 ${formatValue(sendLagP99, 'ms')}`)
  if (biasObserved === null) return parts.join(', ')
  const model = biasModelled === null ? '' : ` (model ${trim(biasModelled)})`
  // A report of version 1 tells the mean alone.
  if (floor === null) return `${parts.join(', ')}, adds ${formatValue(biasObserved, 'ms')} mean${model}`
  const added = `adds ${formatValue(floor.p50, 'ms')} p50, ${formatValue(floor.p99, 'ms')} p99`
  return `${parts.join(', ')}, ${added} to a latency at these rates on this machine; mean ${formatValue(biasObserved, 'ms')}${model}`
}

/** How well the embedded server kept to its plan: `embedded, 2 of 19,200 writes late, worst 6.1 ms behind plan`; null for others. */
export function serverText(report: Report): string | null {
  const servers = report.steps.flatMap((step) => step.server ?? [])
  if (servers.length === 0) return null
  const late = sum(servers.map((server) => server.late))
  const writes = sum(servers.map((server) => server.writes))
  const worst = Math.max(...servers.map((server) => server.worstMs))
  return `embedded, ${grouped(late)} of ${counted(writes, 'write')} late, worst ${formatValue(worst, 'ms')} behind plan`
}

/**
 * Mean output tokens of a successful reply over all steps, and how many replies came without usage (their tokens are
 * content events). Null when no reply succeeded or none told tokens.
 */
export function outputText(report: Report): string | null {
  let replies = 0
  let tokens = 0
  let withoutUsage = 0
  for (const step of report.steps) {
    if (step.meanOutputTokens === null) continue
    replies += step.counts.completed
    tokens += step.counts.completed * step.meanOutputTokens
    withoutUsage += step.withoutUsage
  }
  if (replies === 0) return null
  const events =
    withoutUsage === 0 ? '' : `; ${counted(withoutUsage, 'reply', 'replies')} without usage: content events counted`
  return `${trim(tokens / replies)} tokens a reply, mean of ${counted(replies, 'reply', 'replies')}${events}`
}

/** `99.4 % of all requests, 9.94/s`; null without objectives and for a sweep. */
export function goodputText(report: Report): string | null {
  const goodput = report.total?.goodput
  if (!goodput || goodput.ratio === null) return null
  const rate = goodput.rate === null ? '' : `, ${formatValue(goodput.rate, '/s')}`
  return `${formatValue(goodput.ratio, 'ratio')} of all requests${rate}`
}

/** Failures over all steps: first their share, then a line a kind with its count and its most frequent example. */
export function errorLines(report: Report): Line[] {
  const planned = sum(report.steps.map((step) => step.counts.planned))
  const failures = sum(report.steps.map((step) => step.errors.count))
  if (failures === 0) return []
  const share = planned === 0 ? '' : ` (${formatValue(failures / planned, 'ratio')})`
  const lines: Line[] = [{ key: 'errors', text: `${grouped(failures)} of ${counted(planned, 'request')}${share}` }]
  const examples = report.steps.flatMap((step) => step.errors.examples)
  for (const kind of FAILURE_KINDS) {
    const count = sum(report.steps.map((step) => step.errors.byKind[kind] ?? 0))
    if (count === 0) continue
    const example = mostFrequent(examples.filter((one) => one.kind === kind))
    const label = FAILURE_LABEL[kind]
    const message = example === undefined || example.message === label ? '' : `, for example "${example.message}"`
    lines.push({ key: '', text: `${grouped(count)} x ${label}${message}` })
  }
  return lines
}

function mostFrequent(examples: readonly FailureExample[]): FailureExample | undefined {
  return examples.toSorted((a, b) => b.count - a.count)[0]
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
