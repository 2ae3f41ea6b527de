/**
 * The host's monotonic clock, ms (`process.hrtime`): all processes and threads of one host share it, so instants may be
 * compared across them. About 0.05 us a call, resolution 1 ns, no relation to the time of day.
 */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime()
  return seconds * 1e3 + nanoseconds / 1e6
}
