import { readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createVitest } from 'vitest/node'
import { chatServer } from './chat-server.ts'
import { fixtureProject } from './fixture-project.ts'

const NOT_RUN = 'slo: not run; name it with --project slo'

describe('offers load', () => {
  test('not by a plain run, which says so and runs the other tests', async () => {
    const { code, output, models } = await run([])
    expect(code, output).toBe(0)
    expect(models).toEqual([])
    expect(output.split(NOT_RUN)).toHaveLength(2)
    expect(output).toMatch(/✓ \|unit\| test\/sum\.test\.ts/)
  })

  test('for the test at a line of a spec', async () => {
    const { code, output, models } = await run((line) => [`chat.slo.ts:${line}`])
    expect(code, output).toBe(0)
    expect(models).toEqual(Array.from({ length: 5 }, () => 'chat'))
    expect(output).toMatch(/ Tests +1 passed \| 1 skipped \(2\)/)
    expect(output).toMatch(/^PASS +chat /m)
  })

  test('in the longer form as the only project', async () => {
    const { code, output, models } = await run(['--config=alone.config.ts', '--project=s*'])
    expect(code, output).toBe(0)
    expect(models.toSorted()).toEqual([
      ...Array.from({ length: 5 }, () => 'chat'),
      ...Array.from({ length: 5 }, () => 'other'),
    ])
    expect(output).toMatch(/ Tests +3 passed \(3\)/)
    expect(output).not.toContain('not run')
  })

  test("by a plain run with run: 'always'", async () => {
    const { code, output, models, reports } = await run(['--config=always.config.ts'])
    expect(code, output).toBe(0)
    expect(models).toHaveLength(10)
    expect(reports.toSorted()).toEqual(['chat.slo.ts/chat.json', 'load/other.slo.ts/other.json'])
    expect(output).toMatch(/ Tests +4 passed \(4\)/)
  })

  /** Runs Vitest; `models` has one entry for each request, in order, `reports` the files in the folder of that name. */
  async function run(args: readonly string[] | ((line: number) => readonly string[])) {
    await using server = await chatServer()
    await using project = await fixtureProject('named')
    const lines = (await readFile(join(project.path, 'chat.slo.ts'), 'utf8')).split('\n')
    const line = lines.findIndex((text) => text.includes("test('first'")) + 1
    const given = typeof args === 'function' ? args(line) : args
    const ended = await project.run(['run', ...given], { SERVER: server.url })
    const reports = [...(await project.reports('reports')).keys()]
    return { ...ended, models: server.requests.map(({ model }) => model), reports }
  }
})

describe('which files a command line runs', () => {
  const UNIT = '[unit] test/sum.test.ts'
  const CHAT = '[slo] chat.slo.ts'
  const OTHER = '[slo] load/other.slo.ts'

  test.for([
    { filters: [], files: [UNIT], why: 'a plain run: no spec' },
    { project: 'slo', filters: [], files: [CHAT, OTHER], why: 'the project by its name' },
    { project: 's*', filters: [], files: [CHAT, OTHER], why: 'a pattern that it matches' },
    { project: 'unit', filters: [], files: [UNIT], why: 'another project' },
    { project: '!unit', filters: [], files: [], why: 'a pattern that only leaves it over' },
    { filters: ['chat'], files: [CHAT], why: "a part of the spec's name" },
    { filters: ['chat.slo.ts'], files: [CHAT], why: 'its whole name' },
    { filters: ['load/other'], files: [OTHER], why: 'its path' },
    { filters: ['load'], files: [], why: 'a folder names no spec' },
    { filters: ['chat', 'sum'], files: [UNIT, CHAT], why: 'a spec and a test' },
    { filters: ['sum'], files: [UNIT], why: 'a test' },
    { project: 'slo', filters: ['load'], files: [OTHER], why: 'the project, and a folder of it' },
  ])('$why: --project $project $filters', async ({ project, filters, files }) => {
    await using copy = await fixtureProject('named')
    const chosen = project === undefined ? {} : { project: [project] }
    const vitest = await createVitest('test', { root: copy.path, watch: false, ...chosen })
    await using used = new AsyncDisposableStack()
    used.defer(() => vitest.close())
    const specs = await vitest.globTestSpecifications([...filters])
    const found = specs.map((spec) => `[${spec.project.name}] ${relative(copy.path, spec.moduleId)}`)
    expect(found.toSorted()).toEqual(files.toSorted())
  })
})
