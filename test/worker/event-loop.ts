import { performance } from 'node:perf_hooks'
import { hostNow } from '../../src/worker/clock.ts'

/** Keeps this event loop from turning for so long, ms. */
export function block(ms: number): void {
  const until = hostNow() + ms
  while (hostNow() < until);
}

/** Number of the event loop's turn. */
export function turnNumber(): number {
  return performance.nodeTiming.uvMetricsInfo.loopCount
}

/** Resolves in a later turn of the event loop. */
export async function nextTurn(): Promise<void> {
  const turn = turnNumber()
  // An immediate may still belong to the turn that asked for it.
  while (turnNumber() === turn) await new Promise((resolve) => setImmediate(resolve))
}
