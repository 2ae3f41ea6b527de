import { expect, test } from 'vitest'
import { LatencyHistogram } from '../../src/metrics/histogram.ts'
import { auditOf } from '../../src/pool/audits.ts'
import type { StepResult } from '../../src/worker/messages.ts'
import { beginStep, resultOf } from '../../src/worker/running-step.ts'
import { reply } from '../metrics/trace.ts'
import { planOf } from './plan.ts'

const step = { kind: 'open', rate: 10, durationMs: 1000, requests: 10 } as const

/** What a load process sent of a step: 2 replies, sent 3 and 5 ms late, and 2 requests that it could not send. */
function result(): StepResult {
  const running = beginStep(planOf({ steps: [step] }), { index: 0, step, atMs: 0, firstPrompt: 0 }, 1000)
  const { recording } = running
  for (const lag of [3, 5]) {
    recording.arrive(1000)
    recording.record(reply([[1020, 1]], { sent: 1000 + lag }))
  }
  for (const at of [1100, 1900]) {
    recording.arrive(at)
    recording.unsent(at)
  }
  for (const wait of [1, 2, 6]) recording.canary.record(wait)
  const position = new LatencyHistogram(2)
  for (const ms of [0, 0, 0.5]) position.record(ms)
  running.audit = {
    worker: 1,
    pid: 42,
    seconds: [],
    rhoMean: 0.4,
    stallMs: 12,
    events: 9,
    elapsedMs: 1000,
    cpuMs: 480,
    gc: { pauses: 2, totalMs: 3, longestMs: 2 },
    mostInFlight: 2,
    position: position.toData(),
  }
  return resultOf(running)
}

test('an audit is what the process told of itself, and of its recording what is about it', () => {
  const audit = auditOf(structuredClone(result()))
  expect(audit).toMatchObject({
    worker: 1,
    pid: 42,
    seconds: [],
    rhoMean: 0.4,
    stallMs: 12,
    events: 9,
    elapsedMs: 1000,
    cpuMs: 480,
    gc: { pauses: 2, totalMs: 3, longestMs: 2 },
    mostInFlight: 2,
    unsent: 2,
  })
  expect(audit.sendLag).toMatchObject({ count: 2, min: 3, max: 5 })
  expect(audit.position).toMatchObject({ count: 3, min: 0, max: 0.5 })
  expect(audit.canary).toMatchObject({ count: 3, min: 1, max: 6, mean: 3 })
})

test('a process that sent all it had left nothing unsent', () => {
  const { recording, ...rest } = result()
  const failures = [{ kind: 'reset' as const, status: null, count: 7, message: 'reset', firstMs: 0 }]
  expect(auditOf({ ...rest, recording: { ...recording, failures } }).unsent).toBe(0)
})
