import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { eachGap, tokensOfFirstRead, tpotMs } from '../../src/metrics/latencies.ts'
import { reply } from '../metrics/trace.ts'

const settings = { seed: 20261129, verbose: 1, numRuns: 500 } as const

/** Replies of any reads, whose usage may be above or below the number of content events. */
const anyReply = fc
  .record({
    reads: fc.array(fc.tuple(fc.integer({ min: 0, max: 100 }), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 40,
    }),
    outputTokens: fc.integer({ min: 1, max: 400 }),
  })
  .map(({ reads, outputTokens }) => {
    let at = 1000
    return reply(
      reads.map(([gap, events]) => [(at += gap), events] as const),
      { outputTokens },
    )
  })

describe('gaps of a reply', () => {
  test('ITL has a sample for every token but those of the first read', () => {
    fc.assert(
      fc.property(anyReply, (trace) => {
        let samples = 0
        eachGap(
          trace,
          () => {},
          (_, count) => {
            expect(Number.isInteger(count) && count >= 1).toBe(true)
            samples += count
          },
        )
        expect(samples).toBe(trace.reads === 1 ? 0 : trace.outputTokens - tokensOfFirstRead(trace))
      }),
      settings,
    )
  })

  test('ICL gaps add up to the time from the first read to the last; ITL gaps to no more', () => {
    fc.assert(
      fc.property(anyReply, (trace) => {
        let chunks = 0
        let tokens = 0
        eachGap(
          trace,
          (ms) => (chunks += ms),
          (ms, count) => (tokens += ms * count),
        )
        const whole = trace.lastToken - trace.firstToken
        expect(chunks).toBe(whole)
        expect(tokens).toBeLessThanOrEqual(whole + 1e-6)
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
