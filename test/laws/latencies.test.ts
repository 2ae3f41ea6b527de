import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Distributions } from '../../src/metrics/distributions.ts'
import { eachGap, type GapSink } from '../../src/metrics/gaps.ts'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import { tokensOfFirstRead, tpotMs } from '../../src/metrics/latencies.ts'
import { mayMeetObjectives, meetsObjectives } from '../../src/metrics/objectives.ts'
import { GAP_METRICS, OBJECTIVE_METRICS, SENT_METRICS, SERVER_METRICS } from '../../src/model/metric.ts'
import type { Distribution } from '../../src/model/profile.ts'
import type { Trace } from '../../src/model/request.ts'
import { type Read, reply } from '../metrics/trace.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 500 } as const

/** Replies of any reads, whose usage may be above or below the number of content events; read in time, or late. */
const anyReply: fc.Arbitrary<Trace> = fc
  .record({
    reads: fc.array(
      fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 9 }), fc.constantFrom(0, 0.2, 3, 120)),
      { minLength: 1, maxLength: 40 },
    ),
    outputTokens: fc.option(fc.integer({ min: 1, max: 400 }), { nil: undefined }),
    // A grain of the clock may lie before the scheduled instant.
    lag: fc.constantFrom(-0.001, 0, 0.4, 30),
    streamed: fc.boolean(),
    visibleFrom: fc.nat(),
  })
  .map(({ reads, outputTokens, lag, streamed, visibleFrom }) => {
    let at = 1000 + Math.max(0, lag)
    const stamped = reads.map(([gap, events, delay]): Read => [(at += gap), events, delay])
    const visible = stamped[visibleFrom % (stamped.length + 1)]
    return reply(stamped, {
      sent: 1000 + lag,
      streamed,
      firstVisible: visible?.[0] ?? Number.NaN,
      firstVisibleDelay: visible?.[2] ?? Number.NaN,
      ...(outputTokens === undefined ? {} : { outputTokens }),
    })
  })

const streamed = anyReply.map((trace) => ({ ...trace, streamed: true }))

/** Calls back for each sample of ICL and each gap of ITL, whichever way the sink is told. */
function sink(icl: (ms: number, delay: number) => void, itl: (ms: number, count: number) => void): GapSink {
  return {
    token: (ms, delay) => {
      icl(ms, delay)
      itl(ms, 1)
    },
    chunk: icl,
    tokens: itl,
  }
}

describe('gaps of a reply', () => {
  test('ITL has a sample for every token but those of the first read', () => {
    fc.assert(
      fc.property(streamed, (trace) => {
        let samples = 0
        const count = (_: number, tokens: number) => {
          expect(Number.isInteger(tokens) && tokens >= 1).toBe(true)
          samples += tokens
        }
        eachGap(
          trace,
          sink(() => {}, count),
        )
        expect(samples).toBe(trace.reads === 1 ? 0 : trace.outputTokens - tokensOfFirstRead(trace))
      }),
      settings,
    )
  })

  test('ICL gaps add up to the time from the first read to the last; ITL gaps to no more', () => {
    fc.assert(
      fc.property(streamed, (trace) => {
        let [chunks, reads, delays, tokens] = [0, 0, 0, 0]
        const icl = (ms: number, delay: number) => {
          chunks += ms
          delays += delay
          reads++
        }
        eachGap(
          trace,
          sink(icl, (ms) => (tokens += ms)),
        )
        const whole = trace.lastToken - trace.firstToken
        expect(chunks).toBeCloseTo(whole, 9)
        expect(reads).toBe(trace.reads - 1)
        expect(tokens).toBeLessThanOrEqual(whole + 1e-6)
        // Every read but the first and the last is an end of two gaps.
        const late = trace.readDelay.slice(0, trace.reads)
        const twice = 2 * late.reduce((sum, delay) => sum + delay, 0) - late[0]! - late.at(-1)!
        expect(delays).toBeCloseTo(reads === 0 ? 0 : twice, 6)
        // With a token in every read nothing is left over, and the mean ITL of a reply is its TPOT.
        const events = trace.readEvents.slice(0, trace.reads).reduce((sum, count) => sum + count, 0)
        const tpot = tpotMs(trace)
        if (trace.outputTokens >= events && !Number.isNaN(tpot)) {
          expect(tokens / (trace.outputTokens - tokensOfFirstRead(trace))).toBeCloseTo(tpot, 6)
        }
      }),
      settings,
    )
  })
})

describe('what the server can have taken, request by request', () => {
  /** Whether every rank of one is no more than the same rank of the other. */
  function noMore(low: Distribution, high: Distribution, what: string): void {
    expect(low.count, what).toBe(high.count)
    for (let rank = 1; rank <= low.count; rank++) {
      expect(low.valueAtRank(rank), what).toBeLessThanOrEqual(high.valueAtRank(rank)!)
    }
    expect(low.mean ?? 0, what).toBeLessThanOrEqual((high.mean ?? 0) + 1e-9)
  }

  test('the least is no more than what was measured, from sent too; the most of a gap is no less', () => {
    fc.assert(
      fc.property(anyReply, (trace) => {
        const all = new Distributions()
        all.recordReply(trace)
        for (const metric of SERVER_METRICS) noMore(all.least[metric], all.latency[metric], `least ${metric}`)
        for (const metric of SENT_METRICS) noMore(all.least[metric], all.fromSent[metric], `least ${metric} from sent`)
        for (const metric of GAP_METRICS) noMore(all.latency[metric], all.most[metric], `most ${metric}`)
      }),
      settings,
    )
  })

  test('a client that is never late takes nothing off and adds nothing', () => {
    fc.assert(
      fc.property(anyReply, (given) => {
        const readDelay = new Float64Array(given.readDelay.length)
        const trace = { ...given, sent: given.scheduled, readDelay, firstVisibleDelay: 0 }
        const { latency, least, most, fromSent } = recorded([trace])
        for (const metric of SERVER_METRICS) expect(least[metric].toData()).toEqual(latency[metric].toData())
        for (const metric of SENT_METRICS) expect(fromSent[metric].toData()).toEqual(latency[metric].toData())
        for (const metric of GAP_METRICS) expect(most[metric].toData()).toEqual(latency[metric].toData())
      }),
      settings,
    )
  })

  test('the later the client, the less the least and the more the most', () => {
    fc.assert(
      fc.property(anyReply, fc.nat({ max: 39 }), fc.double({ min: 0, max: 50, noNaN: true }), (trace, at, more) => {
        const readDelay = trace.readDelay.slice()
        readDelay[at % trace.reads]! += more
        const [before, after] = [recorded([trace]), recorded([{ ...trace, readDelay }])]
        for (const metric of SERVER_METRICS) noMore(after.least[metric], before.least[metric], `least ${metric}`)
        for (const metric of GAP_METRICS) noMore(before.most[metric], after.most[metric], `most ${metric}`)
      }),
      settings,
    )
  })

  test('what meets its objectives as seen meets them without the client too', () => {
    const limit = fc.option(fc.integer({ min: 0, max: 400 }), { nil: undefined })
    const objectives = fc.record(Object.fromEntries(OBJECTIVE_METRICS.map((metric) => [metric, limit])))
    fc.assert(
      fc.property(anyReply, objectives, (trace, limits) => {
        if (meetsObjectives(trace, limits)) expect(mayMeetObjectives(trace, limits)).toBe(true)
      }),
      settings,
    )
  })

  test('an objective may be met without the client exactly where the least meets it', () => {
    fc.assert(
      fc.property(
        anyReply,
        fc.constantFrom(...OBJECTIVE_METRICS),
        fc.integer({ min: 0, max: 4000 }),
        (trace, metric, limit) => {
          const { least } = recorded([trace])
          const low = least[metric].min
          // Half a microsecond is lost in a histogram.
          if (low !== null && Math.abs(low - limit) < 0.001) return
          expect(mayMeetObjectives(trace, { [metric]: limit })).toBe(low === null || low <= limit)
        },
      ),
      settings,
    )
  })
})

describe('ITL and ICL', () => {
  test('hold what recording each of them apart gives, whatever is looked at in between', () => {
    fc.assert(
      fc.property(fc.array(anyReply, { maxLength: 6 }), fc.array(fc.boolean(), { maxLength: 6 }), (traces, looks) => {
        const [itl, icl] = [apart(), apart()]
        const shared = new Distributions()
        traces.forEach((trace, i) => {
          shared.recordReply(trace)
          if (looks[i]) expect(shared.latency.itl.count).toBeGreaterThanOrEqual(0)
          eachGap(trace, {
            token: (ms, delay) => {
              for (const one of [itl, icl]) one.record(ms - delay, ms, ms + delay, 1)
            },
            chunk: (ms, delay) => icl.record(ms - delay, ms, ms + delay, 1),
            tokens: (ms, count, delay, merged) =>
              itl.record((ms - delay) / count, ms / count, merged ? ms + delay : (ms + delay) / count, count),
          })
        })
        const { latency, least, most } = shared
        expect([least.itl, latency.itl, most.itl].map((one) => one.toData())).toEqual(itl.data())
        expect([least.icl, latency.icl, most.icl].map((one) => one.toData())).toEqual(icl.data())
      }),
      { ...settings, numRuns: 200 },
    )
  })
})

function recorded(traces: readonly Trace[]): Distributions {
  const all = new Distributions()
  for (const trace of traces) all.recordReply(trace)
  return all
}

/** Three histograms of one metric: least, measured, most. */
function apart() {
  const histograms = [new LatencyHistogram(), new LatencyHistogram(), new LatencyHistogram()] as const
  return {
    record: (low: number, ms: number, high: number, count: number) => {
      ;[Math.max(0, low), ms, high].forEach((value, i) => histograms[i]!.record(value, count))
    },
    data: () => histograms.map((one) => one.toData()),
  }
}
