import { randomUUID } from 'node:crypto'
import { readFileSync, statSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { cpus } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { LoadError } from '../model/errors.ts'
import type { Calibration, Fingerprint, KnownCalibration } from '../model/calibration.ts'

/** Version of the file's form. */
const VERSION = 1
const FILE = '.cache/vitest-slo/calibration.json'

/**
 * What a calibration made now would hold for.
 *
 * @param cores that this process may use
 * @param versions of `vitest-slo` and `undici`, among others
 */
export function fingerprintOf(cores: number, versions: Readonly<Record<string, string>>): Fingerprint {
  return {
    platform: process.platform,
    arch: process.arch,
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores,
    node: process.versions.node,
    'vitest-slo': versions['vitest-slo'] ?? 'unknown',
    undici: versions['undici'] ?? 'unknown',
  }
}

/**
 * The calibration that was kept for this machine: in the `node_modules` of `folder`, or of a folder above it, the
 * nearest first. A file that is damaged, or none of ours, counts as none.
 */
export function readCalibration(folder: string, fingerprint: Fingerprint): KnownCalibration {
  let foreign = false
  for (const above of upwards(folder)) {
    const calibration = parseCalibration(readOrNull(join(above, 'node_modules', FILE)))
    if (calibration === null) continue
    if (isSame(calibration.fingerprint, fingerprint)) return calibration
    foreign = true
  }
  return foreign ? 'foreign' : null
}

/**
 * Keeps a calibration in the nearest `node_modules`, that of `folder` or of one above it. The file appears whole or
 * not at all, also when two write it at once.
 *
 * @returns its path
 * @throws {LoadError} when there is no `node_modules`, or it cannot be written to
 */
export async function keepCalibration(calibration: Calibration, folder: string): Promise<string> {
  const home = upwards(folder).find((above) => isFolder(join(above, 'node_modules')))
  if (home === undefined) {
    throw new LoadError(`no node_modules in ${resolve(folder)} or above it: run this in the project of the specs`)
  }
  const path = join(home, 'node_modules', FILE)
  try {
    await writeWhole(path, `${JSON.stringify({ version: VERSION, ...calibration }, null, 2)}\n`)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new LoadError(`the calibration cannot be written to ${path} (${why})`, { cause: error })
  }
  return path
}

async function writeWhole(path: string, text: string): Promise<void> {
  const temporary = `${path}.${randomUUID()}.tmp`
  await mkdir(dirname(path), { recursive: true })
  try {
    await writeFile(temporary, text)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/** A folder and all above it. */
function upwards(folder: string): string[] {
  const folders = [resolve(folder)]
  for (let next = dirname(folders[0]!); next !== folders.at(-1); next = dirname(next)) folders.push(next)
  return folders
}

/** The calibration in a file's text; null when it is none, or of another form. */
function parseCalibration(text: string | null): Calibration | null {
  if (text === null) return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    // Damaged: as good as none, and the next calibration writes it anew.
    return null
  }
  return isCalibration(value) ? value : null
}

function isCalibration(value: unknown): value is Calibration {
  if (!isRecord(value) || value['version'] !== VERSION) return false
  const { requestMs, tokenMs, limited, measuredAt, fingerprint } = value
  return (
    isCost(requestMs) &&
    isCost(tokenMs) &&
    Array.isArray(limited) &&
    typeof measuredAt === 'string' &&
    isRecord(fingerprint)
  )
}

function isCost(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSame(kept: Fingerprint, own: Fingerprint): boolean {
  return (Object.keys(own) as (keyof Fingerprint)[]).every((name) => kept[name] === own[name])
}

function readOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not there, or not readable: nothing is known, which has figures of its own.
    return null
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
