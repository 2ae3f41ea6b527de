import type { Check, VoidReason } from '../model/audit.ts'
import { trim } from '../model/units.ts'

/** Checks that a client breaks by being too slow for its load. */
const CLIENT_BOUND: ReadonlySet<Check> = new Set<Check>(['rho', 'stall', 'in-flight'])

/**
 * `; the client's own limit is about 1900 req/s`, where a step is void because the client was too slow; else empty.
 * What ended there is the client, and no saturation of the server's.
 */
export function clientLimitClause(
  steps: readonly { readonly voids: readonly VoidReason[] }[],
  limit: number | null,
): string {
  const bound = steps.some(({ voids }) => voids.some(({ check }) => CLIENT_BOUND.has(check)))
  return bound && limit !== null ? `; the client's own limit is about ${trim(Number(limit.toPrecision(2)))} req/s` : ''
}
