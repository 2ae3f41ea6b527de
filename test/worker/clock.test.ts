import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { hostNow } from '../../src/worker/clock.ts'

const run = promisify(execFile)

test('two processes of one host read the same clock', async () => {
  const clock = new URL('../../src/worker/clock.ts', import.meta.url).href
  const program = `import(${JSON.stringify(clock)}).then(({ hostNow }) => process.stdout.write(String(hostNow())))`
  const before = hostNow()
  const { stdout } = await run(process.execPath, ['-e', program])
  const after = hostNow()
  expect(Number(stdout)).toBeGreaterThan(before)
  expect(Number(stdout)).toBeLessThan(after)
})

test('it is the clock of process.hrtime, within a millisecond', () => {
  const [seconds, nanoseconds] = process.hrtime()
  expect(Math.abs(hostNow() - (seconds * 1000 + nanoseconds / 1e6))).toBeLessThan(1)
})
