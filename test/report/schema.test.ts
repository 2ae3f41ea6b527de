import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, test } from 'vitest'
import schema from '../../docs/report.schema.json' with { type: 'json' }
import type { Check } from '../../src/model/audit.ts'
import { GAP_METRICS, METRICS, OBJECTIVE_METRICS, SENT_METRICS, SERVER_METRICS } from '../../src/model/metric.ts'
import { REPORT_VERSION } from '../../src/model/report.ts'
import { FAILURE_KINDS } from '../../src/model/request.ts'
import { SCENARIOS } from './scenarios.ts'

/** Every check: the compiler names one that is missing here. */
const CHECKS: Readonly<Record<Check, true>> = {
  'lost-requests': true,
  'dead-process': true,
  stall: true,
  rho: true,
  'client-failures': true,
  'in-flight': true,
  'late-server': true,
}

const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)

test.each(Object.entries(SCENARIOS))('a report of kind "%s" is valid', (_, report) => {
  expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
})

test('it is the schema of the version that is written', () => {
  expect(schema.properties.version.const).toBe(REPORT_VERSION)
  expect(schema.$id).toBe(`urn:vitest-slo:report:${REPORT_VERSION}`)
})

test('the schema knows the names that the model knows', () => {
  const { figures, failureExample, step, voidReason } = schema.$defs
  expect(Object.keys(figures.properties.latency.properties)).toEqual([...METRICS])
  expect(Object.keys(figures.properties.fromSent.properties)).toEqual([...SENT_METRICS])
  expect(Object.keys(figures.properties.least.properties)).toEqual([...SERVER_METRICS])
  expect(Object.keys(figures.properties.most.properties)).toEqual([...GAP_METRICS])
  // A step has the figures of all together, and more.
  expect(step.properties).toMatchObject(figures.properties)
  expect(voidReason.properties.check.enum.toSorted()).toEqual(Object.keys(CHECKS).toSorted())
  expect(failureExample.properties.kind.enum).toEqual([...FAILURE_KINDS])
  expect(figures.properties.errors.properties.byKind.propertyNames.enum).toEqual([...FAILURE_KINDS])
  expect(Object.keys(schema.properties.options.properties.objectives.properties)).toEqual([...OBJECTIVE_METRICS])
})

describe('the schema is strict', () => {
  const report = SCENARIOS['failing']!
  /** Objects whose keys are the author's or the world's, so that one more or less is no fault. */
  const OPEN = /(?:^versions|\.byKind|^options\.objectives)$/

  const paths = [...objectPaths(report, [])].filter((path) => !OPEN.test(path.join('.')))
  test('and there is much to be strict about', () => {
    expect(paths.length).toBeGreaterThan(50)
  })

  test.each(paths.map((path) => [path.join('.') || 'the report', path] as const))('in %s', (_, path) => {
    for (const key of Object.keys(at(report, path))) {
      const lacking = structuredClone(report)
      Reflect.deleteProperty(at(lacking, path), key)
      expect(validate(lacking), `without ${key}`).toBe(false)
    }
    const more = structuredClone(report)
    Reflect.set(at(more, path), 'surprise', 1)
    expect(validate(more)).toBe(false)
  })

  test.each([
    ['steps', 0, 'machine', 'throttledMs'],
    ['steps', 0, 'machine', 'throttledPeriods'],
    ['steps', 0, 'machine', 'stealMs'],
    ['steps', 0, 'series', 0, 'sendLagP99'],
    ['steps', 0, 'series', 0, 'sendLagMax'],
    ['steps', 0, 'audits', 0, 'seconds', 0, 'canaryMean'],
    ['steps', 0, 'audits', 0, 'seconds', 0, 'sendLagP50'],
    ['steps', 0, 'audits', 0, 'canary', 'p99'],
    ['steps', 0, 'least', 'ttfo', 'mean'],
    ['total', 'most', 'tpot', 'p99'],
    ['client', 'floor'],
    ['client', 'limit'],
  ])('what may not exist may be null: %s', (...path) => {
    const without = structuredClone(report)
    Reflect.set(at(without, path.slice(0, -1)), path.at(-1)!, null)
    expect(validate(without), JSON.stringify(validate.errors)).toBe(true)
  })

  test.each([
    ['a verdict of another name', ['verdict'], 'passed'],
    ['a version of the future', ['version'], 3],
    ['a version of the past', ['version'], 1],
    ['a ratio in percent', ['steps', 1, 'errors', 'ratio'], 2.5],
    ['a figure as text', ['steps', 0, 'latency', 'ttft', 'p99'], '29.9 ms'],
    ['a count that is no whole number', ['steps', 0, 'counts', 'sent'], 1.5],
    ['a kind of failure that does not exist', ['steps', 1, 'errors', 'byKind', 'gremlins'], 1],
    ['a check that does not exist', ['steps', 0, 'voids', 0], { check: 'gremlins', message: '' }],
    ['a bound as text', ['total', 'least', 'ttft', 'p99'], '29.9 ms'],
    ['a bound on the send lag', ['total', 'least', 'sendLag'], { mean: 1, p50: 1, p99: 1 }],
    ['a most of a latency that a client cannot shorten', ['steps', 0, 'most', 'e2e'], { mean: 1, p50: 1, p99: 1 }],
    ['a time of another form', ['startedAt'], 'yesterday'],
  ])('%s is refused', (_, path, value) => {
    const broken = structuredClone(report)
    Reflect.set(at(broken, path.slice(0, -1)), path.at(-1)!, value)
    expect(validate(broken)).toBe(false)
  })
})

type Path = readonly (string | number)[]

function* objectPaths(value: unknown, path: Path): Generator<Path, undefined> {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) yield path
  for (const [key, inner] of Object.entries(value)) yield* objectPaths(inner, [...path, key])
}

function at(value: object, path: Path): object {
  return path.reduce<object>((inner, key) => Reflect.get(inner, key) as object, value)
}
