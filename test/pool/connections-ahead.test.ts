import { expect, test } from 'vitest'
import { Recording } from '../../src/metrics/recording.ts'
import type { Step } from '../../src/model/step.ts'
import { connectionsAhead } from '../../src/pool/connections-ahead.ts'
import { reply } from '../metrics/trace.ts'

const at = (step: Step) => [{ index: 0, step, atMs: 0, firstPrompt: 0 }]
const open = (rate: number): Step => ({ kind: 'open', rate, durationMs: 1000, requests: rate })
const closed = (concurrency: number): Step => ({ kind: 'closed', concurrency, durationMs: 1000, requests: null })

/** A recording of one reply that took `e2e` ms. */
function taking(e2e: number): Recording {
  const recording = new Recording({ startMs: 1000, binMs: 100, bins: 10, objectives: {}, onTimeMs: 5 })
  recording.arrive(1000)
  recording.record(reply([[1000 + e2e, 1]]))
  return recording
}

test.each([
  ['a closed loop: one each slot', closed(16), null, 16],
  ['a closed loop never more than may be in flight', closed(5000), null, 1000],
  ['an open loop before anything is known: 250 ms of arrivals', open(100), null, 25],
  ['and at most 64', open(5000), null, 64],
  // 100/s x 0.2 s = 20 in flight, x 1.5 + 8.
  ["afterwards Little's law with half to spare", open(100), taking(200), 38],
  // 0.1/s x 0.1 s = 0.01 in flight, x 1.5 rounded up, + 8.
  ['a low rate keeps a few', open(0.1), taking(100), 9],
])('%s', (_, step, latest, expected) => {
  expect(connectionsAhead(at(step), latest, 1000)).toBe(expected)
})
