/**
 * How well the saturation point of a sweep is told: estimate / truth (median, p10 to p90) and how often the 95 % interval
 * covers the truth, of simulated servers with 16 slots of 335 ms. The table in docs/metrics.md is from here.
 *
 *   npx node bench/saturation-point.ts [runs a row, 100: about two minutes]
 */
import { profileOf } from '../src/analysis/profile.ts'
import { seededRandom } from '../src/arrivals/random.ts'
import { capacityOf, queueRun, type Server } from '../test/analysis/queue-runs.ts'
import { planOf } from '../test/analysis/records.ts'

const RUNS = Number(process.argv[2] ?? 100)
/** Declared rates as shares of the capacity. */
const SWEEPS = {
  '0.85 C': [0.2, 0.4, 0.6, 0.85],
  '1.3 C': [0.3, 0.5, 0.7, 0.9, 1.1, 1.3],
  '2.5 C': [0.2, 0.33, 0.55, 0.91, 1.5, 2.5],
}

/** The rate that is told of one sweep, as a share of the capacity, and whether its interval covers it; null where none is. */
function sweep(server: Server, shares: readonly number[], durationMs: number, random: () => number) {
  const capacity = capacityOf(server)
  const runs = shares.map((share, index) => ({ ...queueRun(server, share * capacity, durationMs, random), index }))
  const plan = planOf(runs.map((run) => run.step))
  const { reached, rate, interval } = profileOf(plan, runs, runs[0]!.record, [], random).saturation!
  if (reached !== 'within') return null
  return { share: rate! / capacity, covers: interval![0] <= capacity && capacity <= interval![1] }
}

function quantile(values: readonly number[], p: number): string {
  return values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(p * values.length) - 1)]!.toFixed(2)
}

console.log('| sweep to | CV of service | steps | found | estimate / truth | p10 to p90 | covered |')
console.log('| --- | --- | --- | --- | --- | --- | --- |')
for (const [name, shares] of Object.entries(SWEEPS)) {
  for (const cv of [0, 0.1, 0.5, 1]) {
    for (const seconds of [1, 2, 4, 15]) {
      const server = { servers: 16, meanMs: 335, cv }
      const all = Array.from({ length: RUNS }, (_, run) =>
        sweep(server, shares, seconds * 1000, seededRandom(20261129, run, seconds)),
      )
      const found = all.filter((one) => one !== null)
      const ratios = found.map(({ share }) => share)
      const told =
        found.length < RUNS / 20
          ? ['', '', '']
          : [
              quantile(ratios, 0.5),
              `${quantile(ratios, 0.1)} to ${quantile(ratios, 0.9)}`,
              `${((100 * found.filter(({ covers }) => covers).length) / found.length).toFixed(0)} %`,
            ]
      const cells = [name, cv, `${seconds} s`, `${((100 * found.length) / RUNS).toFixed(0)} %`, ...told]
      console.log(`| ${cells.join(' | ')} |`)
    }
  }
}
