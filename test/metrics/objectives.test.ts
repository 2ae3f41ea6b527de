import { describe, expect, test } from 'vitest'
import { meetsObjectives } from '../../src/metrics/objectives.ts'
import { reply } from './trace.ts'

// TTFT 50, E2E 90, N 2, NTPOT 45, TPOT 40; no visible text. Sent 10 late.
const trace = reply(
  [
    [1050, 1],
    [1090, 1],
  ],
  { sent: 1010, firstVisible: Number.NaN },
)

describe('meetsObjectives', () => {
  test.each([
    { name: 'no objective', objectives: {}, good: true, fromSent: true },
    { name: 'at the limit', objectives: { ttft: 50 }, good: true, fromSent: true },
    // From sent it is 40.
    { name: 'above by the send lag alone', objectives: { ttft: 45 }, good: false, fromSent: true },
    { name: 'above in any case', objectives: { ttft: 39.9 }, good: false, fromSent: false },
    // TPOT is a difference of two reads: the send lag is not in it.
    { name: 'TPOT above', objectives: { tpot: 39 }, good: false, fromSent: false },
    // (1090 - 1010) / 2 = 40 from sent.
    { name: 'NTPOT above', objectives: { ntpot: 44 }, good: false, fromSent: true },
    { name: 'E2E above', objectives: { e2e: 85 }, good: false, fromSent: true },
    { name: 'one of two above', objectives: { ttft: 100, e2e: 10 }, good: false, fromSent: false },
    { name: 'not applicable', objectives: { ttfo: 1 }, good: true, fromSent: true },
  ])('$name', ({ objectives, good, fromSent }) => {
    expect([meetsObjectives(trace, objectives), meetsObjectives(trace, objectives, trace.sent)]).toEqual([
      good,
      fromSent,
    ])
  })
})
