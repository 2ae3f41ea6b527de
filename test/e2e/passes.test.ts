import { Ajv2020 } from 'ajv/dist/2020.js'
import { execFile } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import schema from '../../docs/report.schema.json' with { type: 'json' }
import { oneRun } from './one-run.ts'

const CLI = join(import.meta.dirname, '../../dist/cli.js')
const REPORT = '.slo/chat.slo.ts/chat.json'
const SECRETS = { QUERY_SECRET: 'query-secret-1', KEY_SECRET: 'key-secret-2', HEADER_SECRET: 'header-secret-3' }

const files = [
  '--reporter=junit',
  '--outputFile.junit=out/junit.xml',
  '--reporter=blob',
  '--outputFile.blob=out/blob/blob.json',
]
const run = oneRun('passes', ['--project', 'slo', ...files], { ...SECRETS, GITHUB_STEP_SUMMARY: 'out/summary.md' })

const show = () => promisify(execFile)(process.execPath, [CLI, 'show', REPORT], { cwd: run.project.path })

test('is green', () => {
  expect(run.code, run.output).toBe(0)
})

test.each([
  ['chat p99 NTPOT', 'passed'],
  ['chat at a rate', 'passed'],
  ['chat goodput and errors', 'passed'],
  ['chat the instrument', 'passed'],
  ['chat the report', 'passed'],
  ['chat not', 'passed'],
  ['chat soft', 'passed'],
  ['chat poll', 'passed'],
  ['chat in an object', 'passed'],
  ['chat each: 50', 'passed'],
  ['chat each: 90', 'passed'],
  ['chat for: p50', 'passed'],
  ['chat for: p90', 'passed'],
  ["chat nested with a fixture of one's own", 'passed'],
  ['chat skipped', 'skipped'],
  ['chat planned', 'todo'],
])('%s: %s', (name, status) => {
  expect(run.tests.get(name)?.status).toBe(status)
})

test('one load fed all tests', () => {
  expect(run.server.requests).toHaveLength(350)
})

describe('the terminal', () => {
  const at = (text: string | RegExp) => (typeof text === 'string' ? run.output.indexOf(text) : run.output.search(text))

  test('says what will be sent before, and how a step went', () => {
    const plan = at(
      /^slo chat: 350 requests \(1,400 output tokens at most\) over 2 s to http.*, 1 load process, seed \d+$/m,
    )
    const step = at(/^slo chat: 150 req\/s: offered 150\/s, achieved [\d.]+\/s, TTFT .*, 0 errors$/m)
    expect(plan).toBeGreaterThan(-1)
    expect(step).toBeGreaterThan(plan)
    expect(at('✓ |slo| chat.slo.ts')).toBeGreaterThan(step)
  })

  test('has the verdict and the table after the summary of Vitest', () => {
    const summary = at(/^ +Tests +14 passed/m)
    const verdict = at(/^PASS +chat \(chat\.slo\.ts\), \d+ assertions: \d+ pass$/m)
    const row = at(/^\W*all +\d/m)
    expect(summary).toBeGreaterThan(-1)
    expect(verdict).toBeGreaterThan(summary)
    expect(row).toBeGreaterThan(verdict)
  })

  test('has no colour where NO_COLOR is set', () => {
    expect(run.output).not.toContain('\u001B')
  })
})

describe('the report', () => {
  test('is valid', async () => {
    const reports = await run.project.reports()
    expect([...reports.keys()]).toEqual(['chat.slo.ts/chat.json'])
    const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)
    expect(validate(reports.get('chat.slo.ts/chat.json')), JSON.stringify(validate.errors)).toBe(true)
  })

  test('has every assertion once, the polled one too', async () => {
    const report = (await run.project.reports()).get('chat.slo.ts/chat.json')!
    expect(report.verdict).toBe('pass')
    const assertions = report.assertions.map(({ test, figure, expected }) => `${test}: ${figure} ${expected}`)
    expect(assertions).toContain('chat > at a rate: p95 TTFT at 200 req/s below 10000 ms')
    expect(assertions).toContain('chat > not: p50 E2E at least 15 ms')
    expect(assertions.filter((text) => text.startsWith('chat > poll'))).toEqual([
      'chat > poll: p50 TTFT below 10000 ms',
    ])
    expect(new Set(assertions).size).toBe(assertions.length)
  })

  test('gives the same tables when it is shown', async () => {
    const { stdout } = await show()
    expect(run.output).toContain(stdout.trimEnd())
  })

  test('is in the step summary of GitHub', async () => {
    const summary = await read('out/summary.md')
    expect(summary).toMatch(/^\| chat \(chat\.slo\.ts\) \| pass \|/m)
  })

  test('travels to the reporters without histograms', async () => {
    const [own, blob, json] = await Promise.all([REPORT, 'out/blob/blob.json', 'out/vitest.json'].map(read))
    // The first characters of every HDR histogram in base64.
    expect([own, blob, json].map((text) => text?.includes('HISTF'))).toEqual([true, false, false])
    expect(json).toMatch(/"assertions":\[\{[^}]*"verdict":"pass"/)
  })
})

test('merged blob reports print the tables again', async () => {
  const { code, output } = await run.project.run(['run', '--merge-reports=out/blob'])
  expect(code, output).toBe(0)
  const { stdout } = await show()
  expect(output).toContain(stdout.trimEnd())
})

test('no secret is printed or written, though all were sent', async () => {
  const [request] = run.server.requests
  expect(request?.url).toContain(SECRETS.QUERY_SECRET)
  expect(request?.headers).toMatchObject({
    authorization: `Bearer ${SECRETS.KEY_SECRET}`,
    'x-tenant': SECRETS.HEADER_SECRET,
  })
  const { stdout } = await show()
  const texts = new Map([
    ...(await filesBelow('out')),
    ...(await filesBelow('.slo')),
    ['output', run.output],
    ['show', stdout],
  ])
  expect([...texts.keys()]).toEqual(
    expect.arrayContaining(['out/junit.xml', 'out/blob/blob.json', 'out/summary.md', REPORT]),
  )
  const leaks = [...texts].flatMap(([name, text]) =>
    [...Object.values(SECRETS), 'token=']
      .filter((secret) => text.includes(secret))
      .map((secret) => `${name}: ${secret}`),
  )
  expect(leaks).toEqual([])
})

function read(file: string): Promise<string> {
  return readFile(join(run.project.path, file), 'utf8')
}

async function filesBelow(folder: string): Promise<[string, string][]> {
  const entries = await readdir(join(run.project.path, folder), { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const names = paths.map((path) => relative(run.project.path, path))
  return Promise.all(names.map(async (name): Promise<[string, string]> => [name, await read(name)]))
}
