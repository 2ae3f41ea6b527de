import { stripVTControlCharacters } from 'node:util'
import { expect, test } from 'vitest'
import type { Report, ReportFigures } from '../../src/model/report.ts'
import { renderReport, renderReports } from '../../src/report/terminal.ts'
import { closedStep, openStep, sampleInput } from './sample.ts'
import { reportOf } from '../../src/report/report.ts'
import { SCENARIOS } from './scenarios.ts'

function rendered(name: string, width = 80): string {
  return `\n${renderReport(SCENARIOS[name]!, { width, color: false, path: '.slo/load/chat.slo.ts/chat.json' })}\n`
}

test('a list of steps that passes', () => {
  expect(rendered('passing')).toMatchInlineSnapshot(`
    "
    PASS          chat (load/chat.slo.ts), 2 assertions: 2 pass

    step offered achieved   TTFT ms   TPOT ms  NTPOT ms  E2E ms errors  rho  lag
      /s      /s       /s   p50/p99   p50/p99   p50/p99 p50/p99               ms
      10    10.0     10.0 25.0/29.9 4.68/4.92 5.00/5.31 320/340     0% 0.12 0.40
      20    20.0     20.0 35.0/47.7 5.08/5.58 5.55/6.24 355/399     0% 0.21 0.40
     all    15.0     15.0 29.3/47.6 4.88/5.58 5.26/6.23 337/399     0% 0.21 0.40
    lag p99 of the send lag

    saturation    not reached up to 20 req/s
    usable        at least 20 req/s: every step reached the attainment
    goodput       99.8 % of all requests, 15/s
    objectives    99 % of all requests within TTFT 45 ms, NTPOT 40 ms
    client        2 load processes, rho 0.21, send lag p99 0.396 ms, adds 0.285 ms
                  p50, 0.696 ms p99 to a latency at these rates on this machine;
                  mean 0.348 ms (model 0.02)
    output        64 tokens a reply, mean of 900 replies; 12 replies without usage:
                  content events counted
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('assertions that fail, and one with too few samples', () => {
  expect(rendered('failing')).toMatchInlineSnapshot(`
    "
    FAIL          chat (load/chat.slo.ts), 3 assertions: 1 fail, 1 inconclusive, 1
                  pass

    fail          chat > at 20 req/s: p95 TTFT was 862 ms (95 % interval 840 to 881,
                  n = 600) at 20 req/s, expected below 500 ms; saturation not
                  reached up to 20 req/s
    inconclusive  chat > p99.9 TTFT: p99.9 TTFT needs 2,995 requests to pass, there
                  are 900

    step offered achieved   TTFT ms   TPOT ms  NTPOT ms    E2E ms errors  rho  lag
      /s      /s       /s   p50/p99   p50/p99   p50/p99   p50/p99               ms
      10    10.0     10.0 25.0/29.9 4.68/4.92 5.00/5.31   320/340     0% 0.12 0.40
      20    20.0     19.5  473/fail 11.0/fail 18.3/fail 1168/fail  2.50% 0.12 0.40
     all    15.0     14.8  248/fail 8.49/fail 12.2/fail  783/fail  1.67% 0.12 0.40
    fail a failed request stands at that rank; lag p99 of the send lag

    client        2 load processes, rho 0.12, send lag p99 0.4 ms, adds 0.288 ms
                  p50, 0.7 ms p99 to a latency at these rates on this machine; mean
                  0.35 ms (model 0.02)
    output        64 tokens a reply, mean of 885 replies
    errors        15 of 900 requests (1.67 %)
                  9 x HTTP status, for example "{"error":{"message":"the engine is
                  overloaded, please retry later"}}"
                  4 x connection reset, for example "{"error":{"message":"the engine
                  is overloaded, please retry later"}}"
                  2 x still in flight when the step had settled, for example
                  "{"error":{"message":"the engine is overloaded, please retry
                  later"}}"
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('a sweep up to saturation', () => {
  expect(rendered('sweep')).toMatchInlineSnapshot(`
    "
    PASS          chat capacity (load/chat.slo.ts), 1 assertion: 1 pass

    step offered achieved   TTFT ms   TPOT ms  NTPOT ms     E2E s errors  rho  lag
      /s      /s       /s   p50/p99   p50/p99   p50/p99   p50/p99               ms
       5    5.04     5.04 22.0/24.0 4.57/4.70 4.85/5.00 0.31/0.32     0% 0.12 0.40
    12.6    12.6     12.6 25.5/30.9 4.79/5.06 5.12/5.47 0.33/0.35     0% 0.12 0.40
    31.7    31.7     31.7 54.4/87.5 5.72/6.84 6.48/8.10 0.41/0.52     0% 0.12 0.40
    ? 50    50.0     50.0   462/892 14.3/23.6 21.3/37.2 1.36/2.38     0% 0.12 0.40
    ! 80    80.0     46.7 8405/fail 64.8/fail  195/fail 12.5/fail  41.7% 0.31 1.10
    ! saturated; ? undecided; fail a failed request stands at that rank; lag p99 of
    the send lag

    saturation    46.8 req/s (95 % interval 44.9 to 48.2): carried 31.7, not 80
    client        2 load processes, rho 0.31, send lag p99 1.1 ms, adds 0.382 ms
                  p50, 1.4 ms p99 to a latency at these rates on this machine; mean
                  0.6 ms (model 0.02)
    output        64 tokens a reply, mean of 2,190 replies
    errors        500 of 2,690 requests (18.6 %)
                  500 x still in flight when the step had settled, for example
                  "still in flight when the step had settled (sample)"
    undecided     50 req/s: growth of 0.04 may be chance: the step must last 38 s to
                  tell
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('a closed loop', () => {
  expect(rendered('closed loop')).toMatchInlineSnapshot(`
    "
    PASS          chat (load/chat.slo.ts), no assertions

    step offered achieved   TTFT ms   TPOT ms  NTPOT ms  E2E ms errors  rho  lag
              /s       /s   p50/p99   p50/p99   p50/p99 p50/p99               ms
     c=4    12.0     12.0 25.0/29.9 4.92/5.08 5.24/5.47 335/350     0% 0.12 0.40
    c=16    43.3     43.3 41.5/60.6 5.38/5.70 5.94/6.55 380/419     0% 0.12 0.40
     all    27.7     27.7 36.1/60.5 5.28/5.69 5.77/6.55 369/419     0% 0.12 0.40
    c concurrency; lag p99 of the send lag

    client        2 load processes, rho 0.12, send lag p99 0.397 ms, adds 0.285 ms
                  p50, 0.697 ms p99 to a latency at these rates on this machine;
                  mean 0.348 ms (model 0.02)
    output        64 tokens a reply, mean of 1,660 replies
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('not one reply', () => {
  expect(rendered('all failed')).toMatchInlineSnapshot(`
    "
    INCONCLUSIVE  chat (load/chat.slo.ts), no assertions

    note          not one of 30 requests got a successful reply (refused: connection
                  refused (sample))

    step  offered  achieved  TTFT ms  TPOT ms  NTPOT ms   E2E ms  errors   rho   lag
      /s       /s        /s  p50/p99  p50/p99   p50/p99  p50/p99                  ms
      10     10.0         0     fail     fail      fail     fail    100%  0.12  0.40
    fail a failed request stands at that rank; lag p99 of the send lag

    saturation    unknown: no step had a successful reply
    goodput       0 % of all requests, 0/s
    objectives    99 % of all requests within TTFT 45 ms
    client        2 load processes, rho 0.12, send lag p99 0.4 ms, adds 0.46 ms p50,
                  0.7 ms p99 to a latency at these rates on this machine; mean 0.522
                  ms (model 0.02)
    errors        30 of 30 requests (100 %)
                  30 x connection refused, for example "connection refused (sample)"
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('a void step', () => {
  expect(rendered('void step')).toMatchInlineSnapshot(`
    "
    INVALID       chat (load/chat.slo.ts), 1 assertion: 1 invalid

    invalid       chat > p99 NTPOT stays under 40 ms: p99 NTPOT was 6.24 ms at 2000
                  req/s, expected below 40 ms: it cannot be used, all 2 load
                  processes reached rho 0.97

      step offered achieved   TTFT ms   TPOT ms  NTPOT ms  E2E ms errors  rho  lag
        /s      /s       /s   p50/p99   p50/p99   p50/p99 p50/p99               ms
        10    10.0     10.0 35.0/49.7 5.00/5.55 5.47/6.24 350/399     0% 0.12 0.40
    x 2000    2000     2000 35.0/49.7 5.00/5.55 5.47/6.24 350/399     0% 0.97  307
       all     294      294 35.0/49.7 5.00/5.55 5.47/6.24 350/399     0% 0.97  307
    x void; lag p99 of the send lag

    saturation    not reached up to 10 req/s; the client's own limit is about 1900
                  req/s
    client        2 load processes, rho 0.97, send lag p99 306.9 ms, adds 150.5 ms
                  p50, 307.2 ms p99 to a latency at these rates on this machine;
                  mean 150.7 ms (model 0.02)
    output        64 tokens a reply, mean of 10,300 replies
    void          2000 req/s: all 2 load processes reached rho 0.97 at 2000 req/s (5
                  of 5 s at or above the limit of 0.85); this machine has 3 cores,
                  none left for more workers: use one with more, or offer at most
                  about 1900 req/s
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('replies that do not stream', () => {
  expect(rendered('not streaming')).toMatchInlineSnapshot(`
    "
    PASS          chat (load/chat.slo.ts), 1 assertion: 1 pass

    step  offered  achieved   NTPOT ms   E2E ms  errors   rho   lag
      /s       /s        /s    p50/p99  p50/p99                  ms
      10     10.0      10.0  5.47/6.24  350/399      0%  0.12  0.40
    TTFT, TPOT not applicable; lag p99 of the send lag

    client        2 load processes, rho 0.12, send lag p99 0.396 ms, adds 0.284 ms
                  p50, 0.696 ms p99 to a latency at these rates on this machine;
                  mean 0.348 ms (model 0.02)
    output        64 tokens a reply, mean of 300 replies
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('a load process that died', () => {
  expect(rendered('lost process')).toMatchInlineSnapshot(`
    "
    INVALID       chat (load/chat.slo.ts), no assertions

    note          load process 1 (pid 4001) died in step 10 req/s: killed by SIGKILL

    step offered achieved   TTFT ms   TPOT ms  NTPOT ms  E2E ms errors  rho  lag
      /s      /s       /s   p50/p99   p50/p99   p50/p99 p50/p99               ms
      10    10.0     10.0 35.0/49.7 5.00/5.55 5.47/6.24 350/399     0% 0.12 0.40
    lag p99 of the send lag

    client        2 load processes, rho 0.12, send lag p99 0.396 ms, adds 0.284 ms
                  p50, 0.696 ms p99 to a latency at these rates on this machine;
                  mean 0.348 ms (model 0.02)
    output        64 tokens a reply, mean of 300 replies
    target        openai-chat http://127.0.0.1:8000/v1/chat/completions, llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed 1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('a narrow terminal gets two tables', () => {
  expect(rendered('passing', 64)).toMatchInlineSnapshot(`
    "
    PASS          chat (load/chat.slo.ts), 2 assertions: 2 pass

    step  offered  achieved  errors   rho   lag
      /s       /s        /s                  ms
      10     10.0      10.0      0%  0.12  0.40
      20     20.0      20.0      0%  0.21  0.40
     all     15.0      15.0      0%  0.21  0.40

    step    TTFT ms    TPOT ms   NTPOT ms   E2E ms
      /s    p50/p99    p50/p99    p50/p99  p50/p99
      10  25.0/29.9  4.68/4.92  5.00/5.31  320/340
      20  35.0/47.7  5.08/5.58  5.55/6.24  355/399
     all  29.3/47.6  4.88/5.58  5.26/6.23  337/399
    lag p99 of the send lag

    saturation    not reached up to 20 req/s
    usable        at least 20 req/s: every step reached the
                  attainment
    goodput       99.8 % of all requests, 15/s
    objectives    99 % of all requests within TTFT 45 ms, NTPOT 40
                  ms
    client        2 load processes, rho 0.21, send lag p99 0.396 ms,
                  adds 0.285 ms p50, 0.696 ms p99 to a latency at
                  these rates on this machine; mean 0.348 ms (model
                  0.02)
    output        64 tokens a reply, mean of 900 replies; 12 replies
                  without usage: content events counted
    target        openai-chat
                  http://127.0.0.1:8000/v1/chat/completions,
                  llama-3-8b
    run           2026-11-29T15:00:00.000Z, poisson arrivals, seed
                  1234
    report        .slo/load/chat.slo.ts/chat.json
    "
  `)
})

test('a wide terminal gets more air', () => {
  expect(rendered('passing', 120).split('\n').slice(3, 8).join('\n')).toMatchInlineSnapshot(`
    "step  offered  achieved    TTFT ms    TPOT ms   NTPOT ms   E2E ms  errors   rho   lag
      /s       /s        /s    p50/p99    p50/p99    p50/p99  p50/p99                  ms
      10     10.0      10.0  25.0/29.9  4.68/4.92  5.00/5.31  320/340      0%  0.12  0.40
      20     20.0      20.0  35.0/47.7  5.08/5.58  5.55/6.24  355/399      0%  0.21  0.40
     all     15.0      15.0  29.3/47.6  4.88/5.58  5.26/6.23  337/399      0%  0.21  0.40"
  `)
})

test('several reports: every verdict first', () => {
  const reports = ['passing', 'sweep'].map((name) => ({ report: SCENARIOS[name]! }))
  const lines = renderReports(reports, { width: 80, color: false }).split('\n')
  expect(lines.slice(0, 4)).toEqual([
    'PASS          chat (load/chat.slo.ts), 2 assertions: 2 pass',
    'PASS          chat capacity (load/chat.slo.ts), 1 assertion: 1 pass',
    '',
    'chat (load/chat.slo.ts)',
  ])
  expect(lines).toContain('chat capacity (load/chat.slo.ts)')
})

test('steps of both kinds carry their units', () => {
  const mixed = sampleInput([
    { step: openStep(20), replies: 600 },
    { step: closedStep(16), replies: 900 },
  ])
  const text = renderReport(reportOf(mixed), { width: 80, color: false })
  expect(text).toMatch(/^20\/s /m)
  expect(text).toMatch(/^c=16 /m)
})

test('a run that ended before its first step has no table', () => {
  const text = renderReport(reportOf(sampleInput([], { notes: ['interrupted in the warm-up'] })), {
    width: 80,
    color: false,
  })
  expect(text).toContain('INCONCLUSIVE')
  expect(text).toContain('no step was run')
})

test('colours repeat what the words say', () => {
  for (const report of Object.values(SCENARIOS)) {
    const colored = renderReport(report, { width: 80, color: true })
    const plain = renderReport(report, { width: 80, color: false })
    expect(colored.length).toBeGreaterThan(plain.length)
    expect(stripVTControlCharacters(colored)).toBe(plain)
  }
})

/** The report of a load of a plain HTTP endpoint whose figures are those of another report. */
function plainReport(of: Report): Report {
  const without = <F extends ReportFigures>(figures: F): F => {
    const { ntpot } = figures.latency
    const none = { count: 0, notApplicable: ntpot.count, min: null, mean: null, max: null, histogram: null }
    const ranks = { p50: null, p75: null, p90: null, p95: null, p99: null, p999: null }
    return { ...figures, meanOutputTokens: null, latency: { ...figures.latency, ntpot: { ...none, ...ranks } } }
  }
  const target = { ...of.options.target, api: 'http', model: null, stream: false }
  const total = of.total && without(of.total)
  return { ...of, options: { ...of.options, target }, steps: of.steps.map(without), total }
}

test.each(['not streaming', 'all failed'])('a plain endpoint has no columns and no line of tokens: %s', (name) => {
  const report = plainReport({ ...SCENARIOS[name]!, assertions: [] })
  const text = renderReport(report, { width: 100, color: false })
  expect(text).toContain('E2E ms')
  expect(text).toContain('TTFT, TPOT, NTPOT not applicable')
  expect(text).not.toMatch(/(?:TTFT|TPOT|NTPOT) ms|tokens a reply/)
})
