import type { FailureKind } from '../model/request.ts'

/**
 * One wire format of LLM servers: what a request looks like, and what the pieces of its reply mean.
 *
 * A format knows no sockets and no clock. It reads whole events; where bytes were cut, and when they came, is not
 * its business.
 */
export interface WireFormat {
  /** Value of `target.api`. */
  readonly name: string
  /** Path after the API's base URL, for example `/chat/completions`. */
  readonly path: string
  /** Media type of a streamed reply. */
  readonly streamType: string
  /** Fields of the request body; `prompt` must appear in them once, as it is. */
  fields(ask: Ask): Readonly<Record<string, unknown>>
  /**
   * Reads one event of a streamed reply into `reply`.
   * @returns Number of content events in it, of any channel; 0 for roles, usage, end marks, errors and keep-alives.
   */
  event(reply: Reply, data: string, type: string | undefined): number
  /** Reads a reply that came as one document into `reply`. Returns content events, as `event` does. */
  document(reply: Reply, text: string): number
  /** The data of the events of a correct streamed reply with so many tokens, for warming up the JIT. */
  sampleReply(tokens: number): readonly string[]
}

/** What a request asks for. */
export interface Ask {
  readonly model: string | null
  readonly prompt: string
  /** Most output tokens. */
  readonly outputTokens: number
  readonly stream: boolean
}

/** What the events of one reply have said so far. A format adds to it; it is used again for the next reply. */
export class Reply {
  /** Content events of all channels. */
  contentEvents = 0
  /** Whether any of them was text that a reader sees. */
  visible = false
  /** The server's counts, last value wins; null while it has given none. */
  outputTokens: number | null = null
  inputTokens: number | null = null
  /** Whether every content event so far carried a count, so that events can be weighed by their tokens. */
  counted = true
  /** Bit sets of the parallel outputs (`choices`) that have brought content, and that have ended. */
  started = 0
  finished = 0
  /** Whether the end mark of the stream has come; nothing after it counts. */
  done = false
  /** The first thing that makes this reply a failure. */
  fault: Fault | null = null

  /** Whether the server has said that every output is at its end. */
  get complete(): boolean {
    return this.done || (this.finished !== 0 && (this.started & ~this.finished) === 0)
  }

  reset(): void {
    this.contentEvents = 0
    this.visible = false
    this.outputTokens = null
    this.inputTokens = null
    this.counted = true
    this.started = 0
    this.finished = 0
    this.done = false
    this.fault = null
  }

  /** Notes a fault, unless there is one already: the first names the cause, later ones are its consequences. */
  fail(kind: Fault['kind'], message: string): void {
    this.fault ??= { kind, message }
  }
}

/** A failure that the reply itself tells. */
export interface Fault {
  readonly kind: FailureKind & ('stream-error' | 'bad-payload')
  readonly message: string
}

/** Characters of somebody else's text that are kept until secrets have been taken out of it. */
const KEPT = 4000

/**
 * The beginning of somebody else's text as one line, for a message. Much longer than what is shown: cut to that length
 * before secrets are taken out, a secret across the cut would be shown in part (see `shorten`).
 */
export function excerpt(text: string): string {
  return text.slice(0, KEPT).replace(/\s+/g, ' ').trim()
}

/** A message at the length at which it is shown: at most `limit` characters and an ellipsis. */
export function shorten(message: string, limit = 240): string {
  return message.length > limit ? `${message.slice(0, limit)}...` : message
}
