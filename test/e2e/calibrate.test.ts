import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Calibration } from '../../src/model/calibration.ts'
import { type ChatServer, chatServer } from './chat-server.ts'
import { type Descendant, descendantsOf, running } from './descendants.ts'
import { environment, type FixtureProject, fixtureProject, follow } from './fixture-project.ts'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const CACHE = 'node_modules/.cache/vitest-slo/calibration.json'

/** Asks so little that nothing else is told of it, but more than its own limit of rho allows. */
const SPEC = `import { expect, slo, synthetic, test } from 'vitest-slo'

slo('chat', {
  target: { url: process.env.SERVER!, model: 'chat' },
  prompts: synthetic({ inputTokens: 8, outputTokens: 4 }),
  load: [{ rate: 20, requests: 10 }],
  workers: 'auto',
  warmup: 0,
  limits: { rho: 0.0001, busySeconds: 1, stall: '1m' },
}, () => {
  test('no errors', ({ errors }) => {
    expect(errors.count).toBeAtMost(0)
  })
})
`

const used = new AsyncDisposableStack()
let server: ChatServer
let project: FixtureProject
let printed: string
beforeAll(async () => {
  server = used.use(await chatServer())
  // A node_modules of its own: that of the repository is none of these tests'.
  project = used.use(await fixtureProject('basic', { 'chat.slo.ts': SPEC, 'node_modules/own': '' }))
  const calibrate = promisify(execFile)(process.execPath, [CLI, 'calibrate', '--seconds', '5'], {
    cwd: project.path,
    env: environment({}),
  })
  printed = (await calibrate).stdout
})
afterAll(() => used.disposeAsync())

/** Runs the spec; gives the lines before its load. */
async function planLines(): Promise<string[]> {
  const { output } = await project.run(['run', '--project', 'slo'], { SERVER: server.url })
  return output.split('\n').filter((line) => line.startsWith('slo chat: '))
}

const kept = async () => JSON.parse(await readFile(join(project.path, CACHE), 'utf8')) as Calibration

test('calibrate prints what one load process handles, and keeps it', async () => {
  expect(printed).toMatch(/^measuring one load process .*, about 5 s: /)
  expect(printed).toMatch(/at rho 1 +at rho 0\.5 +each\n.*\n *requests +>?[\d,]+ +>?[\d,]+ .*\n *tokens +>?[\d,]+ /)
  expect(printed).toMatch(/1,000 req\/s x 64\s+tokens\s+asks/)
  expect(printed).toContain(`kept for workers: 'auto' in ${CACHE}\n`)
  const { requestMs, tokenMs, measuredAt, fingerprint } = await kept()
  // From a fast idle machine to a slow busy one.
  for (const ms of [requestMs, tokenMs]) expect(ms).toSatisfy((ms: number) => ms > 0.0001 && ms < 50)
  expect(Date.parse(measuredAt)).not.toBeNaN()
  expect(fingerprint).toMatchObject({ platform: process.platform, node: process.versions.node })
})

test("a run with workers: 'auto' is sized by it", async () => {
  const [plan, asks] = await planLines()
  const workers = Number(/, (\d+) load process/.exec(plan!)![1])
  expect(workers).toSatisfy((workers: number) => workers >= 1 && workers < Math.max(2, availableParallelism()))
  expect(asks).toMatch(/^slo chat: asks about \S+ load processes' worth at 20 req\/s x 4 tokens, .*\(as calibrated\)$/)
})

test('one of another machine counts as none, and that is said', async () => {
  const calibration = await kept()
  const foreign = { ...calibration, fingerprint: { ...calibration.fingerprint, cpu: 'another' } }
  await writeFile(join(project.path, CACHE), JSON.stringify(foreign))
  const [, asks] = await planLines()
  expect(asks).toContain('the calibration was measured on another machine or version')
})

test('without one the figures are told to be built in', async () => {
  await rm(join(project.path, CACHE))
  const [, asks] = await planLines()
  expect(asks).toContain('(not calibrated, by built-in figures: npx vitest-slo calibrate measures this machine)')
})

/** It would go on for minutes: that these tests end at all is what they show. */
describe.skipIf(process.platform !== 'linux').concurrent('killed in the middle of a calibration', () => {
  /** A calibration under way, with its null server and load process. */
  async function underWay() {
    const calibration: ChildProcess = spawn(process.execPath, [CLI, 'calibrate', '--seconds', '600'], {
      cwd: project.path,
      env: environment({}),
    })
    const { ended } = follow(calibration)
    const all = await vi.waitFor(
      async () => {
        const found = await descendantsOf(calibration.pid!)
        expect(found.some(({ command }) => command.includes('tinypool/dist/entry/process'))).toBe(true)
        return found
      },
      { timeout: 20_000 },
    )
    return { calibration, ended, all }
  }

  const expectEnd = (processes: readonly Descendant[]) =>
    vi.waitFor(async () => expect(await running(processes)).toEqual([]), { timeout: 10_000 })

  test.each(['SIGKILL', 'SIGINT'] as const)('by %s: no process of it survives', async (signal) => {
    const { calibration, ended, all } = await underWay()
    expect(all.map(({ command }) => command)).toContain('vitest-slo null server')
    calibration.kill(signal)
    expect(await ended).toMatchObject({ code: null, signal })
    await expectEnd(all)
  })

  test('the null server: it ends, and says so', async () => {
    const { ended, all } = await underWay()
    process.kill(all.find(({ command }) => command === 'vitest-slo null server')!.pid, 'SIGKILL')
    const { code, output } = await ended
    expect(output).toContain('vitest-slo: the null server ended in mid-run: SIGKILL')
    expect(code).toBe(1)
    await expectEnd(all)
  })

  test('the load process: it ends, and says so', async () => {
    const { ended, all } = await underWay()
    process.kill(all.find(({ command }) => command.includes('tinypool/dist/entry/process'))!.pid, 'SIGKILL')
    const { code, output } = await ended
    expect(output).toMatch(/^vitest-slo: load process 1 \(pid .*\) died: /m)
    expect(code).toBe(1)
    await expectEnd(all)
  })
})
