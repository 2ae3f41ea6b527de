import { performance } from 'node:perf_hooks'

/**
 * Milliseconds on the monotonic clock of the host (`process.hrtime`), the same for all processes and threads of one
 * host. Never steps, has no relation to the time of day.
 *
 * `performance.now()` reads the same clock from another origin and costs a third of `process.hrtime`, so the
 * distance of the two origins is taken once: the smallest of a few readings, good to about a microsecond.
 */
export function hostNow(): number {
  return performance.now() + ORIGIN
}

const ORIGIN = originDistance()

function originDistance(): number {
  let least = Number.POSITIVE_INFINITY
  for (let i = 0; i < 20; i++) {
    const before = performance.now()
    const [seconds, nanoseconds] = process.hrtime()
    least = Math.min(least, seconds * 1000 + nanoseconds / 1e6 - before)
  }
  return least
}
