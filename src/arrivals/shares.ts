import type { ClosedStep } from '../model/step.ts'

/** The indices `first + i x stride` for i = 0 .. count - 1: one load process's part of numbered things. */
export interface Share {
  readonly first: number
  readonly stride: number
  /** Infinity where no count ends the step. */
  readonly count: number
}

/**
 * The part of `count` numbered things that falls to load process `worker` of `workers`: every index i with
 * i % workers = worker. The union over all load processes is the whole, each index once, for every number of them.
 *
 * Striped rather than cut into blocks, so that each process sees the same load over the whole step.
 */
export function shareOf(count: number, worker: number, workers: number): Share {
  return { first: worker, stride: workers, count: Math.max(0, Math.ceil((count - worker) / workers)) }
}

/** What one load process does in a closed-loop step. */
export interface ClosedShare {
  /** Requests that it keeps in flight; 0 when there are fewer slots than load processes. */
  readonly slots: number
  /** Its requests; an unlimited count when the step ends by its duration. */
  readonly requests: Share
}

/**
 * A closed-loop step dealt to load process `worker` of `workers`: slots by index, and requests by index among the
 * processes that have slots, so that none is dealt a request that it could never send.
 */
export function closedShare(step: ClosedStep, worker: number, workers: number): ClosedShare {
  const slots = shareOf(step.concurrency, worker, workers).count
  const withSlots = Math.min(workers, step.concurrency)
  const requests = slots === 0 ? 0 : (step.requests ?? Number.POSITIVE_INFINITY)
  return { slots, requests: shareOf(requests, worker, withSlots) }
}
