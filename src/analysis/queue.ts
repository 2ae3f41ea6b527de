import type { ArrivalKind } from '../model/plan.ts'

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
  /** Window in which arrivals and ends are counted, ms from the start. */
  readonly fromMs: number
  readonly toMs: number
}

/** Arrivals and ends of a simulated step within its window; about 50 ns a request. */
export function simulateStep(
  queue: Queue,
  step: QueueStep,
  arrivals: ArrivalKind,
  random: Random,
): { arrivals: number; ends: number } {
  const { servers, serviceMs } = queue
  const free = new Float64Array(servers)
  const counted = { arrivals: 0, ends: 0 }
  const within = (ms: number) => ms >= step.fromMs && ms < step.toMs
  for (const arrival of instants(step, arrivals, random)) {
    const service = serviceMs[Math.floor(random() * serviceMs.length)]!
    const end = Math.max(arrival, free[0]!) + service
    replaceLeast(free, end)
    if (within(arrival)) counted.arrivals++
    if (within(end)) counted.ends++
  }
  return counted
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
