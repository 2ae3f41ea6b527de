import { expect, test } from 'vitest'
import type { Saturation, Usable } from '../../src/model/profile.ts'
import {
  clientText,
  errorLines,
  objectivesText,
  saturationText,
  serverText,
  usableText,
} from '../../src/report/lines.ts'
import { reportOf } from '../../src/report/report.ts'
import { openStep, sampleInput } from './sample.ts'
import { SCENARIOS } from './scenarios.ts'

const within: Saturation = {
  rate: 43.12,
  bound: null,
  interval: [41, 45.2],
  lastSustained: 40,
  firstSaturated: 60,
  reached: 'within',
  reason: 'the hinge fits',
}

test.each<[string, Partial<Saturation>, string]>([
  ['within the steps', {}, '43.1 req/s (95 % interval 41 to 45.2): carried 40, not 60'],
  ['without an interval', { interval: null }, '43.1 req/s: carried 40, not 60'],
  ['with no step carried for certain', { lastSustained: null, interval: null }, '43.1 req/s: not 60'],
  [
    'by the hinge alone',
    { lastSustained: null, firstSaturated: null },
    '43.1 req/s (95 % interval 41 to 45.2): the hinge fits',
  ],
  [
    'above all steps',
    { reached: 'not-reached', rate: 80, bound: 'at-least', interval: null, lastSustained: 80, firstSaturated: null },
    'not reached up to 80 req/s',
  ],
  [
    'below all steps',
    { reached: 'already-passed', rate: 4.2, bound: 'at-most', interval: null, lastSustained: null, firstSaturated: 5 },
    'already passed at 5 req/s, the lowest step: at most 4.2 req/s',
  ],
  [
    'unknown',
    { reached: 'unknown', rate: null, interval: null, reason: 'no step lasted long enough' },
    'unknown: no step lasted long enough',
  ],
])('the saturation point %s', (_, changes, text) => {
  expect(saturationText({ ...within, ...changes })).toBe(text)
})

test.each<[Usable['reached'], number | null, string]>([
  ['within', 40, '40 req/s: 60 req/s has a goodput ratio of 93 %, wanted is 99 %'],
  ['not-reached', 40, 'at least 40 req/s: 60 req/s has a goodput ratio of 93 %, wanted is 99 %'],
  ['already-passed', 40, 'below 40 req/s: 60 req/s has a goodput ratio of 93 %, wanted is 99 %'],
  ['unknown', null, 'unknown: 60 req/s has a goodput ratio of 93 %, wanted is 99 %'],
])('the usable rate when %s', (reached, rate, text) => {
  const reason = '60 req/s has a goodput ratio of 93 %, wanted is 99 %'
  expect(usableText({ rate, bound: null, lastSustained: null, firstSaturated: null, reached, reason })).toBe(text)
})

test('objectives are told with their units', () => {
  expect(objectivesText(0.995, { ttft: 500, ntpot: 40 })).toBe('99.5 % of all requests within TTFT 500 ms, NTPOT 40 ms')
  expect(objectivesText(0.99, {})).toBeNull()
})

test('the client line leaves out what there is not', () => {
  const report = SCENARIOS['passing']!
  const client = {
    workers: 2,
    rho: 0.12,
    sendLagP99: 0.41,
    biasObserved: 0.14,
    biasModelled: 0.02,
    floor: { p50: 0.09, p99: 1.1 },
    limit: 1940,
  }
  const shown = '2 load processes, rho 0.12, send lag p99 0.41 ms, adds '
  expect(clientText({ ...report, client })).toBe(
    `${shown}0.09 ms p50, 1.1 ms p99 to a latency at these rates on this machine; mean 0.14 ms (model 0.02)`,
  )
  expect(clientText({ ...report, client: { ...client, biasModelled: null } })).toMatch(/on this machine; mean 0.14 ms$/)
  // As version 1 of the report has it.
  expect(clientText({ ...report, client: { ...client, floor: null } })).toBe(`${shown}0.14 ms mean (model 0.02)`)
  const silent = {
    ...client,
    workers: 1,
    rho: 0,
    sendLagP99: null,
    biasObserved: null,
    biasModelled: null,
    floor: null,
  }
  expect(clientText({ ...report, client: silent })).toBe('1 load process, rho 0')
})

test('the embedded server is told over all steps, another server not at all', () => {
  const report = SCENARIOS['passing']!
  const servers = [
    { writes: 19_000, late: 2, worstMs: 6.12 },
    { writes: 200, late: 0, worstMs: 0.2 },
  ]
  const steps = report.steps.map((step, i) => ({ ...step, server: servers[i]! }))
  expect(serverText({ ...report, steps })).toBe('embedded, 2 of 19,200 writes late, worst 6.12 ms behind plan')
  expect(serverText(report)).toBeNull()
})

test('errors are added over the steps, with the most frequent example of each kind', () => {
  const step = (count: number, message: string) => ({
    step: openStep(10),
    replies: 300 - count,
    failures: { http: count },
    failureMessage: message,
  })
  const report = reportOf(sampleInput([step(1, 'HTTP 500: oops'), step(5, 'HTTP 503: overloaded')]))
  expect(errorLines(report)).toEqual([
    { key: 'errors', text: '6 of 600 requests (1 %)' },
    { key: '', text: '6 x HTTP status, for example "HTTP 503: overloaded"' },
  ])
  expect(errorLines(SCENARIOS['passing']!)).toEqual([])
})
