import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { oneRun } from './one-run.ts'

const SECRETS = { QUERY_SECRET: 'query-secret-1', KEY_SECRET: 'key-secret-2' }
const junit = ['--reporter=junit', '--outputFile.junit=out/junit.xml']
const run = oneRun('fails', ['--project', 'slo', ...junit], SECRETS)

/** Errors of a test, first lines only: name and message. */
function errorsOf(name: string): string[] {
  return run.tests.get(name)?.failureMessages.map((message) => message.split('\n')[0]!) ?? []
}

/** What the terminal shows of a test's or a suite's error: from its name to the end of the code frame. */
function shown(name: string): string {
  return run.output.split(/^ FAIL {2}\|slo\| chat\.slo\.ts > /m).find((part) => part.startsWith(`${name}\n`)) ?? ''
}

test('ends with exit code 1', () => {
  expect(run.code, run.output).toBe(1)
})

describe('a limit that the server breaks', () => {
  const SENTENCE = /^AssertionError: p90 NTPOT was [\d.]+ ms \(95 % interval .*, n = 100\), expected below 0\.1 ms/

  test.each(['impossible limit', "Vitest's own comparison"])('%s: an AssertionError with the figures', (name) => {
    expect(errorsOf(`chat ${name}`)).toEqual([expect.stringMatching(SENTENCE)])
  })

  test('under not the opposite limit is judged', () => {
    expect(errorsOf('chat not')).toEqual([
      expect.stringMatching(/^AssertionError: p90 NTPOT was .* expected at most 0\.1 ms/),
    ])
  })

  test.each([
    ['impossible limit', "expect(p90.ntpot).toBeBelow('0.1ms')"],
    ["Vitest's own comparison", 'expect(p90.ntpot).toBeLessThan(0.1)'],
    ['not', "expect(p90.ntpot).not.toBeAbove('0.1ms')"],
    ['too few requests', "expect(p99.ttft).toBeBelow('30s')"],
    ['too few requests, asymmetric', "expect(p99).not.toMatchObject({ ttft: expect.toBeBelow('30s') })"],
    ['exactly', 'expect.soft(p90.ttft).toBe(10)'],
    ['wrong unit', "expect.soft(p90.ttft).toBeBelow('40/s')"],
  ])('%s: the frame is at the line of the author', async (name, code) => {
    const lines = (await readFile(join(run.project.path, 'chat.slo.ts'), 'utf8')).split('\n')
    const from = lines.findIndex((line) => line.includes(`'${name}'`) || line.includes(`"${name}"`))
    const line = lines.findIndex((text, i) => i > from && text.includes(code)) + 1
    expect(line).toBeGreaterThan(0)
    expect(shown(`chat > ${name}`)).toMatch(new RegExp(`^ ❯ chat\\.slo\\.ts:${line}:\\d+$`, 'm'))
    expect(shown(`chat > ${name}`)).not.toContain('dist/vitest')
  })

  test('polled, it is one assertion', async () => {
    const report = (await run.project.reports()).get('chat.slo.ts/chat.json')!
    const polled = report.assertions.filter(({ test }) => test === 'chat > impossible limit, polled')
    expect(polled).toEqual([expect.objectContaining({ figure: 'p90 NTPOT', verdict: 'fail' })])
  })

  test('test.fails turns it green', () => {
    expect(run.tests.get('chat impossible limit, fails')?.status).toBe('passed')
  })

  test('the message is in the report of JUnit', async () => {
    const xml = await readFile(join(run.project.path, 'out/junit.xml'), 'utf8')
    expect(xml).toMatch(/<failure message="p90 NTPOT was [^"]* expected below 0\.1 ms[^"]*" type="AssertionError">/)
    expect(xml).toMatch(/<failure message="p99 TTFT was [^"]* 299 are needed" type="InconclusiveError">/)
  })
})

describe('too few requests', () => {
  const SENTENCE =
    /^InconclusiveError: p99 TTFT was .*, n = 100\), expected (below|at most) 30000 ms: 100 requests are too few to tell, 299 are needed$/

  test.each([
    'too few requests',
    'too few requests, not',
    'too few requests, asymmetric',
    'too few requests, fails',
    'too few requests, fails, soft',
  ])('%s: an InconclusiveError that tells how many are needed', (name) => {
    expect(run.tests.get(`chat ${name}`)?.status).toBe('failed')
    expect(errorsOf(`chat ${name}`)).toEqual([expect.stringMatching(SENTENCE)])
  })

  test('are enough to refute a limit, and soft shows both', () => {
    expect(errorsOf('chat too few requests, soft')).toEqual([
      expect.stringMatching(SENTENCE),
      expect.stringMatching(/^AssertionError: p99 E2E was .*, n = 100\), expected below 1 ms/),
    ])
  })
})

describe('mistakes in a test say what to write', () => {
  test.each([
    [
      'exactly',
      /^TypeError: toBe\(10\) compares exactly, and p90 TTFT .* is a measured figure: use toBeBelow, .*toBeBetween, or take its \.value$/,
    ],
    [
      'wrong unit',
      /^TypeError: toBeBelow\("40\/s"\): p90 TTFT is of unit ms; accepted is a number of milliseconds, or text such as /,
    ],
    ['plain numbers', /^AssertionError: 3, expected below 2$/],
    ['without objectives', /^SpecError: goodput has 1 problem:$/],
    ['at a rate that was not declared', /^SpecError: at\(300\) has 1 problem:$/],
  ])('%s', (name, message) => {
    expect(errorsOf(`chat ${name}`)[0]).toMatch(message)
  })

  test.each([
    ['without objectives', 'give slo() the option objectives'],
    ['at a rate that was not declared', 'declared are: 200 req/s'],
  ])('%s: %s', (name, problem) => {
    expect(run.tests.get(`chat ${name}`)?.failureMessages[0]).toContain(problem)
  })
})

describe('a sweep', () => {
  test('has no merged figures to judge', () => {
    expect(errorsOf('sweep merged figures of a sweep')).toEqual([
      expect.stringMatching(/^InconclusiveError: p50 TTFT .* use at\(rate\), steps\[i\] or usable$/),
    ])
  })

  test('has those of a step', () => {
    expect(run.tests.get('sweep one step of it')?.status).toBe('passed')
  })
})

test('a run without a reply is red, whatever its tests asserted', () => {
  expect(run.tests.get('nobody answers asserts nothing')?.status).toBe('passed')
  expect(shown('nobody answers')).toMatch(
    /^InconclusiveError: the run of "nobody answers" is inconclusive: not one of 5 requests got a successful reply \(refused: .*\)\n ❯ chat\.slo\.ts:\d+:1$/m,
  )
})

test('every verdict stands first, then the tables', () => {
  const verdicts = [
    /^FAIL +chat \(chat\.slo\.ts\), \d+ assertions: \d+ fail, \d+ inconclusive$/m,
    /^INCONCLUSIVE +sweep /m,
    /^INCONCLUSIVE +nobody answers /m,
  ]
  const places = [...verdicts, /^chat \(chat\.slo\.ts\)$/m].map((text) => run.output.search(text))
  expect(places).not.toContain(-1)
  expect(places).toEqual(places.toSorted((a, b) => a - b))
})

test('no secret is shown by an error', () => {
  for (const secret of Object.values(SECRETS)) expect(run.output).not.toContain(secret)
})
