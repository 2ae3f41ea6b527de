/**
 * Fuzzes the client for minutes, with a seed of its own each time.
 *
 *   npm run fuzz [-- seconds, 300 unless given [seed]]
 *
 * A failure prints seed and path of the case, and the case made as small as it still fails; the same seed gives it again.
 */
import { randomInt } from 'node:crypto'
import { startVitest } from 'vitest/node'

const [seconds = process.env['FUZZ_SECONDS'] ?? '300', seed = process.env['FUZZ_SEED'] ?? String(randomInt(2 ** 31))] =
  process.argv.slice(2)
if (![seconds, seed].every((text) => /^\d+$/.test(text)) || Number(seconds) === 0) {
  console.error(`expected whole seconds above 0, and a seed that is a whole number; got '${seconds}' and '${seed}'`)
  process.exit(2)
}

process.env['FUZZ_SECONDS'] = seconds
process.env['FUZZ_SEED'] = seed
console.log(`fuzzing for ${seconds} s, seed ${seed}`)
await startVitest('test', ['test/fuzz'], { project: ['unit'], watch: false, typecheck: { enabled: false } })
