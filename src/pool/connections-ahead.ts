import type { StepRecord } from '../model/profile.ts'
import type { SegmentStep } from '../worker/messages.ts'

/** Part of a second's arrivals that is expected in flight while no reply is known yet. */
const UNKNOWN_E2E_MS = 250
/** Most connections opened before anything is known of the server. */
const MOST_UNKNOWN = 64
/** Most connections opened ahead at all: opening costs about 0.2 ms each, and the server's descriptors. */
const MOST = 2000

/**
 * How many connections to have open before a segment begins, over all processes: those of its closed loops, and by
 * Little's law (rate x mean E2E) those of its open loops, with half of it to spare. A request that finds none opens
 * its own, and pays for it, so this is about accuracy only.
 *
 * @param latest what was recorded last, the warm-up at first; null when nothing was
 */
export function connectionsAhead(
  steps: readonly SegmentStep[],
  latest: StepRecord | null,
  maxInFlight: number,
): number {
  const e2eMs = latest?.latency.e2e.mean ?? null
  let most = 1
  for (const { step } of steps) {
    if (step.kind === 'closed') most = Math.max(most, Math.min(step.concurrency, MOST))
    else if (e2eMs === null) {
      most = Math.max(most, Math.min(MOST_UNKNOWN, Math.ceil((step.rate * UNKNOWN_E2E_MS) / 1000)))
    } else {
      const expected = (step.rate * e2eMs) / 1000
      most = Math.max(most, Math.min(MOST, Math.ceil(expected * 1.5) + 8))
    }
  }
  return Math.min(most, maxInFlight)
}
