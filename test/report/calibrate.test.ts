import { expect, test } from 'vitest'
import type { Calibration } from '../../src/model/calibration.ts'
import { calibrationText } from '../../src/report/calibrate.ts'

const CALIBRATION: Calibration = {
  requestMs: 0.04,
  tokenMs: 0.0125,
  limited: [],
  measuredAt: '2026-11-29T15:00:00.000Z',
  fingerprint: {
    platform: 'linux',
    arch: 'x64',
    cpu: 'Some CPU @ 2.60GHz',
    cores: 8,
    node: '24.21.0',
    'vitest-slo': '0.1.0',
    undici: '8.13.1',
  },
}

test('a calibration says what one load process handles, and what auto makes of it', () => {
  // 1 / 0.04 ms, 1 / 0.0125 ms; 1,000 x (0.04 + 64 x 0.0125) ms = 0.84
  expect(calibrationText(CALIBRATION, 100)).toMatchInlineSnapshot(`
    "one load process of this machine (Some CPU @ 2.60GHz, 8 cores, linux x64, Node 24.21.0)

              at rho 1  at rho 0.5  each
                    /s          /s    us
    requests    25,000      12,500  40.0
      tokens    80,000      40,000  12.5

    a request has one token; a token is one more that comes by itself, beside its request
    1,000 req/s x 1 token asks 0.053 load processes' worth: workers: 'auto' makes 1 load process
    1,000 req/s x 64 tokens asks 0.84 load processes' worth: workers: 'auto' makes 2 load processes"
  `)
})

test('one that is a bound, on few cores, says so', () => {
  const limited: Calibration = {
    ...CALIBRATION,
    tokenMs: 0.05,
    limited: ['tokenMs'],
    fingerprint: { ...CALIBRATION.fingerprint, cores: 2 },
  }
  // 1,000 x (0.04 + 64 x 0.05) ms = 3.24; 0.85 of one is 262/s
  expect(calibrationText(limited, 60)).toMatchInlineSnapshot(`
    "one load process of this machine (Some CPU @ 2.60GHz, 2
    cores, linux x64, Node 24.21.0)

              at rho 1  at rho 0.5   each
                    /s          /s     us
    requests    25,000      12,500   40.0
      tokens   >20,000     >10,000  <50.0

    a request has one token; a token is one more that comes by
    itself, beside its request
    > and < are bounds: no sound step came near half busy, where
    costs are read
    load process and null server shared 2 cores: with the server
    elsewhere it may handle more
    1,000 req/s x 1 token asks 0.09 load processes' worth:
    workers: 'auto' makes 1 load process
    1,000 req/s x 64 tokens asks 3.2 load processes' worth:
    workers: 'auto' makes 1 load process, which is too few: this
    machine offers about 260 req/s of it"
  `)
})
