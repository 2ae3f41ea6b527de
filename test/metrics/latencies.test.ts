import { describe, expect, test } from 'vitest'
import {
  contentEvents,
  e2eMs,
  eachGap,
  ntpotMs,
  sendLagMs,
  tokensOfFirstRead,
  tpotMs,
  ttfoMs,
  ttftMs,
} from '../../src/metrics/latencies.ts'
import type { Trace } from '../../src/model/request.ts'
import { reply } from './trace.ts'

const none = Number.NaN

// Scheduled at 1000 throughout; every figure is done by hand from the reads.
const cases: { name: string; trace: Trace; expected: Record<string, number>; icl: number[]; itl: number[][] }[] = [
  {
    // Nothing follows the first token: neither TPOT nor gaps.
    name: 'one token',
    trace: reply([[1050, 1]]),
    expected: { ttft: 50, ttfo: 50, e2e: 50, ntpot: 50, tpot: none, lag: 0 },
    icl: [],
    itl: [],
  },
  {
    // E2E 60 / 2; N - k = 2 - 2 leaves nothing to divide by.
    name: 'two tokens in one read',
    trace: reply([[1060, 2]]),
    expected: { ttft: 60, ttfo: 60, e2e: 60, ntpot: 30, tpot: none, lag: 0 },
    icl: [],
    itl: [],
  },
  {
    // E2E 140 / 4 = 35; (1140 - 1050) / (4 - 1) = 30; gaps of 20, 30 and 40.
    name: 'four tokens in four reads',
    trace: reply([
      [1050, 1],
      [1070, 1],
      [1100, 1],
      [1140, 1],
    ]),
    expected: { ttft: 50, ttfo: 50, e2e: 140, ntpot: 35, tpot: 30, lag: 0 },
    icl: [20, 30, 40],
    itl: [
      [20, 1],
      [30, 1],
      [40, 1],
    ],
  },
  {
    // The first read brings 2 of 6: (1090 - 1050) / 4 = 10. The gap of 30 is shared by 3, the one of 10 by 1.
    name: 'several tokens a read',
    trace: reply([
      [1050, 2],
      [1080, 3],
      [1090, 1],
    ]),
    expected: { ttft: 50, ttfo: 50, e2e: 90, ntpot: 15, tpot: 10, lag: 0 },
    icl: [30, 10],
    itl: [
      [10, 3],
      [10, 1],
    ],
  },
  {
    // Usage says 10 tokens in 4 events: by 1, 2, 3, 4 events round(2.5) = 3, 5, round(7.5) = 8, 10 tokens had come,
    // so reads have 3, 2, 3, 2. TPOT (1110 - 1050) / (10 - 3).
    name: 'usage larger than events',
    trace: reply(
      [
        [1050, 1],
        [1070, 1],
        [1100, 1],
        [1110, 1],
      ],
      { outputTokens: 10 },
    ),
    expected: { ttft: 50, ttfo: 50, e2e: 110, ntpot: 11, tpot: 60 / 7, lag: 0 },
    icl: [20, 30, 10],
    itl: [
      [10, 2],
      [10, 3],
      [5, 2],
    ],
  },
  {
    // Two tokens in 4 events: 1 (at least, not 0.5), 1, round(1.5) = 2, 2 had come. The second read brought no
    // whole token, so the third's gap is from the first read: 50. The last brought none.
    name: 'usage smaller than events',
    trace: reply(
      [
        [1050, 1],
        [1070, 1],
        [1100, 1],
        [1110, 1],
      ],
      { outputTokens: 2 },
    ),
    expected: { ttft: 50, ttfo: 50, e2e: 110, ntpot: 55, tpot: 60, lag: 0 },
    icl: [20, 30, 10],
    itl: [[50, 1]],
  },
  {
    // Two tokens in 6 events: 1 (at least, not 0.33), 1 and 2 had come, so N - k = 1 and the first gap is passed on.
    name: 'far fewer tokens than events',
    trace: reply(
      [
        [1050, 1],
        [1070, 1],
        [1100, 4],
      ],
      { outputTokens: 2 },
    ),
    expected: { ttft: 50, ttfo: 50, e2e: 100, ntpot: 50, tpot: 50, lag: 0 },
    icl: [20, 30],
    itl: [[50, 1]],
  },
  {
    // Without usage N is the number of events: the same figures as with it.
    name: 'no usage',
    trace: reply(
      [
        [1050, 1],
        [1090, 1],
      ],
      { usage: false },
    ),
    expected: { ttft: 50, ttfo: 50, e2e: 90, ntpot: 45, tpot: 40, lag: 0 },
    icl: [40],
    itl: [[40, 1]],
  },
  {
    // One read of the whole: E2E 200, NTPOT 200 / 8; no first token worth the name.
    name: 'not streamed',
    trace: reply([[1200, 1]], { streamed: false, outputTokens: 8 }),
    expected: { ttft: none, ttfo: none, e2e: 200, ntpot: 25, tpot: none, lag: 0 },
    icl: [],
    itl: [],
  },
  {
    // As plain http has it: no tokens, so no NTPOT.
    name: 'no tokens',
    trace: reply([[1200, 1]], { streamed: false, outputTokens: 0, usage: false }),
    expected: { ttft: none, ttfo: none, e2e: 200, ntpot: none, tpot: none, lag: 0 },
    icl: [],
    itl: [],
  },
  {
    // Reasoning first, text 30 ms later.
    name: 'visible text after reasoning',
    trace: reply(
      [
        [1050, 1],
        [1080, 1],
      ],
      { firstVisible: 1080 },
    ),
    expected: { ttft: 50, ttfo: 80, e2e: 80, ntpot: 40, tpot: 30, lag: 0 },
    icl: [30],
    itl: [[30, 1]],
  },
  {
    // A tool call alone: tokens, but nothing visible.
    name: 'no visible text',
    trace: reply([[1050, 1]], { firstVisible: none }),
    expected: { ttft: 50, ttfo: none, e2e: 50, ntpot: 50, tpot: none, lag: 0 },
    icl: [],
    itl: [],
  },
  {
    // Sent 7 late: latencies from scheduled keep it, and the lag says how much of them it is.
    name: 'sent late',
    trace: reply([[1050, 1]], { sent: 1007 }),
    expected: { ttft: 50, ttfo: 50, e2e: 50, ntpot: 50, tpot: none, lag: 7 },
    icl: [],
    itl: [],
  },
  {
    // Two readings of the clock may differ by their grain: never a negative lag.
    name: 'sent a grain early',
    trace: reply([[1050, 1]], { sent: 999.9 }),
    expected: { ttft: 50, ttfo: 50, e2e: 50, ntpot: 50, tpot: none, lag: 0 },
    icl: [],
    itl: [],
  },
]

describe('latencies of one reply', () => {
  test.each(cases)('$name', ({ trace, expected, icl, itl }) => {
    const chunks: number[] = []
    const tokens: number[][] = []
    eachGap(
      trace,
      (ms) => chunks.push(ms),
      (ms, count) => tokens.push([ms, count]),
    )
    expect({
      ttft: ttftMs(trace),
      ttfo: ttfoMs(trace),
      e2e: e2eMs(trace),
      ntpot: ntpotMs(trace),
      tpot: tpotMs(trace),
      lag: sendLagMs(trace),
    }).toEqual(expected)
    expect(chunks).toEqual(icl)
    expect(tokens).toEqual(itl)
  })

  test('from the sent instant the send lag is taken out', () => {
    const trace = reply(
      [
        [1050, 1],
        [1090, 1],
      ],
      { sent: 1010, firstVisible: 1090 },
    )
    // From 1010: first token 40, first text 80, last token 80, over 2 tokens 40.
    expect([ttftMs, ttfoMs, e2eMs, ntpotMs].map((latency) => latency(trace, trace.sent))).toEqual([40, 80, 80, 40])
  })

  test('reads beyond the valid ones are not looked at', () => {
    const trace = reply([[1050, 2]])
    expect(contentEvents(trace)).toBe(2)
    expect(tokensOfFirstRead(trace)).toBe(2)
    expect(tokensOfFirstRead(reply([]))).toBe(0)
  })
})
