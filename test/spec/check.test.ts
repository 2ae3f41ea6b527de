import { describe, expect, test } from 'vitest'
import { seedOf } from '../../src/arrivals/random.ts'
import type { Calibration } from '../../src/model/calibration.ts'
import { SpecError } from '../../src/model/errors.ts'
import { fingerprintOf } from '../../src/pool/calibration-cache.ts'
import { checkSpec } from '../../src/spec/check.ts'
import { checked, CONTEXT, problems, problemsOf } from './sample.ts'

const MS = "a number of milliseconds, or text such as '150us', '500ms', '30s', '2m', '1h'"
const TOP =
  'target, load, objectives, attainment, arrivals, seed, prompts, workers, warmup, settle, timeout, maxInFlight, limits'

describe('what is left out', () => {
  test('has the defaults of the contract', () => {
    expect(checked()).toEqual({
      name: 'chat',
      spec: 'specs/chat.slo.ts',
      seed: seedOf('specs/chat.slo.ts\nchat'),
      target: { kind: 'url', target: expect.objectContaining({ api: 'openai-chat', stream: true, model: null }) },
      load: { kind: 'list', steps: [{ kind: 'open', rate: 10, durationMs: 30_000, requests: 300 }] },
      arrivals: 'poisson',
      prompts: { kind: 'synthetic', inputTokens: 128, outputTokens: 64 },
      objectives: {},
      attainment: 0.99,
      workers: 1,
      warmupMs: 2000,
      settleMs: 30_000,
      timeouts: { connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 },
      maxInFlight: 25_408,
      limits: { rho: 0.85, busySeconds: 0.1, stallMs: 250, onTimeMs: 5 },
      sizing: {
        workers: 1,
        auto: true,
        cores: 4,
        most: 3,
        // 10 x (0.06 + 64 x 0.02) ms
        busiest: { rate: 10, tokens: 64, processes: expect.closeTo(0.0134, 12) },
        basis: 'built-in',
      },
    })
  })

  test('may be undefined too', () => {
    const none = Object.fromEntries(TOP.split(', ').map((name) => [name, undefined]))
    expect(checked({ ...none, target: { url: 'http://host:8000/v1' }, load: [{ rate: 10, duration: '30s' }] })).toEqual(
      checked(),
    )
  })

  test.each<[number, object, number]>([
    // cores, options, load processes: 1,000 x 1.34 ms want 3, and one core is left to the rest
    [8, { load: [{ rate: 1000, duration: '30s' }] }, 3],
    [2, { load: [{ rate: 1000, duration: '30s' }] }, 1],
    // 1,000 x (0.06 + 10 x 0.02) ms
    [8, { load: [{ rate: 1000, duration: '30s' }], prompts: { kind: 'synthetic', outputTokens: 10 } }, 1],
    // tokens that do not stream come at once: 10,000 x 0.06 ms
    [8, { load: [{ rate: 10_000, duration: '30s' }], target: { url: 'http://host/v1', stream: false } }, 2],
    // who knows what a function will say: 10,000 x 1.34 ms
    [64, { load: [{ rate: 10_000, duration: '30s' }], target: () => ({ url: 'http://host/v1', stream: false }) }, 27],
    [8, { load: [{ concurrency: 16, duration: '30s' }] }, 7],
    [512, { load: [{ concurrency: 1000, duration: '30s' }] }, 256],
    // no more than may have a request each
    [8, { load: [{ rate: 1000, duration: '30s' }], maxInFlight: 2 }, 2],
  ])('on %i cores %j gets %i load processes', (cores, given, workers) => {
    expect(checked(given, { cores }).workers).toBe(workers)
  })

  test('a calibration says what they cost', () => {
    const calibration: Calibration = {
      requestMs: 0.03,
      tokenMs: 0.004,
      limited: [],
      measuredAt: '2026-11-29T15:00:00.000Z',
      fingerprint: fingerprintOf(8, {}),
    }
    const load = [{ rate: 10_000, duration: '30s' }]
    // 10,000 x (0.03 + 64 x 0.004) ms = 2.86
    expect(checked({ load }, { cores: 16, calibration })).toMatchObject({ workers: 6, sizing: { basis: 'calibrated' } })
    expect(checked({ load }, { cores: 16, calibration: 'foreign' })).toMatchObject({
      workers: 15,
      sizing: { basis: 'foreign' },
    })
  })
})

describe('what is given', () => {
  test.each([
    // given, checked
    [{ objectives: { ttft: '0.5s', ntpot: 40, e2e: undefined } }, { objectives: { ttft: 500, ntpot: 40 } }],
    [{ attainment: '95%' }, { attainment: 0.95 }],
    [{ attainment: 1 }, { attainment: 1 }],
    [{ arrivals: 'constant' }, { arrivals: 'constant' }],
    [{ seed: 0 }, { seed: 0 }],
    [{ seed: 4_294_967_295 }, { seed: 4_294_967_295 }],
    [
      { prompts: { kind: 'synthetic', outputTokens: 1 } },
      { prompts: { kind: 'synthetic', inputTokens: 128, outputTokens: 1 } },
    ],
    // a number of workers may exceed the cores: the author knows
    [{ workers: 9 }, { workers: 9 }],
    [{ warmup: 0 }, { warmupMs: 0 }],
    [{ settle: 0 }, { settleMs: 0 }],
    // one timeout is the total, and no phase can be longer than it
    [{ timeout: '20s' }, { timeouts: { connectMs: 5000, firstByteMs: 20_000, idleMs: 20_000, totalMs: 20_000 } }],
    [
      { timeout: { connect: 100, idle: '2m' } },
      { timeouts: { connectMs: 100, firstByteMs: 60_000, idleMs: 120_000, totalMs: 600_000 } },
    ],
    [
      { timeout: { firstByte: '2m', total: '1m' } },
      { timeouts: { connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 60_000 } },
    ],
    [{ maxInFlight: 50 }, { maxInFlight: 50 }],
    [{ limits: { rho: '70%', stall: '1s' } }, { limits: { rho: 0.7, busySeconds: 0.1, stallMs: 1000, onTimeMs: 5 } }],
    [{ limits: { busySeconds: 0, onTime: 0 } }, { limits: { rho: 0.85, busySeconds: 0, stallMs: 250, onTimeMs: 0 } }],
  ])('%j', (given, expected) => {
    expect(checked(given)).toMatchObject(expected)
  })
})

describe('a problem tells path, what was given, why it is wrong and what is accepted', () => {
  test.each([
    [{ objectives: 5 }, 'objectives: is 5, not an object; accepted: options ttft, ttfo, tpot, ntpot, e2e'],
    [{ objectives: { ttft: 0 } }, `objectives.ttft: is 0, not above 0; accepted: a duration above 0: ${MS}`],
    [{ objectives: { e2e: '5%' } }, `objectives.e2e: is '5%', not a duration; accepted: a duration above 0: ${MS}`],
    // a letter beside: two names are equally near, the first is told
    [
      { objectives: { ttfs: 5 } },
      "objectives.ttfs: is not an option; did you mean 'ttft'? accepted: ttft, ttfo, tpot, ntpot, e2e",
    ],
    // a metric, but none of one request
    [{ objectives: { sendLag: 5 } }, 'objectives.sendLag: is not an option; accepted: ttft, ttfo, tpot, ntpot, e2e'],
    [
      { attainment: 0 },
      "attainment: is 0, not above 0; accepted: a share above 0 and at most 1, such as 0.99 or '99%'",
    ],
    [{ attainment: 99 }, "attainment: is 99, above 1; accepted: a share above 0 and at most 1, such as 0.99 or '99%'"],
    [
      { attainment: Number.NaN },
      "attainment: is NaN, not a share; accepted: a share above 0 and at most 1, such as 0.99 or '99%'",
    ],
    [
      { arrivals: 'poison' },
      "arrivals: is 'poison', not one of them; did you mean 'poisson'? accepted: 'poisson', 'constant'",
    ],
    [{ arrivals: 3 }, "arrivals: is 3, not one of them; accepted: 'poisson', 'constant'"],
    [{ seed: -1 }, 'seed: is -1, below 0; accepted: a seed: a whole number from 0 to 4294967295'],
    [{ seed: 2 ** 32 }, 'seed: is 4294967296, above 4294967295; accepted: a seed: a whole number from 0 to 4294967295'],
    [{ seed: 1.5 }, 'seed: is 1.5, not a whole number; accepted: a seed: a whole number from 0 to 4294967295'],
    [{ seed: 'chat' }, "seed: is 'chat', not a number; accepted: a seed: a whole number from 0 to 4294967295"],
    [
      { prompts: 'hello' },
      "prompts: is 'hello', not a source of prompts; accepted: synthetic({ inputTokens: 128, outputTokens: 64 })",
    ],
    // the options alone, without synthetic() around them
    [
      { prompts: { inputTokens: 5 } },
      'prompts: is an object, not a source of prompts; accepted: synthetic({ inputTokens: 128, outputTokens: 64 })',
    ],
    [
      { prompts: { kind: 'synthetic', inputTokens: 0 } },
      'prompts.inputTokens: is 0, below 1; accepted: tokens: a whole number from 1 to 10000000',
    ],
    [{ workers: 0 }, "workers: is 0, below 1; accepted: 'auto', or a whole number from 1 to 256"],
    [{ workers: -1 }, "workers: is -1, below 1; accepted: 'auto', or a whole number from 1 to 256"],
    [{ workers: 1000 }, "workers: is 1000, above 256; accepted: 'auto', or a whole number from 1 to 256"],
    [{ workers: 257 }, "workers: is 257, above 256; accepted: 'auto', or a whole number from 1 to 256"],
    [{ workers: 1.5 }, "workers: is 1.5, not a whole number; accepted: 'auto', or a whole number from 1 to 256"],
    [
      { workers: 'many' },
      "workers: is 'many', neither 'auto' nor a number; accepted: 'auto', or a whole number from 1 to 256",
    ],
    [{ warmup: -1 }, `warmup: is -1, not of 0 or more; accepted: a duration of 0 or more: ${MS}`],
    [{ settle: '30' }, `settle: is '30', not a duration; accepted: a duration of 0 or more: ${MS}`],
    // beyond what one timer holds with room to spare
    [{ settle: '169h' }, `settle: is '169h', longer than '168h'; accepted: a duration of 0 or more: ${MS}`],
    [{ timeout: 0 }, `timeout: is 0, not above 0; accepted: a duration above 0: ${MS}`],
    [
      { timeout: null },
      'timeout: is null, not a timeout; accepted: a duration for the whole request, or { connect, firstByte, idle, total }',
    ],
    [{ timeout: { idle: 'x' } }, `timeout.idle: is 'x', not a duration; accepted: a duration above 0: ${MS}`],
    [
      { timeout: { firstbyte: 5 } },
      "timeout.firstbyte: is not an option; did you mean 'firstByte'? accepted: connect, firstByte, idle, total",
    ],
    [{ maxInFlight: 0 }, 'maxInFlight: is 0, below 1; accepted: requests in flight: a whole number from 1 to 1000000'],
    // 0.9 of 28,232 ports
    [
      { load: [{ concurrency: 30_000, duration: '30s' }] },
      'load[0].concurrency: is 30000, above the 25408 that descriptors and ports of this machine allow; accepted: at most that',
    ],
    [
      { load: [{ concurrency: 30, duration: '30s' }], maxInFlight: 20 },
      'load[0].concurrency: is 30, above the 20 of maxInFlight; accepted: at most that',
    ],
    [
      { maxInFlight: 3, workers: 4 },
      'maxInFlight: is 3, fewer than the 4 workers; accepted: at least one for each of them',
    ],
    [
      { limits: { rho: 2 } },
      "limits.rho: is 2, above 1; accepted: a share above 0 and at most 1, such as 0.99 or '99%'",
    ],
    [
      { limits: { busySeconds: -0.1 } },
      "limits.busySeconds: is -0.1, below 0; accepted: a share from 0 to 1, such as 0.1 or '10%'",
    ],
    // the name in reports, which has its unit
    [
      { limits: { stallMs: 5 } },
      "limits.stallMs: is not an option; did you mean 'stall'? accepted: rho, busySeconds, stall, onTime",
    ],
    [{ max_in_flight: 5 }, `max_in_flight: is not an option; did you mean 'maxInFlight'? accepted: ${TOP}`],
    // absent until it works
    [{ confidence: 0.95 }, `confidence: is not an option; accepted: ${TOP}`],
  ])('%j', (given, message) => {
    expect(problems(given)).toEqual([message])
  })

  test('options that are no object', () => {
    expect(problemsOf(() => checkSpec('http://host', CONTEXT))).toEqual([
      "options: is 'http://host', not an object; accepted: { target, load, ... }",
    ])
  })
})

test('twelve mistakes give one error with all twelve', () => {
  const check = () =>
    checkSpec(
      {
        target: { url: undefined, hedaers: {} },
        load: [
          { rate: 0, duration: '30s' },
          { concurrency: 4, rate: 4, requests: 9 },
          { rate: 5, duration: '10ms' },
        ],
        objectives: { ttfs: 500, ntpot: -40 },
        attainment: 99,
        arrivals: 'uniform',
        seed: 1.5,
        workers: 0,
        timeout: { firstbyte: '5s' },
      },
      CONTEXT,
    )
  expect(check).toThrow(SpecError)
  expect(check).toThrowErrorMatchingInlineSnapshot(`
    [SpecError: slo 'chat' (specs/chat.slo.ts) has 12 problems:
      - target.url: is undefined: is the environment variable set? accepted: the API's base, such as 'http://host:8000/v1', or its full endpoint
      - target.hedaers: is not an option; did you mean 'headers'? accepted: api, url, model, apiKey, headers, body, stream, ignoreEos, method, status
      - load[0].rate: is 0, not above 0; accepted: a rate above 0: a number per second, or text such as '30/s', '600/m', '100/h'
      - load[1]: has both rate and concurrency; accepted: one of rate (open loop), concurrency (closed loop)
      - load[2].duration: is '10ms', in which 5/s gives no request (rate x duration rounds to 0); accepted: '100ms' or more
      - objectives.ntpot: is -40, not above 0; accepted: a duration above 0: a number of milliseconds, or text such as '150us', '500ms', '30s', '2m', '1h'
      - objectives.ttfs: is not an option; did you mean 'ttft'? accepted: ttft, ttfo, tpot, ntpot, e2e
      - attainment: is 99, above 1; accepted: a share above 0 and at most 1, such as 0.99 or '99%'
      - arrivals: is 'uniform', not one of them; accepted: 'poisson', 'constant'
      - seed: is 1.5, not a whole number; accepted: a seed: a whole number from 0 to 4294967295
      - workers: is 0, below 1; accepted: 'auto', or a whole number from 1 to 256
      - timeout.firstbyte: is not an option; did you mean 'firstByte'? accepted: connect, firstByte, idle, total]
  `)
})

test('a problem of one option hides none between options', () => {
  expect(problems({ seed: -1, workers: 4, maxInFlight: 3 }).map((problem) => problem.split(':')[0])).toEqual([
    'seed',
    'maxInFlight',
  ])
})

describe('defaults of the project', () => {
  const defaults = { settle: '5s', objectives: { ttft: 500 }, target: { url: 'http://from-project/v1' }, name: 'load' }

  test('stand in for what the spec leaves out', () => {
    const spec = checkSpec({ load: [{ rate: 10, duration: '30s' }] }, { ...CONTEXT, defaults })
    expect(spec).toMatchObject({
      settleMs: 5000,
      objectives: { ttft: 500 },
      target: { target: { url: 'http://from-project/v1/chat/completions' } },
    })
  })

  test('are replaced as a whole by what the spec gives', () => {
    expect(checked({ objectives: { e2e: 900 } }, { defaults }).objectives).toEqual({ e2e: 900 })
    expect(checked({ objectives: {} }, { defaults }).objectives).toEqual({})
  })

  test('are named where they are wrong', () => {
    expect(problems({}, { defaults: { settle: -1, seed: -1 } })).toEqual([
      'seed: is -1, below 0; accepted: a seed: a whole number from 0 to 4294967295 (set in sloProject)',
      `settle: is -1, not of 0 or more; accepted: a duration of 0 or more: ${MS} (set in sloProject)`,
    ])
  })

  test('tell a url that only the environment has', () => {
    const given = { load: [{ rate: 10, duration: '30s' }] }
    expect(problemsOf(() => checkSpec(given, { ...CONTEXT, defaults: { target: { url: undefined } } }))).toEqual([
      "target.url: is undefined: is the environment variable set? accepted: the API's base, such as 'http://host:8000/v1', or its full endpoint (set in sloProject)",
    ])
  })
})
