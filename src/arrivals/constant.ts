import type { OpenStep } from '../model/step.ts'

/** Arrivals at equal distances: offset i is i x duration / requests, ms from the step's start. */
export function constantSchedule(step: OpenStep): Float64Array {
  return Float64Array.from({ length: step.requests }, (_, i) => (i * step.durationMs) / step.requests)
}
