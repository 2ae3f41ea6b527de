import type { Failure } from '../model/request.ts'
import type { ScratchTrace } from './trace.ts'

/** Response headers, names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/**
 * What a connection has its replies read by, one after the other. It knows neither sockets nor clocks: what comes is
 * told with the stamp of the read that brought it.
 */
export interface Reader {
  /** Whether the end mark has come: the reply is whole, even if the last bytes of its framing never come. */
  readonly done: boolean
  begin(trace: ScratchTrace): void
  head(status: number, headers: Headers): void
  /**
   * Takes the next bytes of the body, which the socket read number `read` (from 1) brought at the instant `at`, ms,
   * after they had lain in this process for `delay` ms at most.
   */
  body(bytes: Uint8Array, read: number, at: number, delay: number): void
  /** Calls `then` once everything that came has been read; `whole` says whether that was all of the body. */
  whenRead(whole: boolean, then: () => void): void
  /** Judges a reply whose body has ended in good order, with the read of that stamp; null is a success. */
  end(read: number, at: number, delay: number): Failure | null
  /** Judges a reply whose connection has failed before its body's end. What was whole before that stays whole. */
  broken(error: unknown, connected: boolean): Failure | null
  /** Copies the counts into the trace and lets go of it. `inputTokens` is the plan's figure. */
  finish(inputTokens: number): void
}
