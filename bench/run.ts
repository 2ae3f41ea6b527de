/**
 * All figures that the project promises, as one table with machine and versions.
 *
 *   npm run bench            all but the long memory run (about 8 minutes)
 *   npm run bench -- --long  with ten minutes of memory
 *
 * What is compared takes turns in one run; figures are medians. Absolute times depend on the machine and on what else
 * it does; docs/bench.md says how to read them.
 */
import { cpus } from 'node:os'
import { createRequire } from 'node:module'
import { compareClient } from './client-cpu.ts'
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

await offered('5,000 req/s, 1 token', { rate: 5000, tokens: 1, seconds: 20, workers: 1, itlMs: 0 }, 3, [
  ['sent within 5 ms, %', 'at least 99.9', (run) => run.onTime * 100, (value) => value >= 99.9],
  ['E2E mean added, ms', 'at most 0.3', (run) => run.e2eAdded, (value) => value <= 0.3],
  ['send lag p50, ms', 'at most 0.1', (run) => run.lagP50, (value) => value <= 0.1],
])
await offered(
  '1,000 req/s x 64 tokens, each its own write',
  { rate: 1000, tokens: 64, seconds: 20, workers: 1, itlMs: 2 },
  3,
  [
    [
      'void or saturated runs of 3',
      '0',
      (run) => (run.voids.length === 0 && run.state !== 'saturated' ? 0 : 1),
      (value) => value === 0,
    ],
    ['rho', 'below 0.85', (run) => run.rho, (value) => value < 0.85],
  ],
)
for (const { name, perRequest, perToken } of await compareClient(3, 5)) {
  const single = name.startsWith('1 token')
  const ratio = single ? perRequest : perToken
  add(
    `client CPU against a bare node:net client, ${name}`,
    single ? 'at most 2.1 x a request' : 'told, x a token',
    ratio,
    !single || ratio <= 2.1,
  )
}
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
