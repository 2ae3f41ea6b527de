import type { Row } from './row.ts'
import { ms } from './table.ts'

/** What two load processes must take away of the bias that one has, by load. */
const WANTED: readonly (readonly [level: number, share: number])[] = [
  [0.9, 0.5],
  [1, 0.95],
]

export const ONE_PROCESS = 'vitest-slo, 1 load process'
export const TWO_PROCESSES = 'vitest-slo, 2 load processes'

/**
 * The line of issue 3's table: the bias of one load process at rho 0.9 and 1.0, and the share of it that two remove.
 * Bias is the whole mean E2E above the server's ledger, loopback included: what remains can never be 0.
 */
export function claimsOf(rows: readonly Row[]): string[] {
  return WANTED.map(([level, wanted]) => {
    const addedBy = (client: string) => rows.find((row) => row.level === level && row.client === client)?.addedMean
    const one = addedBy(ONE_PROCESS)
    const two = addedBy(TWO_PROCESSES)
    const at = `At rho ${level.toFixed(1)}`
    if (one === undefined || one === null || two === undefined || two === null) return `${at}: not measured.`
    const removed = 1 - two / one
    const judged = `at least ${100 * wanted} % wanted: ${removed >= wanted ? 'met' : 'missed'}`
    return `${at} one load process adds ${ms(one)} ms to the mean E2E, two add ${ms(two)} ms: ${(100 * removed).toFixed(1)} % removed (${judged}).`
  })
}
