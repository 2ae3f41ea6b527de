/**
 * Where the constants of `src/analysis/backlog.ts` come from: prints them, simulated with a fixed seed (about a minute).
 *
 *   npx node bench/backlog-thresholds.ts
 */
import { seededRandom } from '../src/arrivals/random.ts'
import { incrementsDeviation, lineThrough } from '../src/analysis/line.ts'
import { queueRun, type Server } from '../test/analysis/queue-runs.ts'

const BLOCKS = 10
const WALKS = 40_000
const STEPS_PER_BLOCK = 20
const random = seededRandom(20261129)

function normal(): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

function quantile(values: readonly number[], p: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(p * values.length) - 1]!
}

function blockMeans(values: readonly number[]): number[] {
  return Array.from({ length: BLOCKS }, (_, block) => {
    const from = Math.floor((block * values.length) / BLOCKS)
    const part = values.slice(from, Math.floor(((block + 1) * values.length) / BLOCKS))
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}

function walk(): number[] {
  let at = 0
  return Array.from({ length: BLOCKS * STEPS_PER_BLOCK }, () => (at += normal()))
}

/** Slope error of a random walk in units of its increments' deviation. */
function walkQuantile(): number {
  const pivots = Array.from({ length: WALKS }, () => {
    const means = blockMeans(walk())
    return (lineThrough(means).slope * Math.sqrt(BLOCKS - 1)) / incrementsDeviation(means)
  })
  return quantile(pivots, 0.95)
}

/**
 * Scatter of arrivals less departures / scatter of the arrivals when both are independent walks: its 5 % quantile, the
 * least over servers whose departures vary a quarter as much as the arrivals, half, and as much.
 */
function followsShare(): number {
  const shares = [0.25, 0.5, 1].map((variance) => {
    const ratios = Array.from({ length: WALKS }, () => {
      const arrivals = walk()
      const departures = walk()
      const backlog = arrivals.map((value, i) => value - Math.sqrt(variance) * departures[i]!)
      return lineThrough(blockMeans(backlog)).scatter / lineThrough(blockMeans(arrivals)).scatter
    })
    return quantile(ratios, 0.05)
  })
  return Math.min(...shares)
}

/** Slope over its least-squares error for the backlog of stable queues, of steps where it follows the arrivals. */
function followingQuantile(follows: number): number {
  const servers: readonly Server[] = [
    { servers: 1, meanMs: 20, cv: 1 },
    { servers: 2, meanMs: 400, cv: 0.3 },
    { servers: 16, meanMs: 340, cv: 0.3 },
    { servers: 64, meanMs: 4000, cv: 0.3 },
  ]
  const quantiles = servers.flatMap((server) =>
    [0.3, 0.6, 0.85].map((load) => {
      const durationMs = 25 * server.meanMs + 5000
      const pivots: number[] = []
      for (let i = 0; i < 400; i++) {
        const { bins } = queueRun(server, (load * server.servers * 1000) / server.meanMs, durationMs, random)
        const from = Math.ceil((5 * server.meanMs) / bins.widthMs)
        const lag = Math.round(server.meanMs / bins.widthMs)
        const to = Math.floor(durationMs / bins.widthMs)
        const sum = (counts: readonly number[], until: number) =>
          counts.slice(0, until).reduce((total, count) => total + count, 0)
        const edges = Array.from({ length: to - from }, (_, j) => from + j + 1)
        const backlog = lineThrough(
          blockMeans(edges.map((edge) => sum(bins.arrivals, edge - lag) - sum(bins.ends, edge))),
        )
        const arrivals = lineThrough(blockMeans(edges.map((edge) => sum(bins.arrivals, edge))))
        if (backlog.scatter < follows * arrivals.scatter) pivots.push(Math.abs(backlog.slope) / backlog.slopeError)
      }
      return pivots.length < 100 ? 0 : quantile(pivots, 0.9)
    }),
  )
  return Math.max(...quantiles)
}

const follows = followsShare()
console.log(`WALK_QUANTILE ${walkQuantile().toFixed(2)}`)
console.log(`FOLLOWS ${follows.toFixed(2)}`)
console.log(`FOLLOWING_QUANTILE ${followingQuantile(0.5).toFixed(2)}`)
