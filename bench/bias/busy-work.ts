/** Keeps this thread busy, ms. */
export function spin(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until) continue
}
