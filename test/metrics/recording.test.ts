import { describe, expect, test } from 'vitest'
import { Recording, type RecordingOptions } from '../../src/metrics/recording.ts'
import type { Distribution } from '../../src/model/profile.ts'
import type { Failure, Trace } from '../../src/model/request.ts'
import { reply } from './trace.ts'

const options: RecordingOptions = { startMs: 1000, binMs: 100, bins: 2, objectives: {}, onTimeMs: 5 }

function failed(failure: Failure, overrides: Partial<Trace> = {}): Trace {
  return reply([], { failure, outputTokens: 0, ...overrides })
}

function recordingOf(traces: readonly Trace[], overrides: Partial<RecordingOptions> = {}): Recording {
  const recording = new Recording({ ...options, ...overrides })
  for (const trace of traces) {
    recording.arrive(trace.scheduled)
    recording.record(trace)
  }
  return recording
}

const twoReads = reply(
  [
    [1050, 1],
    [1090, 2],
  ],
  { inputTokens: 7 },
)

describe('a reply', () => {
  test('enters every histogram that applies', () => {
    const { latency, fromSent, notApplicable } = recordingOf([{ ...twoReads, sent: 1004 }])
    // 40 ms after the first read came 2 tokens: 2 samples of 20; TPOT (1090 - 1050) / (3 - 1).
    expect(Object.entries(latency).map(([metric, { count, mean }]) => [metric, count, mean])).toEqual([
      ['ttft', 1, 50],
      ['ttfo', 1, 50],
      ['tpot', 1, 20],
      ['itl', 2, 20],
      ['icl', 1, 40],
      ['ntpot', 1, 30],
      ['e2e', 1, 90],
      ['sendLag', 1, 4],
    ])
    // From 1004; 86 / 3 is 28.667 to the microsecond.
    expect(Object.entries(fromSent).map(([metric, { count, mean }]) => [metric, count, mean])).toEqual([
      ['ttft', 1, 46],
      ['ttfo', 1, 46],
      ['ntpot', 1, 28.667],
      ['e2e', 1, 86],
    ])
    expect(notApplicable).toEqual({ ttft: 0, ttfo: 0, tpot: 0, itl: 0, icl: 0, ntpot: 0, e2e: 0, sendLag: 0 })
  })

  test('has beside each latency the least that the server can have taken, and of gaps the most', () => {
    // TTFT 50, E2E 90 of 4 tokens; sent 4 late, its reads unread for up to 1, 2 and 3. Gaps of 25 (one token) and 15 (two).
    const late = reply(
      [
        [1050, 1, 1],
        [1075, 1, 2],
        [1090, 2, 3],
      ],
      { sent: 1004 },
    )
    const { least, most } = recordingOf([late])
    const told = (all: Readonly<Record<string, Distribution>>) =>
      Object.entries(all).map(([metric, { count, min, max }]) => [metric, count, min, max])
    expect(told(least)).toEqual([
      ['ttft', 1, 45, 45],
      ['ttfo', 1, 45, 45],
      // (90 - 4 - 3) / 4.
      ['ntpot', 1, 20.75, 20.75],
      ['e2e', 1, 83, 83],
      // (40 - (1 + 3)) / 3.
      ['tpot', 1, 12, 12],
      // 25 - (1 + 2); (15 - (2 + 3)) / 2.
      ['itl', 3, 5, 22],
      ['icl', 2, 10, 22],
    ])
    expect(told(most)).toEqual([
      ['tpot', 1, 14.667, 14.667],
      // 25 + (1 + 2); 15 + (2 + 3) undivided, since a read late by more than 1 ms may have merged its tokens.
      ['itl', 3, 20, 28],
      ['icl', 2, 20, 28],
    ])
    const inTime = recordingOf([{ ...late, readDelay: Float64Array.of(0, 0, 1) }])
    // (15 + 1) / 2.
    expect(inTime.most.itl.min).toBe(8)
  })

  test('of one token a read is the same in ITL and ICL, however often they are looked at in between', () => {
    const recording = recordingOf([])
    const seen: number[][] = []
    for (let n = 1; n <= 3; n++) {
      // Gaps of 10 n and 1, read in time.
      recording.record(
        reply([
          [1050, 1],
          [1050 + 10 * n, 1],
          [1051 + 10 * n, 1],
        ]),
      )
      const { latency, least, most } = recording
      seen.push([latency.itl, latency.icl, least.itl, most.icl].flatMap(({ count, max }) => [count, max!]))
    }
    expect(seen).toEqual([
      [2, 10, 2, 10, 2, 10, 2, 10],
      [4, 20, 4, 20, 4, 20, 4, 20],
      [6, 30, 6, 30, 6, 30, 6, 30],
    ])
  })

  test.each([
    {
      name: 'of one token',
      trace: reply([[1050, 1]]),
      missing: { ttft: 0, ttfo: 0, tpot: 1, itl: 1, icl: 1, ntpot: 0, e2e: 0, sendLag: 0 },
    },
    {
      name: 'of one token in two reads',
      trace: reply(
        [
          [1050, 1],
          [1060, 1],
        ],
        { outputTokens: 1 },
      ),
      missing: { ttft: 0, ttfo: 0, tpot: 1, itl: 1, icl: 0, ntpot: 0, e2e: 0, sendLag: 0 },
    },
    {
      name: 'without visible text',
      trace: { ...twoReads, firstVisible: Number.NaN },
      missing: { ttft: 0, ttfo: 1, tpot: 0, itl: 0, icl: 0, ntpot: 0, e2e: 0, sendLag: 0 },
    },
    {
      name: 'that does not stream',
      trace: { ...twoReads, streamed: false },
      missing: { ttft: 1, ttfo: 1, tpot: 1, itl: 1, icl: 1, ntpot: 0, e2e: 0, sendLag: 0 },
    },
    {
      name: 'of plain http',
      trace: { ...twoReads, streamed: false, outputTokens: 0 },
      missing: { ttft: 1, ttfo: 1, tpot: 1, itl: 1, icl: 1, ntpot: 1, e2e: 0, sendLag: 0 },
    },
  ])('$name leaves out what does not apply, and counts it', ({ trace, missing }) => {
    const { latency, notApplicable } = recordingOf([trace])
    expect(notApplicable).toEqual(missing)
    for (const [metric, count] of Object.entries(missing)) {
      expect(latency[metric as keyof typeof latency].count > 0, metric).toBe(count === 0)
    }
  })

  test('adds its tokens, and says when they are not the server’s', () => {
    const plain = { ...twoReads, streamed: false, outputTokens: 0, usage: false }
    const recording = recordingOf([twoReads, { ...twoReads, usage: false }, plain])
    expect([recording.outputTokens, recording.inputTokens, recording.withoutUsage]).toEqual([6, 21, 1])
  })
})

describe('a failure', () => {
  test('enters no latency histogram, though its send lag is known', () => {
    const reset = { ...twoReads, failure: { kind: 'reset', message: 'reset' } } satisfies Trace
    const { latency, fromSent, least, most, notApplicable, outputTokens } = recordingOf([{ ...reset, sent: 1002 }])
    const counts = [latency, fromSent, least, most].map((all) => Object.values(all).map(({ count }) => count))
    expect(counts).toEqual([
      [0, 0, 0, 0, 0, 0, 0, 1],
      [0, 0, 0, 0],
      [0, 0, 0, 0, 0, 0, 0],
      [0, 0, 0],
    ])
    expect(latency.sendLag.max).toBe(2)
    expect(Object.values(notApplicable)).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
    expect(outputTokens).toBe(0)
  })

  test('counts by outcome, kind and status, with the earliest message', () => {
    const recording = recordingOf([
      failed({ kind: 'http', status: 503, message: 'second' }, { ended: 1020 }),
      failed({ kind: 'http', status: 503, message: 'first' }, { ended: 1010 }),
      failed({ kind: 'http', status: 429, message: 'too many' }),
      // At one instant: the lesser message, so that the order of adding does not matter.
      failed({ kind: 'timeout-idle', message: 'idle b' }),
      failed({ kind: 'timeout-idle', message: 'idle a' }),
      failed({ kind: 'aborted', message: 'aborted' }),
      twoReads,
    ])
    recording.arrive(1000)
    recording.unsent(1000)
    expect(recording.counts).toEqual({
      planned: 8,
      sent: 7,
      unsent: 1,
      completed: 1,
      failed: 3,
      timedOut: 2,
      aborted: 1,
    })
    expect(recording.byKind).toEqual({ http: 3, 'timeout-idle': 2, aborted: 1, unsent: 1 })
    expect(recording.examples).toEqual([
      { kind: 'http', status: 503, count: 2, message: 'first' },
      { kind: 'timeout-idle', status: null, count: 2, message: 'idle a' },
      { kind: 'aborted', status: null, count: 1, message: 'aborted' },
      { kind: 'http', status: 429, count: 1, message: 'too many' },
      { kind: 'unsent', status: null, count: 1, message: 'not sent: as many in flight as maxInFlight allows' },
    ])
  })
})

describe('goodput', () => {
  test('is unknown without objectives', () => {
    const { good, goodLessClient } = recordingOf([twoReads])
    expect([good, goodLessClient]).toEqual([null, null])
  })

  test('counts replies that meet all objectives, as seen and less the client’s own part', () => {
    const late = { ...twoReads, sent: 1010 }
    const unread = { ...twoReads, readDelay: Float64Array.of(5, 0) }
    const slow = { ...twoReads, firstToken: 1080 }
    const broken = failed({ kind: 'reset', message: 'reset' })
    // TTFT 50 (sent 10 late), 50 (unread for up to 5), 80 and none against 45: none as seen, two less the client's part.
    const { good, goodLessClient } = recordingOf([late, unread, slow, broken], { objectives: { ttft: 45 } })
    expect([good, goodLessClient]).toEqual([0, 2])
  })

  test.each([
    { sent: 1005, onTime: 1 },
    { sent: 1005.1, onTime: 0 },
  ])('a request sent at $sent, 5 ms allowed: $onTime on time', ({ sent, onTime }) => {
    expect(recordingOf([{ ...twoReads, sent }]).onTime).toBe(onTime)
    expect(recordingOf([failed({ kind: 'reset', message: '' }, { sent })]).onTime).toBe(onTime)
  })
})

test('time bins hold arrivals by due instant and the rest by end, beyond the step too', () => {
  const recording = recordingOf([
    // Due in bin 0, over in bin 0: 3 output and 7 input tokens.
    twoReads,
    // Due in bin 0, over in bin 3.
    { ...twoReads, scheduled: 1099, ended: 1310 },
    failed({ kind: 'reset', message: '' }, { scheduled: 1100, ended: 1105 }),
  ])
  recording.arrive(1150)
  recording.unsent(1150)
  expect(recording.bins.toData()).toEqual({
    widthMs: 100,
    arrivals: [2, 2, 0, 0],
    ends: [1, 2, 0, 1],
    completions: [1, 0, 0, 1],
    outputTokens: [3, 0, 0, 3],
    inputTokens: [7, 0, 0, 7],
  })
})

test('a second is what came since the last one', () => {
  const recording = recordingOf([{ ...twoReads, sent: 1003 }])
  recording.arrive(1010)
  recording.arrive(1020)
  recording.unsent(1020)
  const first = recording.takeSecond()
  expect(first).toMatchObject({ arrivals: 3, completed: 1, errors: 1, inFlight: 1 })
  expect([first.ttft.count, first.ttft.maxUs, first.e2e.maxUs, first.sendLag.maxUs]).toEqual([1, 50_000, 90_000, 3000])

  recording.record(failed({ kind: 'reset', message: '' }, { scheduled: 1010, sent: 1011 }))
  const second = recording.takeSecond()
  expect(second).toMatchObject({ arrivals: 0, completed: 0, errors: 1, inFlight: 0 })
  expect([second.ttft.count, second.e2e.count, second.sendLag.count, second.sendLag.maxUs]).toEqual([0, 0, 1, 1000])
})

describe('adding', () => {
  const reset = failed({ kind: 'reset', message: 'reset' })

  test('a recording survives a process border and JSON', () => {
    const recording = recordingOf([twoReads, reset], { objectives: { ttft: 60 } })
    for (const data of [structuredClone(recording.toData()), JSON.parse(JSON.stringify(recording.toData()))]) {
      expect(Recording.fromData(data).toData()).toEqual(recording.toData())
    }
  })

  test('refuses time bins of another width', () => {
    expect(() => recordingOf([]).add(recordingOf([], { binMs: 50 }))).toThrow(RangeError)
  })

  test('the total of steps has their requests, whatever their bins', () => {
    const first = recordingOf([twoReads, reset], { objectives: { ttft: 60 } })
    const second = recordingOf([twoReads], { objectives: { ttft: 60 }, startMs: 900, binMs: 7, bins: 3 })
    const total = Recording.total([first, second])
    expect(total.counts).toMatchObject({ planned: 3, sent: 3, completed: 2, failed: 1 })
    expect([total.good, total.outputTokens, total.latency.e2e.count, total.latency.itl.count]).toEqual([2, 6, 2, 4])
    expect([total.goodLessClient, total.least.e2e.count, total.most.itl.count]).toEqual([2, 2, 4])
  })

  test('canaries’ waits are added, and told within 1 %', () => {
    const [first, second] = [recordingOf([]), recordingOf([])]
    first.canary.record(0.1)
    second.canary.record(0.3, 2)
    first.add(second)
    const { count, min, max } = Recording.total([first, recordingOf([])]).canary
    expect([count, min, max]).toEqual([3, 0.1, 0.3])
  })

  test('the total of no step is empty', () => {
    const total = Recording.total([])
    expect([total.counts.planned, total.good, total.latency.e2e.max]).toEqual([0, null, null])
  })
})
