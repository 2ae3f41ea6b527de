import { hostNow } from './clock.ts'

/**
 * Calls `onSecond` after each whole second of a step, numbered 0, 1, 2, ... A loop that stood still skips numbers: what
 * the skipped seconds would have shown comes with the next call.
 *
 * @param startAt the step's start, host clock, ms
 * @returns ends it; gives the number of the second under way
 */
export function tickSeconds(startAt: number, onSecond: (second: number) => void): () => number {
  let second = 0
  let timer: NodeJS.Timeout
  const arm = () => {
    timer = setTimeout(tick, Math.max(1, startAt + (second + 1) * 1000 - hostNow()))
  }
  const tick = () => {
    const now = hostNow()
    // Timers may fire early.
    if (now >= startAt + (second + 1) * 1000) {
      onSecond(second)
      second = Math.max(second + 1, Math.floor((now - startAt) / 1000))
    }
    arm()
  }
  arm()
  return () => {
    clearTimeout(timer)
    return second
  }
}
