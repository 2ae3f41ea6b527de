import { hostNow } from './clock.ts'

/** Longest time of one timer, ms: beyond it Node fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Resolves at an instant of the host clock (ms), never before it, or when the signal aborts. */
export function until(instant: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout
    const finish = () => {
      clearTimeout(timer)
      signal.removeEventListener('abort', finish)
      resolve()
    }
    const look = () => {
      const left = instant - hostNow()
      if (left <= 0 || signal.aborted) finish()
      else timer = setTimeout(look, Math.min(left, LONGEST_TIMER_MS))
    }
    signal.addEventListener('abort', finish)
    look()
  })
}
