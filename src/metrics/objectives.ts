import type { Objectives } from '../model/metric.ts'
import type { Trace } from '../model/request.ts'
import { e2eMs, ntpotMs, tpotMs, ttfoMs, ttftMs } from './latencies.ts'

/**
 * Whether a successful reply is good: no latency above its objective's limit. From the scheduled instant, or, for
 * those that depend on it, from `from`. An objective that does not apply to the reply counts as met.
 */
export function meetsObjectives(trace: Trace, objectives: Objectives, from: number = trace.scheduled): boolean {
  const { ttft, ttfo, tpot, ntpot, e2e } = objectives
  // Written as "not above", since no comparison holds for the NaN of a metric that does not apply.
  return !(
    (ttft !== undefined && ttftMs(trace, from) > ttft) ||
    (ttfo !== undefined && ttfoMs(trace, from) > ttfo) ||
    (tpot !== undefined && tpotMs(trace) > tpot) ||
    (ntpot !== undefined && ntpotMs(trace, from) > ntpot) ||
    (e2e !== undefined && e2eMs(trace, from) > e2e)
  )
}
