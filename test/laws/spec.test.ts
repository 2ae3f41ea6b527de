import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { SpecError } from '../../src/model/errors.ts'
import { checkSpec } from '../../src/spec/check.ts'
import { API_NAMES } from '../../src/client/formats.ts'
import { endpointUrl } from '../../src/spec/endpoint.ts'
import { checkProject } from '../../src/spec/project.ts'
import { publicTarget, resolveTarget } from '../../src/spec/target.ts'
import { checked, CONTEXT, problems, problemsOf } from '../spec/sample.ts'

const RUN = { seed: 20261129, verbose: 1 } as const

const anything = fc.anything({
  maxDepth: 3,
  withBigInt: true,
  withDate: true,
  withMap: true,
  withNullPrototype: true,
  withObjectString: true,
  withSparseArray: true,
  withTypedArray: true,
})

/** An object that has some of these options, with anything in them. */
const having = (...names: string[]) =>
  fc.record(Object.fromEntries(names.map((name) => [name, anything])), { requiredKeys: [] })

const step = having('rate', 'concurrency', 'duration', 'requests', 'durations')
const sweep = having('from', 'to', 'count', 'spacing', 'duration').map((options) => ({ ...options, kind: 'sweep' }))
const address = having('api', 'url', 'model', 'apiKey', 'headers', 'body', 'stream', 'hedaers')
const embedded = having('ttft', 'itl', 'slots', 'jitter', 'seed').map((options) => ({ ...options, kind: 'simulator' }))

/** Options that look like a spec's, with anything wherever a value may stand. */
const specLike = fc.record(
  {
    target: fc.oneof(address, embedded, anything),
    load: fc.oneof(fc.array(fc.oneof(step, anything), { maxLength: 3 }), sweep, anything),
    objectives: fc.oneof(having('ttft', 'ttfs'), anything),
    attainment: anything,
    arrivals: anything,
    seed: anything,
    prompts: fc.oneof(
      having('inputTokens').map((options) => ({ ...options, kind: 'synthetic' })),
      anything,
    ),
    workers: anything,
    warmup: anything,
    timeout: fc.oneof(having('total', 'idle'), anything),
    maxInFlight: anything,
    limits: fc.oneof(having('rho', 'stall'), anything),
    include: anything,
    run: anything,
  },
  { requiredKeys: [] },
)

test('whatever is given, nothing but a SpecError is thrown', () => {
  const property = fc.property(fc.oneof(anything, specLike), anything, (given, defaults) => {
    for (const check of [() => checkSpec(given, { ...CONTEXT, defaults }), () => checkProject(given)]) {
      for (const problem of problemsOf(check)) expect(problem).toMatch(/^\S.*: .+; accepted: |\? accepted: /s)
    }
  })
  fc.assert(property, { ...RUN, numRuns: 1000 })
})

test('every problem of several mistakes is told, and none besides', () => {
  const mistakes: Record<string, unknown> = {
    target: { url: 'nowhere' },
    load: [{ rate: 0, duration: '1s' }],
    objectives: { ttft: -1 },
    attainment: 2,
    arrivals: 'never',
    seed: 0.5,
    prompts: 5,
    workers: 'all',
    warmup: 'x',
    settle: 'x',
    timeout: 'x',
    maxInFlight: 0,
    limits: { rho: 0 },
    unknown: 1,
  }
  const property = fc.property(fc.subarray(Object.keys(mistakes)), (names) => {
    const given = Object.fromEntries(names.map((name) => [name, mistakes[name]]))
    const alone = names.flatMap((name) => problems({ [name]: mistakes[name] }))
    expect(alone).toHaveLength(names.length)
    expect(problems(given)).toEqual(alone)
  })
  fc.assert(property, RUN)
})

/** A key as servers hand them out: long enough not to occur by chance. */
const secret = fc.stringMatching(/^[A-Za-z0-9]{12,20}$/)

/** Where a key may be written, rightly and wrongly. */
const hidings = fc.constantFrom<(key: string) => object>(
  (key) => ({ apiKey: key }),
  (key) => ({ apiKey: `${key}\n` }),
  (key) => ({ apiKey: `\u2603${key}`, headers: { Authorization: `Bearer ${key}` } }),
  (key) => ({ apikey: key }),
  (key) => ({ headers: { 'x-key': key } }),
  (key) => ({ headers: { 'x-key': `${key}\r\n` } }),
  (key) => ({ headers: { 'x-key': [key] } }),
  (key) => ({ headers: { [`authorization: Bearer ${key}`]: 'x' } }),
  (key) => ({ headers: `Bearer ${key}` }),
  (key) => ({ headers: [`Bearer ${key}`] }),
  (key) => ({ body: { key, n: Number.NaN } }),
  (key) => ({ body: key }),
  (key) => ({ url: `http://me:${key}@host/v1`, apiKey: key }),
  (key) => ({ url: `http://${key}@host:port/v1` }),
  (key) => ({ url: `me:${key}@host` }),
  (key) => ({ url: `ws://host/v1?api-key=${key}` }),
  (key) => ({ url: `http://me:a@${key}?#/@host` }),
  (key) => ({ url: `http://me:${key}@host/v1/completions?key=${key}` }),
)

test('no message holds a secret', async () => {
  const property = fc.asyncProperty(secret, hidings, fc.boolean(), async (key, hide, wrong) => {
    const target = { url: 'http://host/v1', ...hide(key), ...(wrong && { model: 5 }) }
    const checks = [
      () => checked({ target }),
      () => checked({ target: undefined }, { defaults: { target } }),
      () => checkProject({ target }),
    ]
    const told = checks.flatMap(problemsOf)
    const later = await resolveTarget(
      { kind: 'function', call: () => target },
      { signal: new AbortController().signal },
    )
      .then(({ target }) => JSON.stringify(publicTarget(target)))
      .catch((error: unknown) => {
        if (error instanceof SpecError) return error.message
        throw error
      })
    expect([...told, later].join('\n')).not.toContain(key)
  })
  await fc.assert(property, { ...RUN, numRuns: 500 })
})

test('the duration that a message proposes gives a request, and hardly less gives none', () => {
  const rate = fc.double({ min: 1e-3, max: 1000, noNaN: true })
  const property = fc.property(rate, fc.double({ min: 0.001, max: 0.999, noNaN: true }), (rate, part) => {
    const [problem] = problems({ load: [{ rate, duration: (500 / rate) * part }] })
    const proposed = /accepted: '(\S+)' or more$/.exec(problem!)![1]!
    expect(problems({ load: [{ rate, duration: proposed }] })).toEqual([])
    // Four digits are told, so that a thousandth less is too little.
    const less = Number.parseFloat(proposed) * (proposed.endsWith('ms') ? 1 : 1000) * 0.998
    expect(problems({ load: [{ rate, duration: less }] })).toHaveLength(1)
  })
  fc.assert(property, RUN)
})

test('an endpoint completes to itself', () => {
  const path = fc.array(fc.stringMatching(/^[a-z0-9._-]{0,6}$/), { maxLength: 4 }).map((parts) => parts.join('/'))
  const api = fc.constantFrom(...API_NAMES)
  const route = fc.record({ model: fc.constantFrom(null, 'llama-3', 'org/model@1:a b'), stream: fc.boolean() })
  const property = fc.property(path, api, route, (path, api, route) => {
    const endpoint = endpointUrl(new URL(`http://host/${path}?a=1`), api, route)
    expect(endpointUrl(new URL(endpoint), api, route)).toBe(endpoint)
  })
  fc.assert(property, RUN)
})
