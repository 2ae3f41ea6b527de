import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { type ChatServer, chatServer } from './chat-server.ts'
import { type FixtureProject, fixtureProject } from './fixture-project.ts'

/** A test as Vitest's own JSON report has it. */
export interface TestResult {
  readonly status: 'passed' | 'failed' | 'skipped' | 'pending' | 'todo'
  /** Each with its stack. */
  readonly failureMessages: readonly string[]
}

/** One run of Vitest on a sample project that has ended: what all tests of a file look at. */
export interface OneRun {
  /** What the project's specs aim at, by the environment's SERVER. */
  readonly server: ChatServer
  readonly project: FixtureProject
  readonly code: number | null
  readonly output: string
  /** By full name, without the file. */
  readonly tests: ReadonlyMap<string, TestResult>
}

interface JsonReport {
  readonly testResults: readonly {
    readonly assertionResults: readonly (TestResult & { readonly fullName: string })[]
  }[]
}

/**
 * Runs Vitest once, before the tests of the file (or describe) that calls this, and removes everything after them. What
 * it gives is filled by then.
 */
export function oneRun(name: string, args: readonly string[], env: Readonly<Record<string, string>> = {}): OneRun {
  const run = {} as OneRun
  const used = new AsyncDisposableStack()
  beforeAll(async () => {
    const server = used.use(await chatServer())
    const project = used.use(await fixtureProject(name))
    const reporters = ['--reporter=default', '--reporter=json', '--outputFile.json=out/vitest.json']
    const { code, output } = await project.run(['run', ...args, ...reporters], { SERVER: server.url, ...env })
    const report = JSON.parse(await readFile(join(project.path, 'out/vitest.json'), 'utf8')) as JsonReport
    const results = report.testResults.flatMap((file) => file.assertionResults)
    Object.assign(run, { server, project, code, output, tests: new Map(results.map((test) => [test.fullName, test])) })
  })
  afterAll(() => used.disposeAsync())
  return run
}
