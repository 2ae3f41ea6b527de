import type { FailureKind } from '../model/request.ts'
import type { Content } from './content.ts'

/**
 * One wire format of LLM servers: what a request looks like, and what the pieces of its reply mean.
 *
 * A format knows no sockets and no clock. It reads whole events; where bytes were cut, and when they came, is not
 * its business.
 */
export interface WireFormat {
  /** Value of `target.api`. */
  readonly name: string
  /** What comes between a bare host and the path, for example `/v1`; empty for none. */
  readonly base: string
  /**
   * Path after the API's base URL, for example `/chat/completions`; with the query that the API needs. Where the model
   * is part of it, the path of no model is what follows the model: how the path of every endpoint ends.
   */
  path(route: Route): string
  /** Headers of every request: the key's, where there is one, and what the API asks for besides. */
  headers(apiKey: string | null): Readonly<Record<string, string>>
  /**
   * How a streamed reply is cut into events: server-sent events, or a JSON document a line. `'none'` is a body of
   * which nothing is read but its end: there are no tokens, and the author makes the whole request.
   */
  readonly framing: 'sse' | 'ndjson' | 'none'
  /** Whether a streamed reply is at its end when its body is, without an end mark. */
  readonly endsWithBody: boolean
  /** Whether every content event is one token, so that events are exact counts where the server gives none. */
  readonly oneTokenEvents: boolean
  /** Fields of the request body; `prompt` must appear in them once, as it is. */
  fields(ask: Ask): Readonly<Record<string, unknown>>
  /**
   * Fields that make a server go on after its end token until so many output tokens are there, laid over the others.
   * Absent where servers of this format know none.
   */
  ignoreEos?(outputTokens: number): Readonly<Record<string, unknown>>
  /**
   * Reads one event of a streamed reply into `reply`.
   * @returns Number of content events in it, of any channel; 0 for roles, usage, end marks, errors and keep-alives.
   */
  event(reply: Reply, data: string, type: string | undefined): number
  /** Reads a reply that came as one document into `reply`. Returns content events, as `event` does. */
  document(reply: Reply, text: string): number
  /** A correct streamed reply with so many tokens: what the client is warmed and calibrated with. */
  sample(tokens: number): Sample
}

/** What the path of a request may depend on. */
export interface Route {
  readonly model: string | null
  readonly stream: boolean
}

/**
 * The events of a streamed reply as they stand on the wire: those before the first token, that of a token, those after.
 * Where the events of tokens differ, as those that count do, it is a function of the token's number, from 1.
 */
export interface Sample {
  readonly before: readonly string[]
  readonly token: string | ((nth: number) => string)
  readonly after: readonly string[]
}

/** The events of a sample's tokens, `tokens` of them. */
export function tokenEvents({ token }: Sample, tokens: number): string[] {
  return Array.from({ length: tokens }, (_, index) => (typeof token === 'string' ? token : token(index + 1)))
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
  /** Whether every content event so far carried a count that grew with it, so that events can be weighed by tokens. */
  counted = true
  /** The server's count of reasoning tokens, which are among its output tokens; 0 while it has given none. */
  reasoningTokens = 0
  /** Whether any content event was reasoning. */
  reasoned = false
  /** Bit sets of the parallel outputs (`choices`) that have brought content, and that have ended. */
  started = 0
  finished = 0
  /** Whether the end mark of the stream has come; nothing after it counts. */
  done = false
  /** The first thing that makes this reply a failure. */
  fault: Fault | null = null

  /**
   * Output tokens that no event has brought: reasoning that the server counts and keeps to itself. They were generated
   * before the first content event. 0 where events were weighed by the server's counts, which hold them already.
   */
  get unsentTokens(): number {
    return this.reasoned || this.counted ? 0 : this.reasoningTokens
  }

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
    this.reasoningTokens = 0
    this.reasoned = false
    this.started = 0
    this.finished = 0
    this.done = false
    this.fault = null
  }

  /**
   * Notes what an event brings for one of the parallel outputs, given as its bit.
   * @returns its content events, which `content` then must get
   */
  brings(content: Content, output = 1): 0 | 1 {
    if (content === 'none') return 0
    this.started |= output
    if (content === 'text') this.visible = true
    else if (content === 'reasoning') this.reasoned = true
    return 1
  }

  /**
   * Adds content events. A chunk may hold several tokens (speculative decoding): where each of them so far came with
   * the server's count of all tokens, its weight is exact. A count that does not grow with the content (0 until the
   * end, or of another of several outputs) is none.
   *
   * @param counted whether these came with such a count, which then is in `outputTokens`
   * @returns the content events, weighed
   */
  content(events: number, counted: boolean): number {
    if (events === 0) return 0
    const tokens = (this.outputTokens ?? 0) - this.contentEvents
    if (!counted || tokens <= 0) this.counted = false
    const all = this.counted ? Math.max(events, tokens) : events
    this.contentEvents += all
    return all
  }

  /**
   * Adds the tokens by which the server's count of all tokens so far has grown: none where it has not, since they were
   * in the count before. Without such a count in an event before, content is one content event.
   *
   * @returns the content events, weighed
   */
  countedTo(tokens: number, hasContent: boolean): number {
    this.outputTokens = tokens
    return this.content(Number(this.counted ? tokens > this.contentEvents : hasContent), true)
  }

  /** Notes a fault, unless there is one already: the first names the cause, later ones are its consequences. */
  fail(kind: Fault['kind'], message: string): void {
    this.fault ??= { kind, message: excerpt(message) || 'the server gave no reason' }
  }
}

/** A failure that the reply itself tells. */
export interface Fault {
  readonly kind: FailureKind & ('stream-error' | 'bad-payload')
  readonly message: string
}

/** Characters of somebody else's text that are kept until secrets have been taken out of it. */
const KEPT = 4000

/** What would break a line, or move a terminal's cursor. */
const BLANKS = /[\s\p{Cc}]+/gu

/**
 * The beginning of somebody else's text as one line, for a message. Much longer than what is shown: cut to that length
 * before secrets are taken out, a secret across the cut would be shown in part (see `shorten`).
 */
export function excerpt(text: string): string {
  return text.slice(0, KEPT).replace(BLANKS, ' ').trim()
}

/** A message at the length at which it is shown: at most `limit` characters and an ellipsis. */
export function shorten(message: string, limit = 240): string {
  return message.length > limit ? `${message.slice(0, limit)}...` : message
}
