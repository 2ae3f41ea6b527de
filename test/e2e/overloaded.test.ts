import { expect, test } from 'vitest'
import type { VoidReason } from '../../src/model/audit.ts'
import type { Report } from '../../src/model/report.ts'
import { forkNullServer } from '../../src/pool/null-server-process.ts'
import { type EndedRun, fixtureProject } from './fixture-project.ts'

/** Requests of 64 tokens a second; each rate is twice what fills a loop that was not full before. */
const RATES = [20_000, 40_000, 80_000]

async function runAt(rate: number): Promise<{ run: EndedRun; report: Report }> {
  await using stack = new AsyncDisposableStack()
  const reply = { api: 'openai-chat', tokens: 64, gapMs: null }
  const server = stack.adopt(await forkNullServer(reply), (started) => started.close())
  const project = stack.use(await fixtureProject('distorted'))
  const env = { SLO_URL: server.url, RATE: String(rate) }
  const run = await project.run(['run', '--project', 'slo', 'overloaded'], env)
  const report = (await project.reports()).get('overloaded.slo.ts/overloaded.json')
  if (report === undefined) throw new Error(`no report:\n${run.output}`)
  return { run, report }
}

test('a client that is overloaded on purpose ends invalid, with what to do about it, and blames no server', async () => {
  let rate = 0
  let run: EndedRun
  let report: Report
  let busy: VoidReason | undefined
  // A machine that takes the first rate with time to spare gets more.
  do {
    rate = RATES[RATES.indexOf(rate) + 1]!
    ;({ run, report } = await runAt(rate))
    busy = report.steps[1]!.voids.find(({ check }) => check === 'rho')
  } while (busy === undefined && rate < RATES.at(-1)!)

  expect(run.code).toBe(1)
  expect(report.verdict).toBe('invalid')
  expect(busy?.message).toMatch(
    new RegExp(
      String.raw`^the load process reached rho (0\.\d\d|1\.00) at ${rate} req/s \(\d+ of \d+ s at or above the limit of 0\.85\)` +
        String.raw`.*; this machine has [\d.]+ cores?(: set workers to \d+|, none left for more workers: use one with more, or offer at most about \d+ req/s)$`,
    ),
  )
  const { limit, workers } = report.client
  expect(workers).toBe(1)
  // What the one loop did while it was full: far from nothing, and less than it was asked.
  expect(limit).toBeGreaterThan(100)
  expect(limit).toBeLessThan(rate)

  // Every arrival is accounted for, however late.
  const { planned, sent, unsent } = report.steps[1]!.counts
  expect([planned, sent + unsent]).toEqual([3 * rate, 3 * rate])

  expect(['not-reached', 'unknown']).toContain(report.saturation!.reached)
  expect(report.saturation!.firstSaturated).toBeNull()
  expect(report.saturation!.reason).toMatch(/; the client's own limit is about \d+ req\/s/)

  // Limits that the server missed by far, and limits that it met by far: this client can say neither.
  expect(report.assertions.map(({ test, verdict }) => `${test.split(' > ')[1]}: ${verdict}`)).toEqual([
    'latency: invalid',
    'latency: invalid',
    'latency: invalid',
    'flow: invalid',
    'flow: invalid',
    'flow: invalid',
    'saturation: invalid',
    'the instrument itself: pass',
    'the instrument itself: pass',
  ])
  for (const { message, verdict } of report.assertions)
    if (verdict === 'invalid') expect(message).toContain(busy!.message)
}, 300_000)
