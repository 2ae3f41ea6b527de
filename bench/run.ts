/**
 * All figures that the project promises, as one table with machine and versions.
 *
 *   npm run bench            all but the long memory run (about 10 minutes)
 *   npm run bench -- --long  with ten minutes of memory
 *
 * What is compared takes turns in one run; figures are medians. Absolute times depend on the machine and on what else
 * it does; docs/bench.md says how to read them.
 */
import { cpus } from 'node:os'
import { createRequire } from 'node:module'
import { auditCost } from './audit-cost.ts'
import { compareClient } from './client-cpu.ts'
import { groundTruth } from './ground-truth.ts'
import { growthAfterSecondMinute, memoryOver } from './memory.ts'
import { medianOf, type OfferedFigures, type OfferedLoad, offerOnce } from './offered-load.ts'
import { startupOnce, type StartupFigures } from './startup.ts'

interface Row {
  readonly what: string
  readonly wanted: string
  readonly reached: string
  readonly met: boolean
}

const rows: Row[] = []
const long = process.argv.includes('--long')

const oneToken = (rate: number): OfferedLoad => ({ rate, tokens: 1, seconds: 10, workers: 1, itlMs: 0 })
const streams = (rate: number): OfferedLoad => ({ rate, tokens: 64, seconds: 10, workers: 1, itlMs: 2 })
const isVoid = (run: OfferedFigures) => (run.voids.length === 0 && run.state !== 'saturated' ? 0 : 1)

await offered('15,000 req/s, 1 token', oneToken(15_000), 5, [
  ['sent within 5 ms, %', 'at least 99', (run) => run.onTime * 100, (value) => value >= 99],
  ['void or saturated (median of 5)', '0', isVoid, (value) => value === 0],
  ['send lag p50, ms', 'at most 0.1', (run) => run.lagP50, (value) => value <= 0.1],
])
await offered('5,000 req/s, 1 token', oneToken(5000), 5, [
  ['sent within 5 ms, %', 'at least 99.9', (run) => run.onTime * 100, (value) => value >= 99.9],
  ['E2E mean added, ms', 'at most 0.25', (run) => run.e2eAdded, (value) => value <= 0.25],
  ['send lag p50, ms', 'at most 0.1', (run) => run.lagP50, (value) => value <= 0.1],
  ['send lag p99, ms', 'at most 2', (run) => run.lagP99, (value) => value <= 2],
])
for (const [rate, wanted] of [
  [1000, '0'],
  [1500, '0'],
  [2000, 'told'],
] as const) {
  await offered(`${rate} req/s x 64 tokens, each its own write`, streams(rate), 5, [
    ['void or saturated (median of 5)', wanted, isVoid, (value) => wanted === 'told' || value === 0],
    ['rho', 'told', (run) => run.rho, () => true],
  ])
}
for (const { name, perRequest, perToken } of await compareClient(3, 5)) {
  const single = name.startsWith('1 token')
  const [ratio, limit] = single ? [perRequest, 1.9] : [perToken, 1.45]
  add(
    `client CPU against a bare node:net client, ${name}`,
    `at most ${limit} x a ${single ? 'request' : 'token'}`,
    ratio,
    ratio <= limit,
  )
}
const cost = auditCost()
add('audit, ns an event: a token of a stream', 'under 100', cost.read + cost.token, cost.read + cost.token < 100)
add('audit, ns an event: a 1-token request', 'under 100', cost.ofRequest, cost.ofRequest < 100)
const truth = await groundTruth({ rate: 200, tokens: 32, seconds: 20, itlMs: 20 })
add(
  'ground truth, 200 req/s x 32: error of a token p50, ms',
  'at most 0.15',
  truth.tokens.p50,
  truth.tokens.p50 <= 0.15,
)
add('the same, p99, ms', 'at most 1.5', truth.tokens.p99, truth.tokens.p99 <= 1.5)
const startups: StartupFigures[] = []
for (let run = 0; run < 5; run++) startups.push(await startupOnce())
const toFirst = medianOf(startups.map((run) => run.toFirstRequest))
const toVerdict = medianOf(startups.map((run) => run.toVerdict))
add('npx vitest run to the first request, ms', 'under 3000', toFirst, toFirst < 3000)
add('last reply to the verdict, ms', 'under 1000', toVerdict, toVerdict < 1000)
if (long) {
  const grown = growthAfterSecondMinute(await memoryOver(10, 1000))
  add('memory of a load process, 10 min at 1,000 req/s, growth after minute 2, MB', 'at most 20', grown, grown <= 20)
}
print()

type Figure = readonly [
  what: string,
  wanted: string,
  of: (run: OfferedFigures) => number,
  met: (value: number) => boolean,
]

async function offered(name: string, load: OfferedLoad, runs: number, figures: readonly Figure[]): Promise<void> {
  const all: OfferedFigures[] = []
  for (let run = 0; run < runs; run++) all.push(await offerOnce(load, run + 1))
  for (const [what, wanted, of, met] of figures) {
    const value = medianOf(all.map(of))
    add(`${name}: ${what}`, wanted, value, met(value))
  }
  for (const reason of all.flatMap((run) => run.voids)) console.log(`${name}: ${reason}`)
}

function add(what: string, wanted: string, value: number, met: boolean): void {
  const reached = String(Number(value.toPrecision(4)))
  rows.push({ what, wanted, reached, met })
  console.log(`${met ? 'met ' : 'MISS'}  ${what}: ${reached} (${wanted})`)
}

function print(): void {
  const require = createRequire(import.meta.url)
  const version = (name: string) => (require(`${name}/package.json`) as { version: string }).version
  const all = cpus()
  console.log(
    `\n${all.length} x ${all[0]?.model.trim()}, ${process.platform}, Node ${process.versions.node}, undici ${version('undici')}, vitest ${version('vitest')}\n`,
  )
  console.log('| what | wanted | reached | |\n|---|---|---|---|')
  for (const { what, wanted, reached, met } of rows)
    console.log(`| ${what} | ${wanted} | ${reached} | ${met ? 'met' : 'missed'} |`)
}
