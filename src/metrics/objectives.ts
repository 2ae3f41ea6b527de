import type { Objectives } from '../model/metric.ts'
import type { Trace } from '../model/request.ts'
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

/** Whether a successful reply is good: no latency above its objective's limit. One that does not apply counts as met. */
export function meetsObjectives(trace: Trace, objectives: Objectives): boolean {
  const { ttft, ttfo, tpot, ntpot, e2e } = objectives
  // Written as "not above", since no comparison holds for the NaN of a metric that does not apply.
  return !(
    (ttft !== undefined && ttftMs(trace) > ttft) ||
    (ttfo !== undefined && ttfoMs(trace) > ttfo) ||
    (tpot !== undefined && tpotMs(trace) > tpot) ||
    (ntpot !== undefined && ntpotMs(trace) > ntpot) ||
    (e2e !== undefined && e2eMs(trace) > e2e)
  )
}

/** Whether a successful reply may have been good at the server: the same with the client's own part off every latency. */
export function mayMeetObjectives(trace: Trace, objectives: Objectives): boolean {
  const { ttft, ttfo, tpot, ntpot, e2e } = objectives
  return !(
    (ttft !== undefined && leastTtftMs(trace) > ttft) ||
    (ttfo !== undefined && leastTtfoMs(trace) > ttfo) ||
    (tpot !== undefined && tpotMs(trace) - tpotDelayMs(trace) > tpot) ||
    (ntpot !== undefined && trace.outputTokens > 0 && leastE2eMs(trace) / trace.outputTokens > ntpot) ||
    (e2e !== undefined && leastE2eMs(trace) > e2e)
  )
}
