import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/model/report.ts'
import { startSimulator } from '../../src/simulator/launch.ts'
import { scriptedServer, type Turn, whole } from '../client/scripted-server.ts'
import { type EndedRun, environment, type FixtureProject, fixtureProject, follow } from './fixture-project.ts'

const VITEST = fileURLToPath(new URL('../../node_modules/vitest/vitest.mjs', import.meta.url))

/** Holds a program to some cores; Linux has it. */
const TASKSET = 'taskset'

const ANSWER = {
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'four tokens of text' }, finish_reason: 'stop' }],
  usage: { prompt_tokens: 8, completion_tokens: 4, total_tokens: 12 },
}

describe('loads at the edges', () => {
  let run: EndedRun
  let reports: Map<string, Report>
  let turns: readonly Turn[]
  beforeAll(async () => {
    await using stack = new AsyncDisposableStack()
    const simulate = async (options: Parameters<typeof startSimulator>[0]) => {
      const server = await startSimulator(options)
      stack.defer(() => server.close())
      return server.url
    }
    const seen = stack.use(
      await scriptedServer({
        onRequest: ({ socket }) =>
          socket.write(whole('200 OK', ['content-type: application/json'], JSON.stringify(ANSWER))),
      }),
    )
    const servers = {
      fast: await simulate({ ttftMs: 5, itlMs: 1 }),
      slow: await simulate({ ttftMs: 1500 }),
      narrow: await simulate({ ttftMs: 40, slots: 1 }),
      seen: seen.url,
    }
    const project = stack.use(await fixtureProject('broken-edges'))
    run = await project.run(['run', '--project', 'slo', 'edges'], { SERVERS: JSON.stringify(servers) })
    reports = await project.reports()
    turns = seen.turns
  }, 120_000)

  const report = (name: string) => {
    const found = reports.get(`edges.slo.ts/${name}.json`)
    if (found === undefined) throw new Error(`no report of ${name}:\n${run.output}`)
    return found
  }
  const verdicts = (name: string) => report(name).assertions.map(({ test, verdict }) => `${test}: ${verdict}`)

  test('rates below one a second and closed loops stand in one list, each step with its own figures', () => {
    const { steps, verdict } = report('mixed')
    expect(verdict).toBe('pass')
    expect(steps.map((step) => step.label)).toEqual(['0.8 req/s', '10 req/s', 'concurrency 3', 'concurrency 2'])
    // One request at 0.8/s, 10/s for half a second, 13 by count; time alone ends the last step.
    expect(steps.map((step) => step.counts.planned)).toEqual([1, 5, 13, expect.any(Number)])
    // At 0.8/s one request takes 1.25 s.
    expect(steps.map((step) => step.durationMs)).toEqual([1250, 500, expect.any(Number), 300])
    for (const { counts } of steps) {
      expect(counts.planned).toBeGreaterThan(0)
      expect(counts.completed).toBe(counts.planned)
    }
  })

  test('steps back to back each keep their requests, and what the end cuts off is counted', () => {
    const { steps } = report('back_to_back')
    expect(steps.map((step) => step.counts.planned)).toEqual([16, 8])
    expect(steps.map((step) => step.startedMs)).toEqual([0, 400])
    expect(steps[0]!.counts.completed).toBe(16)
    const { completed, aborted } = steps[1]!.counts
    expect(completed + aborted).toBe(8)
    expect(verdicts('back_to_back')).toEqual(['back to back > what was in flight at the end of its step: pass'])
  })

  test('arrivals beyond maxInFlight are errors', () => {
    expect(report('at_most_four').total!.counts).toMatchObject({ planned: 20, sent: 4, unsent: 16, completed: 4 })
    expect(report('at_most_four').total!.errors.byKind).toEqual({ unsent: 16 })
    expect(verdicts('at_most_four')).toEqual(['at most four > the others: pass', 'at most four > the others: pass'])
  })

  test('a sweep whose first step is saturated bounds the point from above', () => {
    const { saturation } = report('saturated_from_the_start')
    expect(saturation).toMatchObject({ reached: 'already-passed', bound: 'at-most', lastSustained: null })
    expect(saturation!.firstSaturated).toBe(100)
    // One slot of 40 ms: 25 a second, and a few more that end while the step settles.
    expect(saturation!.rate).toBeLessThan(60)
    expect(verdicts('saturated_from_the_start')).toEqual([
      'saturated from the start > below: pass',
      'saturated from the start > not above: fail',
      'saturated from the start > who knows: inconclusive',
      'saturated from the start > merged: inconclusive',
    ])
  })

  test('a sweep that is never saturated bounds it from below', () => {
    const { saturation } = report('never_saturated')
    expect(saturation).toMatchObject({ reached: 'not-reached', bound: 'at-least', firstSaturated: null })
    expect(saturation!.rate).toBeGreaterThanOrEqual(30)
    expect(verdicts('never_saturated')).toEqual([
      'never saturated > above: pass',
      'never saturated > not below: fail',
      'never saturated > who knows: inconclusive',
    ])
  })

  test('fields and headers of the target arrive with every request', () => {
    expect(turns).toHaveLength(6)
    for (const { head, body } of turns) {
      expect(head).toMatch(/\r\nx-tenant: acme\r\n/i)
      expect(head).toMatch(/\r\nauthorization: Bearer sk-0001\r\n/i)
      expect(JSON.parse(body)).toMatchObject({
        model: 'llama',
        stream: false,
        max_tokens: 4,
        temperature: 0,
        stop: ['.'],
        nested: { a: null },
      })
    }
  })

  test('replies in one piece have an end and tokens, and no first one', () => {
    const { latency, meanOutputTokens } = report('whole_replies').total!
    expect(report('whole_replies').verdict).toBe('pass')
    expect(meanOutputTokens).toBe(4)
    expect([latency.e2e.count, latency.ntpot.count]).toEqual([6, 6])
    expect([latency.ttft.count, latency.ttft.notApplicable]).toEqual([0, 6])
  })

  test('a plain endpoint has E2E and no tokens, in the report and in what is printed', () => {
    const { verdict, total, options } = report('a_plain_endpoint')
    expect(verdict).toBe('pass')
    expect(options.target).toMatchObject({ api: 'http', url: expect.stringMatching(/\/v1\/models$/), stream: false })
    expect(total).toMatchObject({ meanOutputTokens: null, withoutUsage: 0, counts: { planned: 20, completed: 20 } })
    const { latency, throughput } = total!
    expect([latency.e2e.count, latency.ttft.count, latency.ntpot.count]).toEqual([20, 0, 0])
    expect([throughput.inputTokens, throughput.outputTokens, throughput.totalTokens]).toEqual([null, null, null])
    const lines = run.output.split('\n').filter((line) => line.includes('slo a plain endpoint: '))
    expect(lines).toHaveLength(2)
    expect(lines.join('\n')).not.toMatch(/token|TTFT/)
  })

  test('a status is a success where it is expected, and a failure elsewhere', () => {
    expect(verdicts('a_status_that_is_expected')).toEqual(['a status that is expected > no errors: pass'])
    expect(report('a_status_that_is_not')).toMatchObject({
      verdict: 'fail',
      total: { errors: { count: 6, byKind: { http: 6 }, examples: [{ status: 404 }] } },
    })
  })

  test('the older API works', () => {
    expect(report('completions').verdict).toBe('pass')
    expect(report('completions').options.target.url).toMatch(/\/v1\/completions$/)
    expect(report('completions').total!.meanOutputTokens).toBe(4)
  })

  test('whatever the name, the report stays in its folder', () => {
    const names = ['../../up/and: *away*', 'a long name '.repeat(30)]
    const found = [...reports].filter(([, { slo }]) => names.includes(slo))
    expect(found.map(([path, { verdict }]) => [path, verdict])).toEqual([
      [expect.stringMatching(/^edges\.slo\.ts\/a_long_name_[\w-]{1,100}\.json$/), 'pass'],
      [expect.stringMatching(/^edges\.slo\.ts\/[\w-]+\.json$/), 'pass'],
    ])
  })
})

describe.concurrent('few cores', () => {
  test('64 load processes share ten requests', async () => {
    const { run, reports } = await onCores('many processes', (project, args, env) => project.run(args, env))
    expect(run.code, run.output).toBe(0)
    const report = reports.get('cores.slo.ts/many_processes.json')!
    expect(report.client.workers).toBe(64)
    expect(report.total!.counts).toMatchObject({ planned: 10, completed: 10 })
  })

  const pins = spawnSync(TASKSET, ['-c', '0', 'true']).status === 0
  test.skipIf(!pins)('one core for Vitest and its load process is enough', async () => {
    const { run, reports } = await onCores('one core', (project, args, env) => {
      const command = ['-c', '0', process.execPath, VITEST, ...args]
      return follow(spawn(TASKSET, command, { cwd: project.path, env: environment(env) })).ended
    })
    expect(run.code, run.output).toBe(0)
    const report = reports.get('cores.slo.ts/one_core.json')!
    expect(report.options.workers).toBe(1)
    expect(report.total!.counts).toMatchObject({ planned: 50, completed: 50 })
  })
})

type Start = (project: FixtureProject, args: readonly string[], env: Record<string, string>) => Promise<EndedRun>

async function onCores(name: string, start: Start) {
  await using stack = new AsyncDisposableStack()
  const server = await startSimulator({ ttftMs: 5, itlMs: 1 })
  stack.defer(() => server.close())
  const project = stack.use(await fixtureProject('broken-edges'))
  const run = await start(project, ['run', '--project', 'slo', 'cores', '-t', name], { SLO_URL: server.url })
  return { run, reports: await project.reports() }
}
