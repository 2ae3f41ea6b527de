import { describe, expect, test } from 'vitest'
import {
  contentEvents,
  e2eMs,
  leastE2eMs,
  leastTtfoMs,
  leastTtftMs,
  ntpotMs,
  sendLagMs,
  tokensOfFirstRead,
  tpotDelayMs,
  tpotMs,
  ttfoMs,
  ttftMs,
} from '../../src/metrics/latencies.ts'
import type { Trace } from '../../src/model/request.ts'
import { reply } from './trace.ts'

const none = Number.NaN

// Scheduled at 1000 throughout; every figure is done by hand from the reads.
const cases: { name: string; trace: Trace; expected: Record<string, number> }[] = [
  {
    // Nothing follows the first token: no TPOT.
    name: 'one token',
    trace: reply([[1050, 1]]),
    expected: { ttft: 50, ttfo: 50, e2e: 50, ntpot: 50, tpot: none, lag: 0 },
  },
  {
    // E2E 60 / 2; N - k = 2 - 2 leaves nothing to divide by.
    name: 'two tokens in one read',
    trace: reply([[1060, 2]]),
    expected: { ttft: 60, ttfo: 60, e2e: 60, ntpot: 30, tpot: none, lag: 0 },
  },
  {
    // E2E 140 / 4 = 35; (1140 - 1050) / (4 - 1) = 30.
    name: 'four tokens in four reads',
    trace: reply([
      [1050, 1],
      [1070, 1],
      [1100, 1],
      [1140, 1],
    ]),
    expected: { ttft: 50, ttfo: 50, e2e: 140, ntpot: 35, tpot: 30, lag: 0 },
  },
  {
    // The first read brings 2 of 6: (1090 - 1050) / 4 = 10.
    name: 'several tokens a read',
    trace: reply([
      [1050, 2],
      [1080, 3],
      [1090, 1],
    ]),
    expected: { ttft: 50, ttfo: 50, e2e: 90, ntpot: 15, tpot: 10, lag: 0 },
  },
  {
    // Usage says 10 tokens in 4 events: the first read has round(2.5) = 3 of them. TPOT (1110 - 1050) / (10 - 3).
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
  },
  {
    // Two tokens in 4 events: the first read has 1 (at least, not 0.5). TPOT (1110 - 1050) / (2 - 1).
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
  },
  {
    // Two tokens in 6 events: the first read has 1 (at least, not 0.33), so N - k = 1.
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
  },
  {
    // One read of the whole: E2E 200, NTPOT 200 / 8; no first token worth the name.
    name: 'not streamed',
    trace: reply([[1200, 1]], { streamed: false, outputTokens: 8 }),
    expected: { ttft: none, ttfo: none, e2e: 200, ntpot: 25, tpot: none, lag: 0 },
  },
  {
    // As plain http has it: no tokens, so no NTPOT.
    name: 'no tokens',
    trace: reply([[1200, 1]], { streamed: false, outputTokens: 0, usage: false }),
    expected: { ttft: none, ttfo: none, e2e: 200, ntpot: none, tpot: none, lag: 0 },
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
  },
  {
    // A tool call alone: tokens, but nothing visible.
    name: 'no visible text',
    trace: reply([[1050, 1]], { firstVisible: none }),
    expected: { ttft: 50, ttfo: none, e2e: 50, ntpot: 50, tpot: none, lag: 0 },
  },
  {
    // Sent 7 late: latencies from scheduled keep it, and the lag says how much of them it is.
    name: 'sent late',
    trace: reply([[1050, 1]], { sent: 1007 }),
    expected: { ttft: 50, ttfo: 50, e2e: 50, ntpot: 50, tpot: none, lag: 7 },
  },
  {
    // Two readings of the clock may differ by their grain: never a negative lag.
    name: 'sent a grain early',
    trace: reply([[1050, 1]], { sent: 999.9 }),
    expected: { ttft: 50, ttfo: 50, e2e: 50, ntpot: 50, tpot: none, lag: 0 },
  },
]

describe('latencies of one reply', () => {
  test.each(cases)('$name', ({ trace, expected }) => {
    expect({
      ttft: ttftMs(trace),
      ttfo: ttfoMs(trace),
      e2e: e2eMs(trace),
      ntpot: ntpotMs(trace),
      tpot: tpotMs(trace),
      lag: sendLagMs(trace),
    }).toEqual(expected)
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

// TTFT 50, text 30 ms later, last token at 1140: 4 tokens of which the first read has 1. Reads late by 2, 3, 5 and 4.
const late = reply(
  [
    [1050, 1, 2],
    [1080, 1, 3],
    [1100, 1, 5],
    [1140, 1, 4],
  ],
  { firstVisible: 1080, firstVisibleDelay: 3 },
)

describe('the least that the server can have taken', () => {
  test.each<{ name: string; trace: Trace; ttft: number; ttfo: number; e2e: number }>([
    // 50 - 2, 80 - 3, 140 - 4: each less the delay of the read that ended it.
    { name: 'is less the delay of its read', trace: late, ttft: 48, ttfo: 77, e2e: 136 },
    // The send lag of 7 is off all three.
    { name: 'is from the sent instant', trace: { ...late, sent: 1007 }, ttft: 41, ttfo: 70, e2e: 129 },
    {
      name: 'does not gain from a clock that is a grain early',
      trace: { ...late, sent: 999.5 },
      ttft: 48,
      ttfo: 77,
      e2e: 136,
    },
    {
      name: 'is never below 0',
      trace: { ...reply([[1050, 1, 60]]), firstVisibleDelay: 51 },
      ttft: 0,
      ttfo: 0,
      e2e: 0,
    },
    {
      name: 'applies where the latency does',
      trace: { ...late, firstVisible: none, firstVisibleDelay: 1e9 },
      ttft: 48,
      ttfo: none,
      e2e: 136,
    },
    {
      name: 'has E2E alone without streaming',
      trace: reply([[1200, 1, 8]], { streamed: false, sent: 1002 }),
      ttft: none,
      ttfo: none,
      e2e: 190,
    },
    {
      name: 'takes a reply without a read with content as it is',
      trace: reply([], { streamed: false, lastToken: 1200 }),
      ttft: none,
      ttfo: none,
      e2e: 200,
    },
  ])('$name', ({ trace, ttft, ttfo, e2e }) => {
    expect([leastTtftMs(trace), leastTtfoMs(trace), leastE2eMs(trace)]).toEqual([ttft, ttfo, e2e])
  })
})

test.each<[string, Trace, number]>([
  // (2 + 4) / (4 - 1).
  ['of the first read and the last, shared by the tokens after the first read', late, 2],
  // 12 tokens in 4 events: 3 came with the first read. (2 + 4) / 9.
  ['by usage', { ...late, outputTokens: 12 }, 6 / 9],
  ['which there is not where one read brought all', reply([[1050, 4, 3]]), none],
])('TPOT may err by the delay %s', (_, trace, delay) => {
  expect(tpotDelayMs(trace)).toBe(delay)
})
