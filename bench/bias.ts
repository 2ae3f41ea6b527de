/**
 * How much a load client's own event loop adds to what it measures: the experiment of "Identifying and Mitigating
 * Systemic Measurement Bias in Production LLM Inference Benchmarks", on this machine. docs/bias.md says how to read it.
 *
 *   npm run bench:bias              about 8 minutes; a minute more with k6 and oha on the PATH
 *   npm run bench:bias -- --quick   under 2 minutes, one short run of each: for a look
 *   npm run bench:bias -- --write   puts table and picture into docs/bias.md and docs/bias.svg as well
 */
import { readFile, writeFile } from 'node:fs/promises'
import { loadavg } from 'node:os'
import { FULL, QUICK } from './bias/blocks.ts'
import { claimsOf } from './bias/claim.ts'
import { isOnPath } from './bias/clients/command.ts'
import { withResults } from './bias/document.ts'
import { runExperiment } from './bias/experiment.ts'
import { machineLine } from './bias/machine.ts'
import { pictureOf } from './bias/picture.ts'
import { tableOf } from './bias/table.ts'

const DOCUMENT = new URL('../docs/bias.md', import.meta.url)
const PICTURE = new URL('../docs/bias.svg', import.meta.url)
/** Load average up to which the machine counts as quiet. */
const QUIET_LOAD = 0.5
const FLAGS = ['--quick', '--write']

const unknown = process.argv.slice(2).filter((flag) => !FLAGS.includes(flag))
if (unknown.length > 0) throw new Error(`${unknown.join(' ')} is no flag of this bench; there are ${FLAGS.join(', ')}`)
const quick = process.argv.includes('--quick')
const size = quick ? QUICK : FULL

const document = process.argv.includes('--write') ? await readFile(DOCUMENT, 'utf8') : null
// A document without its markers is found out before the minutes of measuring.
if (document !== null) withResults(document, '')

const [load = 0] = loadavg()
if (load > QUIET_LOAD) {
  console.log(
    `The machine is not quiet (load average ${load.toFixed(1)}): these figures will be of its other work as well.`,
  )
}
const commands: string[] = []
for (const name of ['k6', 'oha', 'wrk']) {
  if (await isOnPath(name)) commands.push(name)
  else console.log(`${name}: not on the PATH, left out`)
}

const started = performance.now()
const { rows, capacity, notes } = await runExperiment(size, commands, (line) => console.log(line))
const minutes = (performance.now() - started) / 60_000

for (const note of notes) console.log(note)
const date = new Date().toISOString().slice(0, 10)
const runs = size.rounds === 1 ? 'one run' : `medians of ${size.rounds} runs`
const results = [
  `Run of ${date}: ${await machineLine(commands)}. Server, clients and bench share the machine. Each figure is of ${runs} of about ${size.seconds} s.`,
  `Rho 1 of the sweep is ${Math.round(capacity)} replies/s, what one load process does at full speed with 0.5 ms of artificial work per token.`,
  tableOf(rows),
  ...claimsOf(rows),
].join('\n\n')
console.log(`\n${results}\n\n${minutes.toFixed(1)} minutes`)

if (document !== null) {
  await writeFile(DOCUMENT, withResults(document, results))
  await writeFile(PICTURE, pictureOf(rows))
}
