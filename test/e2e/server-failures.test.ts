import { beforeAll, describe, expect, test } from 'vitest'
import type { Report } from '../../src/model/report.ts'
import type { FailureKind } from '../../src/model/request.ts'
import { startSimulator } from '../../src/simulator/launch.ts'
import {
  chatChunks,
  chatReply,
  chunk,
  LAST_CHUNK,
  scriptedServer,
  STREAM_HEAD,
  type Turn,
  whole,
} from '../client/scripted-server.ts'
import { type EndedRun, fixtureProject } from './fixture-project.ts'

/** What the specs send as secrets; nothing of it may be printed or written. */
const SECRETS = /secret-000\d/

const TYPE = { json: 'content-type: application/json', html: 'content-type: text/html; charset=utf-8' }
const BEGUN = STREAM_HEAD + chatChunks(4).slice(0, 3).join('')

/** All secrets that a request carries, as a careless server would put them into its error. */
function echo({ head }: Turn): string {
  const found = [/^\S+ (\S+)/, /authorization: (.*)\r/i, /x-tenant-key: (.*)\r/i].map((part) => part.exec(head)?.[1])
  return JSON.stringify({ error: { message: `refused ${found.join(' and ')}` } })
}

const say = (bytes: (turn: Turn) => string) => (turn: Turn) => void turn.socket.write(bytes(turn))

/** Ways to answer, in the order in which the server goes through them. */
const ANSWERS: readonly ((turn: Turn) => void)[] = [
  say(() => chatReply(4)),
  say((turn) => whole('401 Unauthorized', [TYPE.json], echo(turn))),
  say((turn) => whole('404 Not Found', [TYPE.json], echo(turn))),
  say((turn) => whole('429 Too Many Requests', [TYPE.json, 'retry-after: 7'], echo(turn))),
  say((turn) => whole('500 Internal Server Error', [TYPE.json], echo(turn))),
  say((turn) => whole('200 OK', [TYPE.html], `<h1>Welcome</h1> ${echo(turn)}`)),
  // Not a byte.
  () => undefined,
  // A stall in mid-stream.
  say(() => BEGUN),
  ({ socket }) => socket.write(BEGUN, () => socket.resetAndDestroy()),
  ({ socket }) => socket.end(BEGUN),
  say((turn) => BEGUN + chunk(`data: ${echo(turn)}\n\n`) + LAST_CHUNK),
  say(() => STREAM_HEAD + chunk('data: [DONE]\n\n') + LAST_CHUNK),
]

const [good, unauthorized, , , failing, html, silent] = ANSWERS

describe('servers that fail', () => {
  let run: EndedRun
  let reports: Map<string, Report>
  let sent: number
  beforeAll(async () => {
    await using stack = new AsyncDisposableStack()
    const start = async (answer: (turn: Turn) => void) => stack.use(await scriptedServer({ onRequest: answer }))
    const every = await start((turn) => ANSWERS[turn.request % ANSWERS.length]!(turn))
    const mistaken = await start(good!)
    const gone = await scriptedServer({})
    await gone[Symbol.asyncDispose]()
    const servers = {
      every: every.url,
      refused: gone.url,
      dns: 'http://nobody.invalid/v1',
      unauthorized: (await start(unauthorized!)).url,
      html: (await start(html!)).url,
      silent: (await start(silent!)).url,
      half: (await start((turn) => (turn.request % 2 === 0 ? good! : failing!)(turn))).url,
      mistaken: mistaken.url,
    }
    const project = stack.use(await fixtureProject('broken-servers'))
    run = await project.run(['run', '--project', 'slo', 'servers'], { SERVERS: JSON.stringify(servers) })
    reports = await project.reports()
    sent = mistaken.sockets.length
  }, 120_000)

  const report = (name: string) => {
    const found = reports.get(`servers.slo.ts/${name}.json`)
    if (found === undefined) throw new Error(`no report of ${name}:\n${run.output}`)
    return found
  }
  const verdicts = (name: string) => report(name).assertions.map(({ test, verdict }) => `${test}: ${verdict}`)

  test('make the run red', () => {
    expect(run.code).toBe(1)
  })

  test.each<[FailureKind, number | null, RegExp]>([
    ['http', 401, /^HTTP 401: .*refused/],
    ['http', 404, /^HTTP 404: .*refused/],
    // The server's wish is part of the example.
    ['http', 429, /^HTTP 429 \(retry-after 7\): .*refused/],
    ['http', 500, /^HTTP 500: .*refused/],
    ['bad-payload', null, /^content-type is text\/html.*Welcome/],
    ['timeout-first-byte', null, /within 2000 ms/],
    ['timeout-idle', null, /within 2000 ms/],
    ['reset', null, /ECONNRESET/],
    // Of six chunks the role's and two tokens came.
    ['truncated', null, /after 2 content events/],
    ['stream-error', null, /^refused/],
    ['empty', null, /without a token/],
  ])('are counted by kind, with one example each: %s %s', (kind, status, message) => {
    const examples = report('every_failure').total!.errors.examples.filter(
      (example) => example.kind === kind && example.status === status,
    )
    expect(examples).toEqual([{ kind, status, count: 3, message: expect.stringMatching(message) }])
  })

  test('lose no request, and hide no success', () => {
    const { verdict, total } = report('every_failure')
    // 36 requests, 3 of each of 12 ways to answer: one succeeds, two time out.
    expect(total!.counts).toEqual({
      planned: 36,
      sent: 36,
      unsent: 0,
      completed: 3,
      failed: 27,
      timedOut: 6,
      aborted: 0,
    })
    expect(total!.errors.byKind).toEqual({
      http: 12,
      'bad-payload': 3,
      'timeout-first-byte': 3,
      'timeout-idle': 3,
      reset: 3,
      truncated: 3,
      'stream-error': 3,
      empty: 3,
    })
    // What was asserted of the errors holds, and nothing else was.
    expect(verdict).toBe('pass')
  })

  test('that echo keys, headers and queries do not get them shown anywhere', () => {
    expect(run.output).toContain('[redacted]')
    expect(run.output).not.toMatch(SECRETS)
    expect(JSON.stringify([...reports])).not.toMatch(SECRETS)
  })

  test.each<[string, FailureKind]>([
    ['only_refused', 'refused'],
    ['only_dns', 'dns'],
    ['only_unauthorized', 'http'],
    ['only_html', 'bad-payload'],
    ['only_silent', 'timeout-first-byte'],
  ])('for every request leave a run inconclusive as a whole, its errors judged: %s', (name, kind) => {
    const { verdict, notes, total } = report(name)
    const slo = name.replace('_', ' ')
    expect(total!.errors.byKind).toEqual({ [kind]: 8 })
    expect(verdict).toBe('inconclusive')
    expect(notes.join()).toMatch(/not one .*successful reply/i)
    expect(verdicts(name)).toEqual([
      `${slo} > all requests failed: pass`,
      `${slo} > latency of nothing: inconclusive`,
      `${slo} > rate of nothing: inconclusive`,
    ])
    // The suite itself is red, whatever its tests asserted.
    expect(run.output).toContain(`InconclusiveError: the run of "${slo}" is inconclusive: not one of 8 requests`)
  })

  test('for every request of a closed loop are counted once each, and the suite is red', () => {
    expect(report('only_the_closed_loop').total!.errors.byKind).toEqual({ refused: 8 })
    expect(verdicts('only_the_closed_loop')).toEqual(['only the closed loop > all requests failed: pass'])
    expect(run.output).toContain('InconclusiveError: the run of "only the closed loop" is inconclusive')
  })

  test('for half of the requests close a gate, and a percentile of the other half is no pass', () => {
    expect(verdicts('every_second')).toEqual([
      'every second > half of the requests failed: pass',
      'every second > gate: fail',
      'every second > failures rank above every reply: fail',
    ])
    expect(run.output).toContain('AssertionError: error ratio was 50 % (n = 40), expected at most 1 %')
  })

  test('are not even asked when the spec has mistakes: one error lists them all', () => {
    for (const path of ['target.api', 'load[0].rate', 'load[0].duration', 'workers', 'warmpu']) {
      expect(run.output).toContain(`\n  - ${path}: is `)
    }
    expect(run.output).toContain("SpecError: slo 'several mistakes' (servers.slo.ts) has 5 problems:")
    expect(sent).toBe(0)
  })
})

test.concurrent('a server that goes away in mid-run ends as failures, not as a hang', async () => {
  await using stack = new AsyncDisposableStack()
  const server = await startSimulator({ ttftMs: 5, itlMs: 1 })
  stack.defer(() => server.close())
  const project = stack.use(await fixtureProject('broken-servers'))
  const running = project.start(['run', '--project', 'slo', 'dies'], { SLO_URL: server.url })
  await running.printed('slo dies: 50 req/s: offered')
  process.kill(server.pid, 'SIGKILL')
  const run = await running.ended
  const report = (await project.reports()).get('dies.slo.ts/dies.json')!
  expect(run.code).toBe(1)
  expect(report.verdict).toBe('fail')
  expect(report.steps.map((step) => step.counts.planned)).toEqual([25, 90])
  expect(report.steps[1]!.errors.byKind.refused).toBeGreaterThan(0)
  expect(report.steps[1]!.counts.aborted).toBe(0)
})

test.concurrent('a server that answers opens the gate that failures close', async () => {
  await using server = await scriptedServer({ onRequest: good! })
  await using project = await fixtureProject('broken-servers')
  const run = await project.run(['run', '--project', 'slo', 'gate'], { SLO_URL: server.url })
  expect(run.code, run.output).toBe(0)
  expect((await project.reports()).get('gate.slo.ts/gate.json')!.verdict).toBe('pass')
})
