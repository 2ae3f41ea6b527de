import { existsSync } from 'node:fs'
import { appendFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { chatServer } from './chat-server.ts'
import { type Descendant, descendantsOf, running } from './descendants.ts'
import { type FixtureProject, fixtureProject, type RunningVitest } from './fixture-project.ts'

const TERMINAL = process.platform === 'linux' && existsSync('/usr/bin/script')
const PATIENCE = { timeout: 30_000, interval: 50 }

const isLoad = ({ command }: Descendant) => command.includes('tinypool')
const isSimulator = ({ command }: Descendant) => command.startsWith('vitest-slo simulator')

test.runIf(TERMINAL)('Ctrl-C in run mode ends all: it reaches every process of the terminal', async () => {
  await using project = await fixtureProject('cancel')
  const run = project.startInTerminal(['run', '--project=slo', 'embedded'])
  const pid = run.process.pid!
  await vi.waitFor(async () => {
    const below = await descendantsOf(pid)
    expect([below.filter(isLoad).length, below.filter(isSimulator).length], run.output()).toEqual([2, 1])
  }, PATIENCE)
  const below = await descendantsOf(pid)
  run.process.stdin!.write('\u0003')
  expect((await run.ended).code).not.toBe(0)
  await vi.waitFor(async () => expect(await running(below)).toEqual([]), PATIENCE)
  expect(run.output()).not.toMatch(/^test ran/m)
})

test.runIf(TERMINAL)(
  'in watch mode a key stops the load and Vitest goes on; Ctrl-C stops the load and ends it',
  async () => {
    await using server = await chatServer()
    await using project = await fixtureProject('cancel')
    const run = project.startInTerminal(['--project=slo', 'long'], { SERVER: server.url })
    const pid = run.process.pid!
    const type = (keys: string) => run.process.stdin!.write(keys)
    const underLoad = async () => {
      const before = server.requests.length
      await vi.waitFor(() => expect(server.requests.length, run.output()).toBeGreaterThan(before + 20), PATIENCE)
      expect((await descendantsOf(pid)).filter(isLoad)).toHaveLength(2)
    }
    const cancelled = (times: number) =>
      vi.waitFor(() => {
        expect(run.output().split('LoadError: the load of "long" was cancelled')).toHaveLength(times + 1)
      }, PATIENCE)

    await underLoad()
    await run.printed(/ long {2}step 1\/1 50 req\/s {2}load [\d.]+\/600 s {2}\S+ req\/s {2}\d+ in flight {2}0 errors/)
    type('c')
    await cancelled(1)
    await run.printed('press q to quit')
    expect((await descendantsOf(pid)).filter(isLoad)).toEqual([])
    expect(run.output()).toMatch(/❯ long\.slo\.ts:7:1/)

    // Runs it again.
    type('r')
    await underLoad()
    const below = await descendantsOf(pid)
    type('\u0003')
    await cancelled(2)
    expect((await run.ended).code).not.toBe(0)
    await vi.waitFor(async () => expect(await running(below)).toEqual([]), PATIENCE)
    expect(run.output()).not.toMatch(/^test ran/m)
    expect(run.output()).not.toContain('slo after it: ')
  },
)

describe('watch mode', () => {
  test('at the desk (--standalone) runs a spec that is saved, and nothing else', async () => {
    await using server = await chatServer()
    await using project = await fixtureProject('named')
    const run = project.start(['--watch', '--project=slo', '--standalone'], { SERVER: server.url, CI: '' })
    await run.printed('Waiting for file changes')
    expect(server.requests).toEqual([])

    await saveUntil(run, project, 'chat.slo.ts', /^PASS +chat /m)
    await project.write('src/unrelated.ts', 'export {}\n')
    await project.write('notes.txt', 'nothing\n')
    await saveUntil(run, project, 'load/other.slo.ts', /^PASS +other /m)
    expect(reruns(run)).toEqual(['chat.slo.ts', 'load/other.slo.ts'])
  })

  test('without a named project offers no load when a spec is saved', async () => {
    await using server = await chatServer()
    await using project = await fixtureProject('named')
    const run = project.start(['--watch'], { SERVER: server.url, CI: '' })
    await run.printed('slo: not run; name it with --project slo')

    await saveUntil(run, project, 'test/sum.test.ts', /RERUN +test\/sum\.test\.ts[^]*Tests +1 passed/)
    await saveUntil(run, project, 'chat.slo.ts', /RERUN +chat\.slo\.ts[^]*slo: not run; name it with --project slo/)
    await saveUntil(
      run,
      project,
      'test/sum.test.ts',
      /RERUN +chat\.slo\.ts[^]*RERUN +test\/sum\.test\.ts[^]*Tests +1 passed/,
    )
    expect(server.requests).toEqual([])
  })
})

/** Saves a file until the output shows what comes of it: a watcher that is not yet ready misses the first time. */
async function saveUntil(run: RunningVitest, project: FixtureProject, file: string, text: RegExp): Promise<void> {
  await vi.waitFor(
    async () => {
      await appendFile(join(project.path, file), '// saved\n')
      await vi.waitFor(() => expect(run.output()).toMatch(text), { timeout: 5000, interval: 50 })
    },
    { timeout: 30_000, interval: 10 },
  )
}

/** Files whose saving made Vitest run, each once. */
function reruns(run: RunningVitest): string[] {
  return [...new Set([...run.output().matchAll(/RERUN +(\S+)/g)].map(([, file]) => file!))]
}
