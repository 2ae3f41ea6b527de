import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readReport, reportPath, writeReport } from '../../src/report/json.ts'
import { renderReport } from '../../src/report/terminal.ts'
import { SCENARIOS } from './scenarios.ts'

const passing = SCENARIOS['passing']!

describe('reportPath', () => {
  test.each([
    ['chat', '.slo/load/chat.slo.ts/chat.json'],
    ['chat capacity', '.slo/load/chat.slo.ts/chat_capacity.json'],
    ['time-to-first-token 2', '.slo/load/chat.slo.ts/time-to-first-token_2.json'],
    // What is not kept as it is gets the start of its SHA-256.
    ['chat_capacity', expect.stringMatching(/^\.slo\/load\/chat\.slo\.ts\/chat_capacity-[0-9a-f]{8}\.json$/)],
    ['Chat', expect.stringMatching(/\/Chat-[0-9a-f]{8}\.json$/)],
    ['../../etc/passwd', expect.stringMatching(/^\.slo\/load\/chat\.slo\.ts\/etc-passwd-[0-9a-f]{8}\.json$/)],
    ['..', expect.stringMatching(/\/slo-[0-9a-f]{8}\.json$/)],
    ['漢字', expect.stringMatching(/\/slo-[0-9a-f]{8}\.json$/)],
    // A device on Windows, whatever its extension.
    ['con', expect.stringMatching(/\/con-[0-9a-f]{8}\.json$/)],
    ['a'.repeat(300), expect.stringMatching(/\/a{80}-[0-9a-f]{8}\.json$/)],
  ])('of %s', (name, path) => {
    expect(reportPath('.slo', 'load/chat.slo.ts', name)).toEqual(path)
  })

  test('a spec outside of the project root stays below the output folder', () => {
    expect(reportPath('.slo', '../other/./chat.slo.ts', 'chat')).toBe('.slo/%2E%2E/other/chat.slo.ts/chat.json')
    expect(reportPath('/out', '/abs/chat.slo.ts', 'chat')).toBe('/out/abs/chat.slo.ts/chat.json')
    expect(reportPath('/out', 'D:/x/chat.slo.ts', 'chat')).toBe('/out/D%3A/x/chat.slo.ts/chat.json')
  })
})

describe('files', () => {
  let folder: string
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitest-slo-report-'))
  })
  afterEach(async () => {
    await rm(folder, { recursive: true })
  })

  test('a report is read as it was written, and nothing else is left', async () => {
    const path = join(folder, 'deep', 'er', 'chat.json')
    await writeReport(SCENARIOS['sweep']!, path)
    expect(await readReport(path)).toEqual(SCENARIOS['sweep'])
    expect(await readdir(join(folder, 'deep', 'er'))).toEqual(['chat.json'])
  })

  test('of many writers at once one wins, whole', async () => {
    const path = join(folder, 'chat.json')
    const reports = Array.from({ length: 20 }, (_, i) => ({ ...passing, notes: [`run ${i}`] }))
    await Promise.all(reports.map((report) => writeReport(report, path)))
    expect(reports).toContainEqual(await readReport(path))
    expect(await readdir(folder)).toEqual(['chat.json'])
  })

  test('who reads the old report while a new one is written reads it to its end', async () => {
    const path = join(folder, 'chat.json')
    await writeReport(passing, path)
    // A file that is replaced, not written over, stays as it was for those who have it open.
    await using reader = await open(path)
    await writeReport(SCENARIOS['sweep']!, path)
    expect(JSON.parse(await reader.readFile('utf8'))).toEqual(passing)
    expect(await readReport(path)).toEqual(SCENARIOS['sweep'])
  })

  test('a write that fails leaves the place as it was', async () => {
    // The place is taken by a folder: the move fails.
    const path = join(folder, 'taken')
    await writeReport(passing, join(path, 'chat.json'))
    await expect(writeReport(passing, path)).rejects.toThrow()
    expect(await readdir(folder)).toEqual(['taken'])
  })

  test.each(['list', 'sweep'])(
    'a report of version 1 that was written long ago is still read and shown: %s',
    async (name) => {
      const path = `fixtures/profiles/${name}.json`
      const text = renderReport(await readReport(path), { width: 80, color: false, path })
      await expect(`${text}\n`).toMatchFileSnapshot(`../../fixtures/profiles/${name}.txt`)
    },
  )

  test.each([
    ['no JSON', '{"version": 1', 'is not JSON'],
    ['nothing', '', 'is not JSON'],
    ['another JSON', '{"name":"vitest-slo"}', 'is not a report of vitest-slo: it has no version'],
    ['a list', '[]', 'is not a report of vitest-slo: it has no version'],
    ['null', 'null', 'is not a report of vitest-slo: it has no version'],
    [
      'a newer version',
      JSON.stringify({ ...passing, version: 3 }),
      'was written by a newer vitest-slo (report version 3; this one reads up to 2)',
    ],
    ['an unknown version', '{"version":0}', 'is not a report of vitest-slo: version 0 never existed'],
    ['half a version', '{"version":1.5}', 'is not a report of vitest-slo: version 1.5 never existed'],
    [
      'another file with a version',
      '{"version":1,"slo":"chat"}',
      'is not a report of vitest-slo: spec is missing or not of type string',
    ],
    [
      'a broken step',
      JSON.stringify({ ...passing, steps: [passing.steps[0], { index: 1 }] }),
      'is not a report of vitest-slo: steps[1] is not a step',
    ],
  ])('a file with %s is refused by name and reason', async (_, content, reason) => {
    const path = join(folder, 'chat.json')
    await writeFile(path, content)
    await expect(readReport(path)).rejects.toThrow(`${path}: ${reason}`)
  })

  test('no file is an error that names it', async () => {
    const path = join(folder, 'none.json')
    await expect(readReport(path)).rejects.toThrow(`${path}: cannot be read (ENOENT`)
  })

  test('the file ends with a line break, as tools like it', async () => {
    const path = join(folder, 'chat.json')
    await writeReport(passing, path)
    expect(await readFile(path, 'utf8')).toMatch(/\n\}\n$/)
  })
})
