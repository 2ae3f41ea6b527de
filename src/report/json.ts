import { createHash, randomUUID } from 'node:crypto'
import { accessSync, constants, mkdirSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { SpecError } from '../model/errors.ts'
import { METRICS } from '../model/metric.ts'
import { REPORT_VERSION, type Report } from '../model/report.ts'

/** Names that are file names as they are: lower-case words, so that two cannot meet where a file system folds case. */
const PLAIN_NAME = /^[a-z0-9]+(?:[ -][a-z0-9]+)*$/
/** Ends like a name that was changed, or is a device on Windows. */
const MISLEADING_NAME = /-[0-9a-f]{8}$|^(?:con|prn|aux|nul|com\d|lpt\d)$/
const LONGEST_NAME = 80

/**
 * Where the report of a `slo` belongs: `<outputDir>/<spec path>/<slo name>.json`, always below `outputDir`.
 *
 * A name of lower-case letters, digits, single dashes and single spaces is kept, with `_` for a space. Any other is
 * made readable and gets eight hex digits of its SHA-256, so that different names have different files.
 */
export function reportPath(outputDir: string, spec: string, slo: string): string {
  const folders = spec.split('/').filter((segment) => segment !== '' && segment !== '.')
  return join(outputDir, ...folders.map(safeFolder), `${safeName(slo)}.json`)
}

/**
 * Makes the folder of a report and checks that it can be written to.
 *
 * @throws SpecError that names `outputDir`
 */
export function prepareFolder(path: string): void {
  const folder = dirname(path)
  try {
    mkdirSync(folder, { recursive: true })
    accessSync(folder, constants.W_OK)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new SpecError('sloProject', [
      {
        path: 'outputDir',
        message: `reports cannot be written to ${folder} (${why}); accepted: a folder that can be made and written`,
      },
    ])
  }
}

/**
 * Writes a report; creates the folders. The file appears whole or not at all, also when two runs write it at once:
 * it is written beside its place and then moved there.
 */
export async function writeReport(report: Report, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true })
  const temporary = join(dirname(path), `.${basename(path)}.${randomUUID()}.tmp`)
  try {
    await writeFile(temporary, `${JSON.stringify(report, null, 2)}\n`)
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

/**
 * Reads a report that `writeReport` wrote. One of version 1 is given with what it has; of the figures that came with
 * version 2 only those of the client as a whole are filled in, with null.
 *
 * @throws Error that names the path and what is wrong: no file, not JSON, not a report of vitest-slo, or written by a
 * newer version. Whatever else the file holds is not checked here; docs/report.schema.json does.
 */
export async function readReport(path: string): Promise<Report> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    throw new Error(`${path}: cannot be read (${reasonOf(error)})`, { cause: error })
  }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new Error(`${path}: is not JSON (${reasonOf(error)})`, { cause: error })
  }
  const problem = problemOf(value)
  if (problem !== null) throw new Error(`${path}: ${problem}`)
  const report = value as Report
  const later = { floor: null, limit: null }
  return { ...report, client: { ...later, ...report.client } }
}

const PARTS: Readonly<Record<string, 'string' | 'array' | 'object'>> = {
  slo: 'string',
  spec: 'string',
  verdict: 'string',
  startedAt: 'string',
  notes: 'array',
  steps: 'array',
  assertions: 'array',
  options: 'object',
  client: 'object',
}

function problemOf(value: unknown): string | null {
  if (!isObject(value) || typeof value.version !== 'number') return 'is not a report of vitest-slo: it has no version'
  if (value.version > REPORT_VERSION) {
    return `was written by a newer vitest-slo (report version ${value.version}; this one reads up to ${REPORT_VERSION})`
  }
  if (!Number.isInteger(value.version) || value.version < 1)
    return `is not a report of vitest-slo: version ${value.version} never existed`
  for (const [name, kind] of Object.entries(PARTS)) {
    if (kindOf(value[name]) !== kind) return `is not a report of vitest-slo: ${name} is missing or not of type ${kind}`
  }
  const steps = value.steps as unknown[]
  const broken = steps.findIndex((step) => !isStep(step))
  return broken === -1 ? null : `is not a report of vitest-slo: steps[${broken}] is not a step`
}

function isStep(step: unknown): boolean {
  if (!isObject(step) || !['counts', 'errors', 'rate'].every((name) => isObject(step[name]))) return false
  const { latency } = step
  return isObject(latency) && METRICS.every((metric) => isObject(latency[metric]))
}

function isObject(value: unknown): value is Record<string, unknown> {
  return kindOf(value) === 'object'
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** The segments of a spec's path are file names already; only what leads out, or a drive, is written otherwise. */
function safeFolder(segment: string): string {
  if (segment === '..') return '%2E%2E'
  return segment.replace(/[%:\\\0]/g, (character) => encodeURIComponent(character))
}

function safeName(name: string): string {
  if (PLAIN_NAME.test(name) && !MISLEADING_NAME.test(name) && name.length <= LONGEST_NAME)
    return name.replaceAll(' ', '_')
  const readable = name
    .replaceAll(' ', '_')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, LONGEST_NAME)
    .replace(/^-+|-+$/g, '')
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${readable || 'slo'}-${hash}`
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
