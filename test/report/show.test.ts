import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeReport } from '../../src/report/json.ts'
import { show } from '../../src/report/show.ts'
import { renderReport, renderReports } from '../../src/report/terminal.ts'
import { SCENARIOS } from './scenarios.ts'

const options = { width: 80, color: false }
let folder: string
let out: string
let err: string
const io = { ...options, out: (text: string) => void (out += text), err: (text: string) => void (err += text) }

beforeEach(async () => {
  out = ''
  err = ''
  folder = await mkdtemp(join(tmpdir(), 'vitest-slo-show-'))
})
afterEach(async () => {
  await rm(folder, { recursive: true })
})

test('prints what the run printed', async () => {
  const path = join(folder, 'chat.json')
  await writeReport(SCENARIOS['failing']!, path)
  expect(await show([path], io)).toBe(0)
  expect(out).toBe(`${renderReport(SCENARIOS['failing']!, { ...options, path })}\n`)
  expect(err).toBe('')
})

test('prints all verdicts first, then the tables', async () => {
  const shown = [SCENARIOS['passing']!, SCENARIOS['sweep']!].map((report, i) => ({
    report,
    path: join(folder, `${i}.json`),
  }))
  for (const { report, path } of shown) await writeReport(report, path)
  expect(
    await show(
      shown.map(({ path }) => path),
      io,
    ),
  ).toBe(0)
  expect(out).toBe(`${renderReports(shown, options)}\n`)
})

test('a file that is no report does not hide the others, and is told', async () => {
  const good = join(folder, 'good.json')
  const bad = join(folder, 'bad.json')
  await writeReport(SCENARIOS['passing']!, good)
  await writeFile(bad, 'oops')
  expect(await show([bad, good], io)).toBe(1)
  expect(out).toMatch(/^PASS /)
  expect(err).toMatch(`show: ${bad}: is not JSON`)
})

test('without a file it says what it wants', async () => {
  expect(await show([], io)).toBe(1)
  expect(out).toBe('')
  expect(err).toContain('name at least one report')
})
