import { describe, expect, test } from 'vitest'
import { sweep } from '../../src/spec/sweep.ts'
import { checked, problems } from './sample.ts'

const MS = "a number of milliseconds, or text such as '150us', '500ms', '30s', '2m', '1h'"
const RATE = "a rate above 0: a number per second, or text such as '30/s', '600/m', '100/h'"

describe('a step', () => {
  test.each([
    // rate x duration: 10/s in 30 s
    [
      { rate: 10, duration: '30s' },
      { kind: 'open', rate: 10, durationMs: 30_000, requests: 300 },
    ],
    // 600/m is 10/s; 0.25 s of it are 2.5 requests, rounded up
    [
      { rate: '600/m', duration: 250 },
      { kind: 'open', rate: 10, durationMs: 250, requests: 3 },
    ],
    // 7 requests at 2/s take 3.5 s
    [
      { rate: 2, requests: 7 },
      { kind: 'open', rate: 2, durationMs: 3500, requests: 7 },
    ],
    [
      { concurrency: 16, duration: '2m' },
      { kind: 'closed', concurrency: 16, durationMs: 120_000, requests: null },
    ],
    [
      { concurrency: 16, requests: 100 },
      { kind: 'closed', concurrency: 16, durationMs: null, requests: 100 },
    ],
    // what is undefined is not given
    [
      { rate: 10, duration: '1s', requests: undefined, concurrency: undefined },
      { kind: 'open', rate: 10, durationMs: 1000, requests: 10 },
    ],
    // half of a gap is the shortest time that gives a request
    [
      { rate: 5, duration: 100 },
      { kind: 'open', rate: 5, durationMs: 100, requests: 1 },
    ],
  ])('%j', (given, step) => {
    expect(checked({ load: [given] }).load).toEqual({ kind: 'list', steps: [step] })
  })

  test('open and closed loops may be mixed', () => {
    const load = [
      { concurrency: 4, requests: 8 },
      { rate: 1, requests: 1 },
    ]
    expect(checked({ load }).load.steps.map((step) => step.kind)).toEqual(['closed', 'open'])
  })

  test.each([
    [{ rate: 0, duration: '30s' }, `load[1].rate: is 0, not above 0; accepted: ${RATE}`],
    [{ rate: -5, duration: '30s' }, `load[1].rate: is -5, not above 0; accepted: ${RATE}`],
    [{ rate: Number.NaN, duration: '30s' }, `load[1].rate: is NaN, not a rate; accepted: ${RATE}`],
    [{ rate: Infinity, duration: '30s' }, `load[1].rate: is Infinity, not a rate; accepted: ${RATE}`],
    [{ rate: 'fast', duration: '30s' }, `load[1].rate: is 'fast', not a rate; accepted: ${RATE}`],
    // a number in quotes has no unit
    [{ rate: '30', duration: '30s' }, `load[1].rate: is '30', not a rate; accepted: ${RATE}`],
    [{ rate: '0/s', duration: '30s' }, `load[1].rate: is '0/s', not above 0; accepted: ${RATE}`],
    [{ rate: 2e6, duration: 1 }, `load[1].rate: is 2000000, above 1000000/s; accepted: ${RATE}`],
    [
      { rate: 5, duration: '30 parsecs' },
      `load[1].duration: is '30 parsecs', not a duration; accepted: a duration above 0: ${MS}`,
    ],
    [{ rate: 5, duration: 0 }, `load[1].duration: is 0, not above 0; accepted: a duration above 0: ${MS}`],
    [{ rate: 5, duration: '-1s' }, `load[1].duration: is '-1s', not above 0; accepted: a duration above 0: ${MS}`],
    [
      { rate: 5, duration: '200h' },
      `load[1].duration: is '200h', longer than '168h'; accepted: a duration above 0: ${MS}`,
    ],
    [
      { rate: 5, duration: '1s', requests: 5 },
      'load[1]: has both duration and requests; accepted: one of duration, requests',
    ],
    [{ rate: 5 }, 'load[1]: has neither duration nor requests; accepted: one of duration, requests'],
    [
      { rate: 5, concurrency: 5, duration: '1s' },
      'load[1]: has both rate and concurrency; accepted: one of rate (open loop), concurrency (closed loop)',
    ],
    [
      { duration: '1s' },
      'load[1]: has neither rate nor concurrency; accepted: one of rate (open loop), concurrency (closed loop)',
    ],
    [
      { rate: 5, requests: 0 },
      'load[1].requests: is 0, below 1; accepted: a number of requests: a whole number from 1 to 50000000',
    ],
    [
      { concurrency: 1.5, requests: 1 },
      'load[1].concurrency: is 1.5, not a whole number; accepted: requests in flight: a whole number from 1 to 100000',
    ],
    // 5/s x 0.099 s = 0.495 rounds to 0; 100 ms give 0.5, which rounds to 1
    [
      { rate: 5, duration: '99ms' },
      "load[1].duration: is '99ms', in which 5/s gives no request (rate x duration rounds to 0); accepted: '100ms' or more",
    ],
    // 500 / 3 = 166.666... ms, rounded up
    [
      { rate: 3, duration: 100 },
      "load[1].duration: is '100ms', in which 3/s gives no request (rate x duration rounds to 0); accepted: '166.7ms' or more",
    ],
    // one request in 23 days: no step is that long
    [
      { rate: 5e-7, duration: '1h' },
      "load[1].duration: is '3600s', in which 5e-7/s gives no request (rate x duration rounds to 0); accepted: a higher rate",
    ],
    // 100,000/s in 1,000 s
    [
      { rate: 100_000, duration: '1000s' },
      "load[1].duration: is '1000s', in which 100000/s gives 100000000 requests; accepted: at most 50000000 a step",
    ],
    // a million seconds are 11.6 days
    [
      { rate: 1, requests: 1_000_000 },
      "load[1].requests: is 1000000, which at 1/s takes longer than '168h'; accepted: fewer requests",
    ],
    [
      { rate: 5, duration: '1s', durations: 1 },
      "load[1].durations: is not an option; did you mean 'duration'? accepted: rate, concurrency, duration, requests",
    ],
    [30, 'load[1]: is 30, not an object; accepted: options rate, concurrency, duration, requests'],
    // more than all ports can hold: 0.9 x 28,232
    [
      { concurrency: 30_000, duration: '1s' },
      'load[1].concurrency: is 30000, above the 25408 that descriptors and ports of this machine allow; accepted: at most that',
    ],
  ])('%j', (given, message) => {
    expect(problems({ load: [{ rate: 10, duration: '30s' }, given] })).toEqual([message])
  })

  test('has no more in flight than maxInFlight', () => {
    expect(problems({ load: [{ concurrency: 8, requests: 8 }], maxInFlight: 7 })).toEqual([
      'load[0].concurrency: is 8, above the 7 of maxInFlight; accepted: at most that',
    ])
  })
})

describe('a sweep', () => {
  const RIGHT = { from: 5, to: 80, count: 5, spacing: 'geometric', duration: '15s' } as const

  test('becomes steps', () => {
    const { kind, steps } = checked({ load: sweep(RIGHT) }).load
    expect(kind).toBe('sweep')
    // each rate twice the one before; requests = rate x 15 s
    expect(steps).toEqual(
      [5, 10, 20, 40, 80].map((rate) => ({ kind: 'open', rate, durationMs: 15_000, requests: rate * 15 })),
    )
  })

  test('takes rates as text', () => {
    const load = sweep({ ...RIGHT, from: '60/m', to: '180/m', count: 3, spacing: 'linear' })
    expect(checked({ load }).load.steps.map((step) => step.kind === 'open' && step.rate)).toEqual([1, 2, 3])
  })

  test.each([
    [{ from: 90 }, 'load.from: is 90/s, above the last rate (to: 80/s); accepted: from at most to'],
    [{ to: 0 }, `load.to: is 0, not above 0; accepted: ${RATE}`],
    [{ from: undefined }, `load.from: is missing; accepted: ${RATE}`],
    [{ count: 0 }, 'load.count: is 0, below 1; accepted: a number of steps: a whole number from 1 to 1000'],
    [
      { count: 2.5 },
      'load.count: is 2.5, not a whole number; accepted: a number of steps: a whole number from 1 to 1000',
    ],
    [
      { count: 1 },
      'load.count: is 1, which leaves out the last rate (to: 80/s); accepted: 2 or more, or from and to alike',
    ],
    [{ spacing: 'log' }, "load.spacing: is 'log', not one of them; accepted: 'linear', 'geometric'"],
    [
      { spacing: 'geometrical' },
      "load.spacing: is 'geometrical', not one of them; did you mean 'geometric'? accepted: 'linear', 'geometric'",
    ],
    [{ duration: null }, `load.duration: is null, not a duration; accepted: a duration above 0: ${MS}`],
    // the lowest rate alone gives none
    [
      { duration: '20ms' },
      "load.duration: is '20ms', in which 5/s gives no request (rate x duration rounds to 0); accepted: '100ms' or more",
    ],
    [{ step: 3 }, 'load.step: is not an option; accepted: from, to, count, spacing, duration'],
  ])('%j', (changes, message) => {
    expect(problems({ load: sweep({ ...RIGHT, ...changes } as never) })).toEqual([message])
  })
})

test.each([
  [[], 'load: is an empty list; accepted: at least one step'],
  [undefined, "load: is missing; accepted: a list of steps such as [{ rate: 10, duration: '30s' }], or sweep({...})"],
  // a step that is in no list
  [
    { rate: 10, duration: '30s' },
    "load: is an object, not a load; accepted: a list of steps such as [{ rate: 10, duration: '30s' }], or sweep({...})",
  ],
  [
    '10/s',
    "load: is '10/s', not a load; accepted: a list of steps such as [{ rate: 10, duration: '30s' }], or sweep({...})",
  ],
])('load %j', (load, message) => {
  expect(problems({ load })).toEqual([message])
})

test('making a sweep checks nothing and throws nothing', () => {
  expect(sweep(undefined as never)).toEqual({ kind: 'sweep' })
  expect(Object.isFrozen(sweep({ from: -1 } as never))).toBe(true)
})
