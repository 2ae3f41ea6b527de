import type { ArrivalKind } from '../model/plan.ts'
import type { RatePoint } from './hinge.ts'
import type { Taper } from './taper.ts'

/** A number in [0, 1), uniform. */
export type Random = () => number

/** A server in the language of queues: G/G/c, first come, first served. */
export interface Queue {
  /** c: requests served at a time. */
  readonly servers: number
  /** Service times that a request's is drawn from with equal chances, ms. */
  readonly serviceMs: readonly number[]
}

/** One step offered to a queue that is empty at its start. */
export interface QueueStep {
  readonly requests: number
  readonly durationMs: number
  /** By which its rates are taken; arrivals are taken `lag` bins earlier. */
  readonly taper: Taper
  readonly lag: number
}

/** Rates of a simulated step, by the taper by which those of the measured one are taken; about 100 ns a request. */
export function simulateStep(queue: Queue, step: QueueStep, arrivals: ArrivalKind, random: Random): RatePoint {
  const { servers, serviceMs } = queue
  const { weights, widthMs } = step.taper
  const free = new Float64Array(servers)
  let offered = 0
  let achieved = 0
  for (const arrival of instants(step, arrivals, random)) {
    const service = serviceMs[Math.floor(random() * serviceMs.length)]!
    const end = Math.max(arrival, free[0]!) + service
    replaceLeast(free, end)
    offered += weights[Math.floor(arrival / widthMs) + step.lag] ?? 0
    achieved += weights[Math.floor(end / widthMs)] ?? 0
  }
  return { offered, achieved }
}

/** Arrival instants, ascending: equally spaced, or Poisson given their count (sums of exponential gaps, scaled). */
function instants({ requests, durationMs }: QueueStep, arrivals: ArrivalKind, random: Random): Float64Array {
  const at = new Float64Array(requests)
  if (arrivals === 'constant') return at.map((_, i) => (i * durationMs) / requests)
  let sum = 0
  for (let i = 0; i < requests; i++) at[i] = sum -= Math.log(1 - random())
  sum -= Math.log(1 - random())
  return at.map((gaps) => (gaps * durationMs) / sum)
}

/** Replaces the least number of a binary heap (at index 0) by another. */
function replaceLeast(heap: Float64Array, value: number): void {
  let i = 0
  for (;;) {
    let child = 2 * i + 1
    if (child >= heap.length) break
    if (child + 1 < heap.length && heap[child + 1]! < heap[child]!) child++
    if (heap[child]! >= value) break
    heap[i] = heap[child]!
    i = child
  }
  heap[i] = value
}
