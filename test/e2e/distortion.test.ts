import { spawn, spawnSync } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { describe, expect, test, vi } from 'vitest'
import type { Report } from '../../src/model/report.ts'
import { startSimulator } from '../../src/simulator/launch.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { chatServer } from './chat-server.ts'
import { descendantsOf } from './descendants.ts'
import { type EndedRun, environment, fixtureProject, follow, type RunningVitest } from './fixture-project.ts'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Holds a program to some cores; Linux has it. */
const TASKSET = 'taskset'

const RUN = ['run', '--project', 'slo']

/** The one report of a run. */
function only(reports: ReadonlyMap<string, Report>, run: EndedRun): Report {
  const [report, ...others] = reports.values()
  if (report === undefined || others.length > 0) throw new Error(`${reports.size} reports:\n${run.output}`)
  return report
}

const verdictsOf = ({ assertions }: Report) => assertions.map(({ figure, verdict }) => `${figure}: ${verdict}`)

/** Stops all load processes at once, and lets them go on after so long, ms. */
async function stopFor(ms: number, vitest: RunningVitest): Promise<void> {
  const all = await descendantsOf(vitest.process.pid!)
  const pids = all.filter(({ command }) => command.includes('tinypool/dist/entry/process')).map(({ pid }) => pid)
  expect(pids).toHaveLength(2)
  for (const pid of pids) process.kill(pid, 'SIGSTOP')
  await wait(ms)
  for (const pid of pids) process.kill(pid, 'SIGCONT')
}

/** A run against a server of 95 ms a reply, whose load processes are stopped so many times in mid-load. */
async function stopped(name: string, times: number, ms: number): Promise<{ run: EndedRun; report: Report }> {
  await using stack = new AsyncDisposableStack()
  const server = stack.adopt(await startSimulator({ ttftMs: 80, itlMs: 5 }), (started) => started.close())
  const project = stack.use(await fixtureProject('distorted'))
  const vitest = project.start([...RUN, 'stopped', '-t', name], { SLO_URL: server.url })
  const start = hostNow()
  const writes = async () => (await server.writesBetween(start, hostNow())).writes
  for (let i = 0; i < times; i++) {
    // 4 a reply: every stop falls into the load, and there is some of it between two of them.
    const before = await writes()
    await vi.waitUntil(async () => (await writes()) > before + 120, { timeout: 60_000, interval: 20 })
    await stopFor(ms, vitest)
  }
  const run = await vitest.ended
  return { run, report: only(await project.reports(), run) }
}

describe.skipIf(process.platform !== 'linux')('load processes that are stopped', () => {
  test('once, for longer than the limit: the step is void by the stall, and no request is lost to it', async () => {
    const { run, report } = await stopped('stopped once', 1, 2000)
    expect(run.code).toBe(1)
    expect(report.verdict).toBe('invalid')
    const stalls = report.steps[0]!.voids.filter(({ check }) => check === 'stall')
    expect(stalls).toHaveLength(2)
    for (const { message } of stalls) {
      expect(message).toMatch(
        /^load process [12] \(pid \d+\) stood still for \d{4,} ms at 100 req\/s, the limit is 250 ms.*: leave more of the machine to it$/,
      )
    }
    for (const { stallMs } of report.steps[0]!.audits) expect(stallMs).toBeGreaterThan(1900)
    expect(verdictsOf(report)).toEqual(['p99 E2E: invalid', 'error count: invalid'])
    expect(run.output).toContain('InvalidMeasurementError: the run of "stopped once" is invalid: every step is void')
    // Timeouts of 1.5 s, a standstill of 2: the replies lay there, and nobody had been waiting for the server.
    expect(report.steps[0]!.counts).toMatchObject({ planned: 600, sent: 600, completed: 600 })
  }, 120_000)

  test('often, each time for less than the limit: no upper limit fails for it', async () => {
    const { run, report } = await stopped('stopped often', 6, 200)
    expect(report.steps[0]!.counts).toMatchObject({ planned: 600, completed: 600 })
    for (const { stallMs } of report.steps[0]!.audits) expect(stallMs).toBeGreaterThan(150)
    const failed = report.assertions.filter(({ verdict }) => verdict !== 'pass' && verdict !== 'invalid')
    expect(failed, run.output).toEqual([])
    expect(report.assertions.length).toBe(8)
    // It would have: what was measured is far above the limit.
    expect(report.verdict).toBe('invalid')
  }, 120_000)
})

const pins = spawnSync(TASKSET, ['-c', '0', 'true']).status === 0
test.skipIf(!pins)(
  'one core for everything ends with a report, and loses no request',
  async () => {
    await using project = await fixtureProject('distorted')
    const command = ['-c', '0', process.execPath, VITEST, ...RUN, 'starved']
    const run = await follow(spawn(TASKSET, command, { cwd: project.path, env: environment({}) })).ended
    const report = only(await project.reports(), run)
    const { planned, completed } = report.steps[0]!.counts
    expect([planned, completed]).toEqual([100, 100])
    expect(['pass', 'invalid']).toContain(report.verdict)
    expect(run.code).toBe(report.verdict === 'pass' ? 0 : 1)
  },
  120_000,
)

test('a wall clock that steps to and fro by hours moves no duration', async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.adopt(await startSimulator({ ttftMs: 80, itlMs: 5 }), (started) => started.close())
  const project = stack.use(await fixtureProject('distorted'))
  const clock = pathToFileURL(`${project.path}/stepping-clock.mjs`).href
  const start = hostNow()
  const run = await project.run([...RUN, 'stepped'], { SLO_URL: server.url, NODE_OPTIONS: `--import ${clock}` })
  const tookMs = hostNow() - start
  const report = only(await project.reports(), run)
  expect(run.code, run.output).toBe(0)
  // The clock did step: the start is an hour off, to one side or the other.
  const off = Math.abs(Date.parse(report.startedAt) - Date.now())
  expect(off).toBeGreaterThan(3_600_000 - 2 * tookMs)
  expect(off).toBeLessThan(3_600_000 + 2 * tookMs)
  const { steps, total } = report
  expect(steps.map(({ durationMs }) => durationMs)).toEqual([2000, 1000])
  expect(steps[1]!.startedMs).toBeGreaterThanOrEqual(2000)
  expect(steps[1]!.startedMs).toBeLessThan(tookMs)
  expect(steps.map(({ rate }) => rate.nominal)).toEqual([50, 60])
  expect(total!.counts).toMatchObject({ planned: 160, sent: 160, completed: 160 })
  for (const { latency } of steps) {
    expect(latency.e2e.min).toBeGreaterThanOrEqual(95)
    expect(latency.e2e.max).toBeLessThan(tookMs)
    expect(latency.sendLag.max).toBeLessThan(tookMs)
  }
  for (const { audits } of steps) for (const { stallMs } of audits) expect(stallMs).toBeLessThan(tookMs)
}, 120_000)

test('no workers, and a thousand, are refused before the first request', async () => {
  await using stack = new AsyncDisposableStack()
  const server = stack.use(await chatServer())
  const project = stack.use(await fixtureProject('distorted'))
  const run = await project.run([...RUN, 'refused'], { SLO_URL: server.url })
  expect(run.code).toBe(1)
  for (const [workers, why] of [
    [0, 'is 0, below 1'],
    [1000, 'is 1000, above 256'],
  ] as const) {
    expect(run.output).toContain(`SpecError: slo '${workers} workers' (refused.slo.ts) has 1 problem:`)
    expect(run.output).toContain(`- workers: ${why}; accepted: 'auto', or a whole number from 1 to 256`)
  }
  expect(server.requests).toEqual([])
  expect((await project.reports()).size).toBe(0)
}, 60_000)
