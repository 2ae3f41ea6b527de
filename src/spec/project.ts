import { z } from 'zod'
import { SpecError } from '../model/errors.ts'
import { isRecord, oneKindOf, oneOf, options, text } from './fields.ts'
import { problemsOf } from './problems.ts'
import { INHERITED, SHARED } from './schema.ts'
import { shown } from './shown.ts'
import { knownSource, type KnownSource } from './source.ts'

/** The options of `sloProject()`, checked. */
export interface CheckedProject {
  readonly name: string
  readonly include: readonly string[]
  /** Null for Vitest's own. */
  readonly exclude: readonly string[] | null
  readonly run: 'named' | 'always'
  readonly outputDir: string
  /**
   * Defaults of the specs, as they were given: plain data, for `checkSpec` in the specs' process. May hold secrets.
   */
  readonly defaults: Readonly<Record<string, unknown>>
}

/** Globs of the specs, unless the project names others. */
const DEFAULT_INCLUDE: readonly string[] = ['**/*.slo.?(c|m)[jt]s']

const globs = z.array(text('a glob'), {
  error: ({ input }) => `is ${shown(input)}, not a list; accepted: a list of globs`,
})

const target = oneKindOf<KnownSource>((given) =>
  typeof given === 'function'
    ? "is a function, which does not reach the specs' process; accepted: { url, ... } or simulator({...}) here, or the function in slo()"
    : knownSource,
)

const schema = options({
  name: text('a name for --project').default('slo'),
  include: globs.min(1, { error: 'is an empty list; accepted: at least one glob' }).default([...DEFAULT_INCLUDE]),
  exclude: globs.optional(),
  run: oneOf(['named', 'always']).default('named'),
  outputDir: text('a folder').default('.slo'),
  target: target.optional(),
  ...SHARED,
})

/**
 * Checks the options of `sloProject()`; undefined is the same as none.
 *
 * A `target.url` that is undefined is no problem here, since the environment variable may be set only where load is
 * offered: the specs that use it tell it.
 *
 * @throws {SpecError} With all problems at once, as `checkSpec` does.
 */
export function checkProject(given: unknown): CheckedProject {
  const result = schema.safeParse(given === undefined ? {} : withUrl(given))
  if (!result.success) throw new SpecError('sloProject', problemsOf(result.error))
  const { name, include, exclude, run, outputDir } = result.data
  return { name, include, exclude: exclude ?? null, run, outputDir, defaults: defaultsOf(given) }
}

function withUrl(given: unknown): unknown {
  if (!isRecord(given) || !isRecord(given['target']) || given['target']['kind'] === 'simulator') return given
  return { ...given, target: { ...given['target'], url: given['target']['url'] ?? 'http://127.0.0.1' } }
}

function defaultsOf(given: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(given)) return {}
  return Object.fromEntries(INHERITED.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]))
}
