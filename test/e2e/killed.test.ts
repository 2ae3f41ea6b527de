import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type RunningSimulator, startSimulator } from '../../src/simulator/launch.ts'
import { type Descendant, descendantsOf, running } from './descendants.ts'
import { fixtureProject, type RunningVitest } from './fixture-project.ts'

/** Longest wait for processes to end, ms. They take a tenth of a second where there is a core for them. */
const END_MS = 10_000

let server: RunningSimulator
beforeAll(async () => {
  server = await startSimulator({ ttftMs: 5, itlMs: 1 })
})
afterAll(() => server.close())

/** Resolves when the load is under way, with the processes below this Vitest. */
async function underWay(vitest: RunningVitest) {
  await vitest.printed('slo endless: 50 req/s: offered')
  const all = await descendantsOf(vitest.process.pid!)
  const of = (part: string) => all.filter(({ command }) => command.includes(part))
  return {
    all,
    load: of('tinypool/dist/entry/process'),
    forks: of('vitest/dist/workers/forks'),
    simulators: of('vitest-slo simulator'),
  }
}

async function expectEnd(processes: readonly Descendant[]): Promise<void> {
  await vi.waitFor(async () => expect(await running(processes)).toEqual([]), { timeout: END_MS })
}

/** The step under way would go on for ten minutes: that these tests end at all is what they show. */
describe.skipIf(process.platform !== 'linux').concurrent('killed in the middle of a load', () => {
  test('a load process: the run ends as invalid, names it and the step, and writes its report', async () => {
    await using project = await fixtureProject('broken-processes')
    const vitest = project.start(['run', '--project', 'slo', 'endless'], { SLO_URL: server.url })
    const { load, all } = await underWay(vitest)
    expect(load).toHaveLength(2)
    const { pid } = load[1]!
    process.kill(pid, 'SIGKILL')
    const run = await vitest.ended
    expect(run.code).toBe(1)
    // Which of the two has which number only they know, and whether its step has begun when the signal arrives.
    const what = new RegExp(String.raw`load process [12] \(pid ${pid}\) died: .*, (?:in|before) the step of 60 req/s`)
    expect(run.output).toMatch(/InvalidMeasurementError: the run of "endless" is invalid: load process/)
    expect(run.output).toMatch(what)
    const report = (await project.reports()).get('endless.slo.ts/endless.json')!
    expect(report.verdict).toBe('invalid')
    expect(report.notes).toEqual([expect.stringMatching(what)])
    expect(report.steps.map((step) => step.label)).toEqual(['50 req/s', '60 req/s'])
    // The first step was over: what it measured stands, whatever else the machine did to it.
    expect(report.steps[0]!.voids.map(({ check }) => check)).not.toContain('dead-process')
    expect(report.steps[1]!.voids).toMatchObject([{ check: 'dead-process' }])
    await expectEnd(all)
  })

  test.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'Vitest, by %s: no load process and no embedded server survives it',
    async (signal) => {
      await using project = await fixtureProject('broken-processes')
      const vitest = project.start(['run', '--project', 'slo', 'endless'])
      const { load, simulators, all } = await underWay(vitest)
      expect([load.length, simulators.length]).toEqual([2, 1])
      vitest.process.kill(signal)
      const { code } = await vitest.ended
      expect(code).not.toBe(0)
      await expectEnd(all)
    },
  )

  test("Vitest's own worker: no load process and no embedded server survives it, and the run is red", async () => {
    await using project = await fixtureProject('broken-processes')
    const vitest = project.start(['run', '--project', 'slo', 'endless'])
    const { load, simulators, forks, all } = await underWay(vitest)
    expect([load.length, simulators.length, forks.length]).toEqual([2, 1, 1])
    process.kill(forks[0]!.pid, 'SIGKILL')
    const { code } = await vitest.ended
    expect(code).toBe(1)
    await expectEnd(all)
  })
})

test('two runs of one project at once both end, and leave whole reports and nothing else', async () => {
  await using project = await fixtureProject('broken-processes')
  const args = ['run', '--project', 'slo', 'short']
  const runs = await Promise.all([1, 2].map(() => project.run(args, { SLO_URL: server.url })))
  for (const run of runs) expect(run.code, run.output).toBe(0)
  expect(await readdir(join(project.path, '.slo/short.slo.ts'))).toEqual(['short.json'])
  const report = (await project.reports()).get('short.slo.ts/short.json')!
  expect(report).toMatchObject({ slo: 'short', verdict: 'pass', total: { counts: { planned: 50, completed: 50 } } })
})
