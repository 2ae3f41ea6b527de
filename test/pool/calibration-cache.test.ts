import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LoadError } from '../../src/model/errors.ts'
import type { Calibration, Fingerprint } from '../../src/model/calibration.ts'
import { fingerprintOf, keepCalibration, readCalibration } from '../../src/pool/calibration-cache.ts'

const OWN: Fingerprint = {
  platform: 'linux',
  arch: 'x64',
  cpu: 'Some CPU @ 2.60GHz',
  cores: 8,
  node: '24.21.0',
  'vitest-slo': '0.1.0',
  undici: '8.13.1',
}

function calibration(changes: Partial<Calibration> = {}): Calibration {
  const measuredAt = '2026-11-29T15:00:00.000Z'
  return { requestMs: 0.04, tokenMs: 0.01, limited: [], measuredAt, fingerprint: OWN, ...changes }
}

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'vitest-slo-cache-'))
})
afterEach(() => rm(root, { recursive: true }))

const fileIn = (folder: string) => join(folder, 'node_modules/.cache/vitest-slo/calibration.json')

async function folder(...parts: string[]): Promise<string> {
  const path = join(root, ...parts)
  await mkdir(path, { recursive: true })
  return path
}

async function put(project: string, text: string): Promise<void> {
  await folder(project, 'node_modules/.cache/vitest-slo')
  await writeFile(fileIn(join(root, project)), text)
}

test('what is kept is read again', async () => {
  await folder('node_modules')
  expect(await keepCalibration(calibration({ limited: ['tokenMs'] }), root)).toBe(fileIn(root))
  expect(readCalibration(root, OWN)).toMatchObject(calibration({ limited: ['tokenMs'] }))
})

test('it is kept in the nearest node_modules, and read from there by all below', async () => {
  await folder('node_modules')
  const packageA = await folder('packages/a')
  const nested = await folder('packages/b/node_modules')
  expect(await keepCalibration(calibration(), packageA)).toBe(fileIn(root))
  // That of the root is found past the own node_modules of b, where nothing is kept.
  expect(readCalibration(join(nested, '..'), OWN)).toMatchObject(calibration())
  await keepCalibration(calibration({ requestMs: 0.07 }), join(nested, '..'))
  expect(readCalibration(join(nested, '..'), OWN)).toMatchObject({ requestMs: 0.07 })
  expect(readCalibration(packageA, OWN)).toMatchObject({ requestMs: 0.04 })
})

test('without a node_modules nothing can be kept, and the error says where it looked', async () => {
  // The temporary folder of a system has none above it.
  await expect(keepCalibration(calibration(), root)).rejects.toThrow(LoadError)
  await expect(keepCalibration(calibration(), root)).rejects.toThrow(
    `no node_modules in ${root} or above it: run this in the project of the specs`,
  )
})

test('a place that cannot be written to is named', async () => {
  await folder('node_modules')
  await writeFile(join(root, 'node_modules/.cache'), 'a file where a folder should be')
  await expect(keepCalibration(calibration(), root)).rejects.toThrow(
    `the calibration cannot be written to ${fileIn(root)} (`,
  )
})

test('nothing is known where nothing was kept', async () => {
  await folder('node_modules')
  expect(readCalibration(root, OWN)).toBeNull()
  expect(readCalibration(join(root, 'not/there'), OWN)).toBeNull()
})

describe('a file counts as none', () => {
  const whole = { version: 1, ...calibration() }
  test.each<[string, string]>([
    ['when it is empty', ''],
    ['when it is cut', JSON.stringify(whole).slice(0, 40)],
    ['when it is null', 'null'],
    ['when it is a list', '[1]'],
    ['when it is another`s', '{"name":"calibration"}'],
    ['of a later form', JSON.stringify({ ...whole, version: 2 })],
    ['without a cost', JSON.stringify({ ...whole, tokenMs: undefined })],
    ['with a cost of nothing', JSON.stringify({ ...whole, requestMs: 0 })],
    ['with a negative cost', JSON.stringify({ ...whole, requestMs: -1 })],
    ['with a cost that is no number', JSON.stringify({ ...whole, tokenMs: '0.01' })],
    ['without a fingerprint', JSON.stringify({ ...whole, fingerprint: undefined })],
    ['without the time', JSON.stringify({ ...whole, measuredAt: 5 })],
    ['without its bounds', JSON.stringify({ ...whole, limited: 'none' })],
  ])('%s, and does not hide one above', async (_, text) => {
    await put('project', text)
    expect(readCalibration(join(root, 'project'), OWN)).toBeNull()
    await put('.', JSON.stringify(whole))
    expect(readCalibration(join(root, 'project'), OWN)).toMatchObject(calibration())
  })
})

describe('one of another machine or version is foreign', () => {
  test.each<Partial<Fingerprint>>([
    { platform: 'darwin' },
    { arch: 'arm64' },
    { cpu: 'Another CPU' },
    { cores: 4 },
    { cores: 0.5 },
    { node: '22.19.0' },
    { 'vitest-slo': '0.2.0' },
    { undici: '8.14.0' },
  ])('%j', async (changes) => {
    await folder('node_modules')
    await keepCalibration(calibration({ fingerprint: { ...OWN, ...changes } }), root)
    expect(readCalibration(root, OWN)).toBe('foreign')
  })

  test('unless there is one of this machine above it', async () => {
    const project = await folder('project')
    await folder('project/node_modules')
    await folder('node_modules')
    await keepCalibration(calibration({ fingerprint: { ...OWN, cores: 2 } }), project)
    await keepCalibration(calibration(), root)
    expect(readCalibration(project, OWN)).toMatchObject(calibration())
  })
})

test('writers at the same time leave one whole file and nothing else', async () => {
  await folder('node_modules')
  const costs = Array.from({ length: 20 }, (_, i) => (i + 1) / 100)
  await Promise.all(costs.map((requestMs) => keepCalibration(calibration({ requestMs }), root)))
  const kept = readCalibration(root, OWN) as Calibration
  expect(costs).toContain(kept.requestMs)
  expect(await readdir(join(fileIn(root), '..'))).toEqual(['calibration.json'])
  expect(await readFile(fileIn(root), 'utf8')).toMatch(/\}\n$/)
})

test('the fingerprint of this machine has everything that counts', () => {
  const fingerprint = fingerprintOf(1.5, { 'vitest-slo': '1.2.3', undici: '8.0.0', vitest: '5.0.0' })
  expect(fingerprint).toEqual({
    platform: process.platform,
    arch: process.arch,
    cpu: expect.stringMatching(/\S/),
    cores: 1.5,
    node: process.versions.node,
    'vitest-slo': '1.2.3',
    undici: '8.0.0',
  })
  expect(fingerprintOf(1, {})).toMatchObject({ 'vitest-slo': 'unknown', undici: 'unknown' })
})
