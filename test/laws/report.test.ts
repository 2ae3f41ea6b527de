import { Ajv2020 } from 'ajv/dist/2020.js'
import * as fc from 'fast-check'
import { isAbsolute, relative, resolve } from 'node:path'
import { expect, test } from 'vitest'
import schema from '../../docs/report.schema.json' with { type: 'json' }
import { GAP_METRICS, SERVER_METRICS } from '../../src/model/metric.ts'
import { FAILURE_KINDS } from '../../src/model/request.ts'
import { reportPath } from '../../src/report/json.ts'
import { progressLine } from '../../src/report/progress.ts'
import { type ReportInput, reportOf } from '../../src/report/report.ts'
import { stepSummary } from '../../src/report/summary.ts'
import { renderReport } from '../../src/report/terminal.ts'
import { columnsOf } from '../../src/report/text.ts'
import { closedStep, openStep, sampleInput, samplePlan, type SampleStep, sustain } from '../report/sample.ts'

const SEED = { seed: 20261129, verbose: 1 } as const

const latency = fc.tuple(
  fc.double({ min: 0, max: 200_000, noNaN: true }),
  fc.double({ min: 0, max: 200_000, noNaN: true }),
)
const text = fc.oneof(fc.lorem({ maxCount: 12 }), fc.string({ unit: 'binary', maxLength: 120 }))
const step: fc.Arbitrary<SampleStep> = fc.record({
  step: fc.oneof(
    fc.double({ min: 0.01, max: 30_000, noNaN: true }).map((rate) => openStep(rate, 3)),
    fc.integer({ min: 1, max: 9999 }).map((concurrency) => closedStep(concurrency, 3)),
  ),
  replies: fc.integer({ min: 0, max: 40 }),
  ttft: latency,
  e2e: latency,
  failures: fc.dictionary(fc.constantFrom(...FAILURE_KINDS), fc.integer({ min: 1, max: 2000 }), { maxKeys: 3 }),
  failureMessage: text,
  stream: fc.boolean(),
  rho: fc.double({ min: 0, max: 1, noNaN: true }),
  sendLag: latency,
  sustain: fc
    .tuple(fc.constantFrom('stable', 'saturated', 'undecided'), text)
    .map(([state, why]) => sustain(state, why)),
  voids: fc.array(
    fc.tuple(fc.constantFrom('rho', 'in-flight', 'late-server'), text).map(([check, message]) => ({ check, message })),
    { maxLength: 1 },
  ),
})
const input: fc.Arbitrary<ReportInput> = fc
  .record({
    steps: fc.array(step, { maxLength: 4 }),
    name: text,
    goodShare: fc.option(fc.double({ min: 0, max: 1, noNaN: true }), { nil: null }),
    kind: fc.constantFrom('list', 'sweep'),
    notes: fc.array(text, { maxLength: 2 }),
    assertions: fc.array(
      fc.record({
        test: text,
        figure: text,
        expected: text,
        verdict: fc.constantFrom('pass', 'fail', 'inconclusive', 'invalid'),
        message: text,
      }),
      { maxLength: 3 },
    ),
  })
  .map(({ steps, name, goodShare, kind, notes, assertions }) =>
    sampleInput(goodShare === null ? steps : steps.map((s) => ({ ...s, good: Math.floor(s.replies * goodShare) })), {
      plan: { name },
      profile: { loadKind: kind },
      notes,
      assertions,
    }),
  )

const validate = new Ajv2020({ allowUnionTypes: true }).compile(schema)

test('a report is the same after its way through a file, and its schema accepts it', () => {
  fc.assert(
    fc.property(input, (given) => {
      const report = reportOf(given)
      expect(JSON.parse(JSON.stringify(report))).toEqual(report)
      expect(validate(report), JSON.stringify(validate.errors)).toBe(true)
    }),
    SEED,
  )
})

test('no bound in a report is on the wrong side of its latency', () => {
  fc.assert(
    fc.property(input, (given) => {
      const { steps, total } = reportOf(given)
      for (const { latency, least, most } of total === null ? steps : [...steps, total]) {
        for (const metric of SERVER_METRICS) {
          for (const of of ['mean', 'p50', 'p99'] as const) {
            const [low, seen] = [least[metric][of], latency[metric][of]]
            expect(low === null, `${of} ${metric}`).toBe(seen === null)
            expect(low ?? 0).toBeLessThanOrEqual((seen ?? 0) + 1e-9)
          }
        }
        for (const metric of GAP_METRICS) expect(most[metric].p99 ?? 0).toBeGreaterThanOrEqual(latency[metric].p99 ?? 0)
      }
    }),
    SEED,
  )
})

test('a rendered report never exceeds the width, and without colour holds nothing that a terminal would obey', () => {
  fc.assert(
    fc.property(input, fc.integer({ min: 40, max: 160 }), (given, width) => {
      const lines = renderReport(reportOf(given), { width, color: false }).split('\n')
      for (const line of lines) expect(columnsOf(line), line).toBeLessThanOrEqual(width)
      expect(lines.join('')).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069]/u)
    }),
    SEED,
  )
})

test('the live line never exceeds the width', () => {
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 200 }), fc.nat(), fc.nat(), (slo, width, elapsedMs, inFlight) => {
      const phases = {
        stepIndex: 0,
        steps: 3,
        label: '20 req/s',
        phase: 'load',
        durationMs: null,
        rate: 1 / 3,
      } as const
      const line = progressLine({ slo, ...phases, elapsedMs, inFlight, errors: inFlight }, width)
      expect(columnsOf(line)).toBeLessThanOrEqual(width)
    }),
    SEED,
  )
})

test('no secret of the target is in the report or in what is printed of it, wherever a message repeats it', () => {
  const secret = fc.stringMatching(/^[0-9a-f]{16}$/)
  const secrets = fc.uniqueArray(secret, { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(secrets, fc.string(), ([key, cookie, user, password, query], padding) => {
      const target = {
        ...samplePlan([]).target,
        url: `https://${user}:${password}@llm.test/v1/chat/completions?api-version=2&key=${query}`,
        headers: { authorization: `Bearer ${key}`, cookie: `theme=dark; session=${cookie}` },
      }
      const leak = `${padding} Bearer ${key} ${target.url} session=${cookie};${user} ${password} ${query}${padding}`
      const report = reportOf(
        sampleInput(
          [
            {
              step: openStep(1),
              replies: 3,
              failures: { http: 2 },
              failureMessage: leak,
              sustain: sustain('undecided', leak),
              voids: [{ check: 'client-failures', message: leak }],
            },
          ],
          {
            plan: { target },
            profile: {
              breaches: [leak],
              saturation: {
                rate: null,
                bound: null,
                interval: null,
                lastSustained: null,
                firstSaturated: null,
                reached: 'unknown',
                reason: leak,
              },
            },
            notes: [leak],
            assertions: [{ test: 't', figure: 'f', expected: 'e', verdict: 'fail', message: leak }],
          },
        ),
      )
      const printed =
        renderReport(report, { width: 1000, color: false }) + stepSummary([report]) + JSON.stringify(report)
      for (const one of [key, cookie, user, password, query]) expect(printed).not.toContain(one)
    }),
    SEED,
  )
})

test('different names have different files below the output folder, also where case is folded', () => {
  const name = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.stringMatching(/^[aAbB ._\-/\\]{1,6}$/),
    fc.constantFrom('..', '', 'con'),
  )
  fc.assert(
    fc.property(name, name, fc.stringMatching(/^(?:\.\.\/|\/|a\/|\.\/|C:\\){0,3}x\.slo\.ts$/), (a, b, spec) => {
      const out = resolve('/out/.slo')
      const paths = [a, b].map((slo) => reportPath(out, spec, slo))
      for (const path of paths) {
        const inside = relative(out, resolve(path))
        expect(inside.startsWith('..') || isAbsolute(inside)).toBe(false)
        expect(path).not.toMatch(/\0/)
        expect(path.split('/').every((segment) => Buffer.byteLength(segment) < 200)).toBe(true)
      }
      expect(paths[0]!.toLowerCase() === paths[1]!.toLowerCase()).toBe(a === b)
    }),
    { ...SEED, numRuns: 1000 },
  )
})
