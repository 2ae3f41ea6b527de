import { describe, expect, test } from 'vitest'
import type { StepRun } from '../../src/model/profile.ts'
import { requestSample, tokenSample } from '../../src/pool/cost-sample.ts'

/** What a step's reading needs of its run: counts, gaps between reads, and the load process's own watch. */
interface Read {
  readonly durationMs?: number
  readonly planned: number
  readonly sent?: number
  readonly completed?: number
  readonly gaps?: number
  readonly rhoMean: number
  readonly elapsedMs?: number
  readonly events: number
  readonly stallMs?: number
}

function run(read: Read): StepRun {
  const { planned, sent = planned, completed = sent, gaps = 0, durationMs = 1000, elapsedMs = durationMs } = read
  const { rhoMean, events, stallMs = 1 } = read
  return {
    step: { kind: 'open', rate: planned, durationMs, requests: planned },
    durationMs,
    record: { counts: { planned, sent, completed }, latency: { icl: { count: gaps } } },
    audits: [{ rhoMean, elapsedMs, events, stallMs }],
  } as unknown as StepRun
}

test('a request costs the busy time over the requests', () => {
  // half of 1,000 ms over 5,000
  expect(requestSample(run({ planned: 5000, rhoMean: 0.5, events: 10_000 }))).toEqual({
    rate: 5000,
    rho: 0.5,
    replyMs: 0.1,
    eventMs: 0.1,
    fault: null,
  })
})

test('a token costs what is left without the requests, over the reads that are no reply`s first', () => {
  // 500 ms less 100 x 0.1 ms, over 7,200 events less 100 sends and 100 first reads: 490 / 7,000
  const read = { planned: 100, rhoMean: 0.5, events: 7200, gaps: 6300 }
  const sample = tokenSample(run(read), 64, 0.1)
  expect(sample).toMatchObject({ rate: 100, rho: 0.5, fault: null })
  expect(sample.eventMs).toBeCloseTo(0.07, 12)
  // 0.1 + 63 x 0.07
  expect(sample.replyMs).toBeCloseTo(4.51, 12)
})

test('the time is what the watch has seen, not the step`s', () => {
  const { rate, eventMs } = requestSample(
    run({ planned: 500, rhoMean: 0.5, durationMs: 500, elapsedMs: 510, events: 1 }),
  )
  expect([rate, eventMs]).toEqual([1000, 0.51])
})

describe('a step is not sound', () => {
  test.each<[string, Partial<Read>, string]>([
    ['with failures', { completed: 95 }, '5 of 100 requests got no reply'],
    ['with unsent requests', { sent: 90 }, '10 of 100 requests got no reply'],
    ['after a stall', { stallMs: 250.5 }, 'the load process stood still for 251 ms'],
    ['cut short', { elapsedMs: 499 }, 'the step was cut short'],
    // of 6,300 gaps 5,040 must be there: 0.8
    ['when tokens came together', { gaps: 5039 }, 'tokens came together, since null server or loop was late'],
    ['when requests alone make up the time', { rhoMean: 0.001 }, 'the reads of tokens cost nothing that can be told'],
    ['without a read of a token', { events: 200 }, 'the reads of tokens cost nothing that can be told'],
  ])('%s', (_, changes, fault) => {
    const sound: Read = { planned: 100, rhoMean: 0.5, events: 6500, gaps: 5040 }
    expect(tokenSample(run(sound), 64, 0.1).fault).toBeNull()
    expect(tokenSample(run({ ...sound, ...changes }), 64, 0.1).fault).toBe(fault)
  })
})
