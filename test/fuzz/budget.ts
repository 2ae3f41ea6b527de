/** What a fuzz test may spend: fast-check's settings of the same names. */
export interface Budget {
  readonly seed: number
  readonly numRuns: number
  readonly interruptAfterTimeLimit?: number
  readonly markInterruptAsFailure?: boolean
}

const { FUZZ_SECONDS, FUZZ_SEED } = process.env

/** Time of all fuzz tests together under `npm run fuzz`, ms; 0 in `npm test`. */
const TIME_MS = 1000 * Number(FUZZ_SECONDS ?? 0)

const SEED = Number(FUZZ_SEED ?? 20_261_129)

/** Time that one fuzz test may take, ms: for the runner, which must not end it before its budget does. */
export const TIMEOUT_MS = 60_000 + TIME_MS

/**
 * In `npm test` so many cases of a fixed seed, always the same. Under `npm run fuzz` as many as fit into that share of
 * its time, of its seed.
 */
export function budget(cases: number, share: number): Budget {
  if (TIME_MS === 0) return { seed: SEED, numRuns: cases }
  return {
    seed: SEED,
    numRuns: Number.MAX_SAFE_INTEGER,
    interruptAfterTimeLimit: TIME_MS * share,
    markInterruptAsFailure: false,
  }
}
