import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Recording, type RecordingOptions } from '../../src/metrics/recording.ts'
import { type SecondDelta, Series } from '../../src/metrics/series.ts'
import { GAP_METRICS, SENT_METRICS, SERVER_METRICS } from '../../src/model/metric.ts'
import { FAILURE_KINDS, type FailureKind, outcomeOf, type Trace } from '../../src/model/request.ts'
import { reply } from '../metrics/trace.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 100 } as const
const options: RecordingOptions = {
  startMs: 1000,
  binMs: 50,
  bins: 4,
  objectives: { ttft: 150, ntpot: 60, tpot: 40 },
  onTimeMs: 5,
}

/** How a request that became due went on. */
type Fate = Trace | 'unsent'

const failureKind = fc.constantFrom<FailureKind>(...FAILURE_KINDS.filter((kind) => kind !== 'unsent'))
const ms = fc.double({ min: 0, max: 200, noNaN: true })

const trace: fc.Arbitrary<Trace> = fc
  .record({
    scheduled: fc.double({ min: 1000, max: 1300, noNaN: true }),
    lag: fc.double({ min: 0, max: 10, noNaN: true }),
    gaps: fc.array(fc.tuple(ms, fc.integer({ min: 1, max: 5 }), fc.double({ min: 0, max: 20, noNaN: true })), {
      minLength: 1,
      maxLength: 12,
    }),
    outputTokens: fc.option(fc.integer({ min: 1, max: 80 }), { nil: undefined }),
    streamed: fc.boolean(),
    failure: fc.option(fc.tuple(failureKind, fc.integer({ min: 0, max: 2 })), { nil: undefined, freq: 3 }),
  })
  .map(({ scheduled, lag, gaps, outputTokens, streamed, failure }) => {
    let at = scheduled + lag
    const reads = gaps.map(([gap, events, delay]) => [(at += gap), events, delay] as const)
    const made = reply(reads, { scheduled, sent: scheduled + lag, streamed, usage: outputTokens !== undefined })
    return {
      ...made,
      ...(outputTokens === undefined ? {} : { outputTokens }),
      failure: failure === undefined ? null : { kind: failure[0], message: `message ${failure[1]}` },
    }
  })
const fate: fc.Arbitrary<Fate> = fc.oneof(
  { weight: 9, arbitrary: trace },
  { weight: 1, arbitrary: fc.constant('unsent') },
)
const fates = fc.array(fate, { maxLength: 25 })
const canaries = fc.array(fc.double({ min: 0, max: 40, noNaN: true }), { maxLength: 10 })

function recordingOf(...parts: readonly (readonly Fate[])[]): Recording {
  const recording = new Recording(options)
  for (const one of parts.flat()) {
    const scheduled = one === 'unsent' ? 1100 : one.scheduled
    recording.arrive(scheduled)
    if (one === 'unsent') recording.unsent(scheduled)
    else recording.record(one)
  }
  return recording
}

function sum(...recordings: readonly Recording[]): Recording {
  const total = new Recording(options)
  for (const recording of recordings) total.add(recording)
  return total
}

describe('Recording', () => {
  test('adding is associative and commutative, and equals recording all in one', () => {
    fc.assert(
      fc.property(fates, fates, fates, canaries, (a, b, c, waits) => {
        const whole = recordingOf(a, b, c)
        const [x, y, z] = [recordingOf(a), recordingOf(b), recordingOf(c)]
        waits.forEach((wait, i) => {
          whole.canary.record(wait)
          ;[x, y, z][i % 3]!.canary.record(wait)
        })
        const all = whole.toData()
        expect(sum(sum(x, y), z).toData()).toEqual(all)
        expect(sum(x, sum(y, z)).toData()).toEqual(all)
        expect(sum(z, x, y).toData()).toEqual(all)
        expect(Recording.fromData(structuredClone(all)).toData()).toEqual(all)
      }),
      settings,
    )
  })

  test('no fewer are good less the client’s own part than as seen', () => {
    fc.assert(
      fc.property(fates, (all) => {
        const { good, goodLessClient, counts } = recordingOf(all)
        expect(good!).toBeLessThanOrEqual(goodLessClient!)
        expect(goodLessClient!).toBeLessThanOrEqual(counts.completed)
      }),
      settings,
    )
  })

  test('no request is lost or counted twice', () => {
    fc.assert(
      fc.property(fates, (all) => {
        const recording = recordingOf(all)
        const { planned, sent, unsent, completed, failed, timedOut, aborted } = recording.counts
        const kinds = all.map((one) => (one === 'unsent' ? one : one.failure?.kind))
        expect(planned).toBe(all.length)
        expect(planned).toBe(sent + unsent)
        expect(sent).toBe(completed + failed + timedOut + aborted)
        expect(unsent).toBe(kinds.filter((kind) => kind === 'unsent').length)
        expect(completed).toBe(kinds.filter((kind) => kind === undefined).length)
        const outcomes = kinds.map((kind) => (kind && kind !== 'unsent' ? outcomeOf(kind) : undefined))
        expect(timedOut).toBe(outcomes.filter((outcome) => outcome === 'timed-out').length)
        expect(failed).toBe(outcomes.filter((outcome) => outcome === 'failed').length)
        const errors = Object.values(recording.byKind).reduce((total, count) => total + count, 0)
        expect(errors).toBe(planned - completed)
        expect(recording.examples.reduce((total, { count }) => total + count, 0)).toBe(errors)
        expect(recording.latency.sendLag.count).toBe(sent)
      }),
      settings,
    )
  })

  test('time bins and seconds hold every request once', () => {
    fc.assert(
      fc.property(fates, (all) => {
        const recording = recordingOf(all)
        const { planned, completed } = recording.counts
        const { arrivals, ends, completions, outputTokens, inputTokens } = recording.bins
        const totals = [arrivals, ends, completions, outputTokens, inputTokens].map((counts) =>
          counts.reduce((total, count) => total + count, 0),
        )
        expect(totals).toEqual([planned, planned, completed, recording.outputTokens, recording.inputTokens])
        expect(recording.takeSecond()).toMatchObject({
          arrivals: planned,
          completed,
          errors: planned - completed,
          inFlight: 0,
        })
      }),
      settings,
    )
  })

  test('every reply is a sample of a metric or counted as one it does not apply to', () => {
    fc.assert(
      fc.property(fates, (all) => {
        const { latency, least, most, fromSent, notApplicable, counts } = recordingOf(all)
        for (const metric of ['ttft', 'ttfo', 'tpot', 'ntpot', 'e2e'] as const) {
          expect(latency[metric].count + notApplicable[metric], metric).toBe(counts.completed)
        }
        // Bounds are of the same samples, one for one.
        for (const metric of SERVER_METRICS) expect(least[metric].count, metric).toBe(latency[metric].count)
        for (const metric of SENT_METRICS) expect(fromSent[metric].count, metric).toBe(latency[metric].count)
        for (const metric of GAP_METRICS) expect(most[metric].count, metric).toBe(latency[metric].count)
      }),
      settings,
    )
  })
})

test('a series does not depend on the order of its deltas, nor on how often they come', () => {
  const deltas = fc
    .array(fc.array(fates, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 3 })
    .map((workers) =>
      workers.flatMap((seconds, worker) =>
        seconds.map((all, second): SecondDelta => {
          const rho = (worker + second) / 10
          return { ...recordingOf(all).takeSecond(), worker, sequence: second, second, rho }
        }),
      ),
    )
  const secondsOf = (all: readonly SecondDelta[]) => {
    const series = new Series()
    for (const delta of all) series.add(delta)
    return series.toSeconds()
  }
  fc.assert(
    fc.property(
      deltas.chain((all) =>
        fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length })),
      ),
      ([all, some]) => {
        expect(secondsOf([...some, ...all])).toEqual(secondsOf(all))
      },
    ),
    settings,
  )
})
