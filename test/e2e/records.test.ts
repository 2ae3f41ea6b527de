import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { chatServer } from './chat-server.ts'
import { fixtureProject } from './fixture-project.ts'
import { oneRun } from './one-run.ts'
import type { Report } from '../../src/model/report.ts'

describe('what a report says of its tests', () => {
  const run = oneRun('fails', ['--project', 'slo', 'records'], { QUERY_SECRET: 'q', KEY_SECRET: 'k' })
  let reports: Map<string, Report>
  beforeAll(async () => {
    reports = await run.project.reports()
  })

  test('two assertions of one name are two, and the worse is not lost', () => {
    const { assertions, verdict } = reports.get('records.slo.ts/two_of_a_name.json')!
    expect(assertions.map((assertion) => assertion.verdict)).toEqual(['inconclusive', 'pass'])
    expect(verdict).toBe('inconclusive')
    expect(run.tests.get('two of a name the first is inconclusive')?.status).toBe('failed')
  })

  test('a test that failed by a plain assertion makes it a fail, and is named', () => {
    const { notes, verdict } = reports.get('records.slo.ts/a_plain_failure.json')!
    expect(verdict).toBe('fail')
    expect(notes).toEqual([expect.stringMatching(/^by value failed: expected .* to be less than 0/)])
    expect(run.output).toMatch(/^FAIL +a plain failure/m)
  })

  test('without a test no load is offered', () => {
    expect(reports.has('records.slo.ts/nothing_to_judge.json')).toBe(false)
    expect(run.output).not.toContain('slo nothing to judge:')
    expect(run.output).toContain('No test found in suite nothing to judge')
  })

  test('the line of a finished step counts no reply that came while it drained', () => {
    for (const [, offered, achieved] of run.output.matchAll(/offered ([\d.]+)\/s, achieved ([\d.]+)\/s/g)) {
      expect(Number(achieved)).toBeLessThanOrEqual(Number(offered))
    }
  })
})

test('an output folder that cannot be made is told before any request', async () => {
  await using server = await chatServer()
  await using project = await fixtureProject('fails')
  await writeFile(join(project.path, '.slo'), 'a file')
  const env = { SERVER: server.url, QUERY_SECRET: 'q', KEY_SECRET: 'k' }
  const { code, output } = await project.run(['run', '--project', 'slo', 'records', '-t', 'by value'], env)
  expect(code).toBe(1)
  expect(output).toContain('outputDir: reports cannot be written to')
  expect(server.requests).toEqual([])
})
