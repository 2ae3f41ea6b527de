import type { Failure } from '../model/request.ts'
import type { Message, Segment } from '../worker/messages.ts'

/**
 * The load processes of one run, wherever they are: how many there are, run this segment at this instant, stop.
 * Absolute starts and numbered messages are all that the processes share, so that they may one day be on other hosts.
 */
export interface LoadPool {
  /** Number of load processes. */
  readonly size: number
  readonly processes: readonly { readonly worker: number; readonly pid: number }[]
  /**
   * Has all processes compute their shares of a segment, and open connections ahead: `connections` over all of them.
   * Resolves with the first failure to connect, or null.
   */
  prepare(segment: Segment, connections: number): Promise<Failure | null>
  /**
   * Runs the segment that was prepared last on all processes from `startAt` on (host clock, ms). Resolves when all have drained; soon after
   * one has died, with what the others have. `onMessage` gets every message of this segment.
   */
  run(segment: Segment, startAt: number, onMessage: (message: Message) => void): Promise<void>
  /** Processes that died so far, by worker number. */
  readonly dead: readonly DeadProcess[]
  /** Stops offering and aborts what is in flight. */
  stop(): void
  close(): Promise<void>
}

export interface DeadProcess {
  readonly worker: number
  readonly pid: number
  readonly reason: string
  /** When that was noticed, host clock, ms. */
  readonly diedAt: number
}

/** `load process 2 (pid 123) died: ...`. Processes are numbered from 1 for people. */
export function describeDead({ worker, pid, reason }: DeadProcess): string {
  return `load process ${worker + 1} (pid ${pid || 'unknown'}) died: ${reason}`
}
