import type { Failure } from '../model/request.ts'
import { Decompressor, codingOf } from './decompressor.ts'
import { failureOf, httpFailure } from './failures.ts'
import { Reply, excerpt } from './format.ts'
import type { WireFormat } from './format.ts'
import { type EventReader, MOST_BUFFERED } from './event-reader.ts'
import { createNdjsonReader } from './ndjson.ts'
import { KeptBody } from './kept-body.ts'
import type { Headers, Reader } from './reader.ts'
import { createSseReader } from './sse.ts'
import type { ScratchTrace } from './trace.ts'

/** Bytes kept of a body that is not read as a reply. */
const BEGINNING = 1000

/** How a stream may begin. Anything else in its place is a web page or an error under the wrong name. */
const EVENT_STREAM = /^[\uFEFF\s]*(?:$|:|data|event|id|retry)/
const LINES_OF_JSON = /^[\uFEFF\s]*(?:$|\{)/

/**
 * Turns the bytes of a reply into a trace and a judgement. It belongs to a connection and reads one reply after the
 * other; it knows neither sockets nor clocks: every piece comes with the stamp of the read that brought it.
 */
export class ReplyReader implements Reader {
  readonly #format: WireFormat
  readonly #reply = new Reply()
  readonly #events: EventReader
  #trace: ScratchTrace | null = null
  /** 0 until a reply has begun. */
  #status = 0
  #retryAfter: string | null = null
  /** How the body is read: as events, as one JSON document, or only its beginning, for a message. */
  #mode: 'events' | 'document' | 'beginning' = 'events'
  /** Why a reply with status 2xx cannot be read; empty when it can. */
  #unreadable = ''
  /** The body, or its beginning; kept only where, or while, there is no event. */
  readonly #kept = new KeptBody()
  /** Undoes the body's content coding; null where it has none. */
  #decompressor: Decompressor | null = null
  #heard = false
  #read = 0
  #at = 0
  #delay = 0

  constructor(format: WireFormat) {
    this.#format = format
    const create = format.framing === 'sse' ? createSseReader : createNdjsonReader
    this.#events = create((data, type) => this.#onEvent(data, type))
  }

  /** Whether the end mark has come: the reply is whole, even if the last bytes of its framing never come. */
  get done(): boolean {
    return this.#reply.done
  }

  begin(trace: ScratchTrace): void {
    this.#trace = trace
    this.#status = 0
    this.#heard = false
    this.#read = 0
    this.#reply.reset()
    this.#events.reset()
  }

  head(status: number, headers: Headers): void {
    this.#status = status
    this.#retryAfter = first(headers['retry-after'])
    this.#unreadable = ''
    this.#mode = isSuccess(status) ? this.#modeOf(headers) : 'beginning'
    const coding = codingOf(headers['content-encoding'])
    if (coding !== '') this.#decompress(coding)
    if (this.#trace !== null) this.#trace.streamed = this.#mode === 'events'
  }

  /**
   * Takes the next bytes of the body, which the socket read number `read` (from 1) brought at the instant `at`, ms,
   * after they had lain in this process for `delay` ms at most.
   */
  body(bytes: Uint8Array, read: number, at: number, delay: number): void {
    if (this.#decompressor === null) this.#take(bytes, read, at, delay)
    else this.#decompressor.push(bytes, read, at, delay)
  }

  /**
   * Calls `then` once everything that came has been read, so that the reply can be judged: at once, unless the body is
   * compressed. `whole` says whether that was all of it. After `finish`, `then` is not called any more.
   */
  whenRead(whole: boolean, then: () => void): void {
    if (this.#decompressor === null) then()
    else this.#decompressor.drain(whole, then)
  }

  /** Judges a reply whose body has ended in good order; null is a success. */
  end(): Failure | null {
    if (!isSuccess(this.#status)) return httpFailure(this.#status, this.#kept.text(), this.#retryAfter)
    const undecoded = this.#undecoded()
    if (undecoded !== null) return undecoded
    if (this.#read === 0) return { kind: 'empty', message: `HTTP ${this.#status} without a body` }
    if (this.#mode === 'beginning') {
      return { kind: 'bad-payload', message: `${this.#unreadable}: ${excerpt(this.#kept.text())}` }
    }
    if (this.#mode !== 'document') this.#events.end()
    else if (this.#reply.fault === null) this.#onDocument(this.#kept.text())
    const reply = this.#reply
    if (reply.fault !== null) return reply.fault
    if (this.#mode === 'events' && !this.#heard) return withoutEvents(this.#format.framing, this.#kept.text())
    if (!reply.complete && !this.#format.endsWithBody)
      return { kind: 'truncated', message: `stream ended without its end mark, ${soFar(reply)}` }
    return reply.contentEvents > 0 ? null : { kind: 'empty', message: `reply ended without a token${keptBack(reply)}` }
  }

  /** Judges a reply whose connection has failed before its body's end. What was whole before that stays whole. */
  broken(error: unknown, connected: boolean): Failure | null {
    if (this.#status === 0) return failureOf(error, connected ? 'sent' : 'connecting')
    const reply = this.#reply
    const told = reply.complete || reply.fault !== null || this.#undecoded() !== null
    if (!isSuccess(this.#status) || told) return this.end()
    const { kind, message } = failureOf(error, 'replying')
    return { kind, message: `${message}, ${soFar(reply)}` }
  }

  /** Copies the counts into the trace and lets go of it. `inputTokens` is the plan's figure. */
  finish(inputTokens: number): void {
    const trace = this.#trace
    if (trace === null) return
    const { outputTokens, contentEvents } = this.#reply
    // A count of 0 beside content is no count.
    const counted = outputTokens !== null && (outputTokens > 0 || contentEvents === 0)
    trace.usage = counted || (this.#format.oneTokenEvents && trace.streamed)
    trace.outputTokens = counted ? outputTokens : contentEvents
    trace.inputTokens = this.#reply.inputTokens ?? inputTokens
    // Tokens that were never sent had been generated before the first event: they came with its read.
    const unsent = counted ? this.#reply.unsentTokens : 0
    const sent = trace.outputTokens - unsent
    if (unsent > 0 && sent > 0) trace.lead((unsent * contentEvents) / sent)
    this.#trace = null
    this.#kept.clear()
    this.#decompressor?.close()
    this.#decompressor = null
  }

  #decompress(coding: string): void {
    this.#decompressor = Decompressor.of(coding, (...piece) => this.#take(...piece))
    if (this.#decompressor !== null) return
    this.#unreadable = `content-encoding ${excerpt(coding)} is not supported`
    this.#mode = 'beginning'
  }

  /** Takes bytes without content coding. Returns whether more are wanted. */
  #take(bytes: Uint8Array, read: number, at: number, delay: number): boolean {
    this.#read = read
    this.#at = at
    this.#delay = delay
    if (this.#mode === 'events') {
      if (!this.#events.feed(bytes)) return this.#tooLong('event')
      if (this.#heard) return true
    }
    if (this.#mode === 'document') return this.#kept.keep(bytes, MOST_BUFFERED) || this.#tooLong('reply')
    return this.#kept.keep(bytes, BEGINNING) || this.#mode === 'events'
  }

  #tooLong(what: string): false {
    this.#reply.fail('bad-payload', `${what} of more than ${MOST_BUFFERED / 2 ** 20} MiB`)
    return false
  }

  /**
   * Why the content coding makes the reply a failure. A body that cannot be decompressed is one, whatever was read
   * before: how much that was depends on how it was cut. One that lacks its end is none if the reply has its own.
   */
  #undecoded(): Failure | null {
    const failure = this.#decompressor?.failure ?? null
    if (failure?.kind !== 'truncated') return failure
    const reply = this.#reply
    if (reply.complete || reply.fault !== null) return null
    return { kind: 'truncated', message: `${failure.message}, ${soFar(reply)}` }
  }

  #onEvent(data: string, type: string | undefined): void {
    this.#heard = true
    if (this.#reply.done) return
    try {
      this.#content(this.#format.event(this.#reply, data, type))
    } catch (error) {
      this.#threw(error)
    }
  }

  #onDocument(text: string): void {
    try {
      this.#content(this.#format.document(this.#reply, text))
    } catch (error) {
      this.#threw(error)
    }
  }

  /** What a format throws is about this reply: it must end neither the others nor the process. */
  #threw(error: unknown): void {
    const said = error instanceof Error ? String(error) : 'it threw what is no error'
    this.#reply.fail('bad-payload', `api '${this.#format.name}' could not read the reply: ${said}`)
  }

  #content(events: number): void {
    const trace = this.#trace
    if (trace === null) return
    if (events > 0) trace.content(this.#read, this.#at, this.#delay, events)
    // Text may come later than the tokens that it is of.
    if (this.#reply.visible) trace.visible(this.#at, this.#delay)
  }

  #modeOf(headers: Headers): 'events' | 'document' | 'beginning' {
    const type = (first(headers['content-type']) ?? '').toLowerCase()
    if (type === '' || STREAM_TYPES[this.#format.framing].some((one) => type.startsWith(one))) return 'events'
    else if (type.startsWith('application/json')) return 'document'
    else this.#unreadable = `content-type is ${excerpt(type)}`
    return 'beginning'
  }
}

/** Media types of streamed replies. */
const STREAM_TYPES: Readonly<Record<WireFormat['framing'], readonly string[]>> = {
  sse: ['text/event-stream'],
  ndjson: ['application/x-ndjson', 'application/ndjson', 'application/jsonl', 'application/x-jsonlines'],
  none: [],
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299
}

function first(header: string | string[] | undefined): string | null {
  return (typeof header === 'object' ? header[0] : header) ?? null
}

function soFar(reply: Reply): string {
  return `after ${reply.contentEvents} content events`
}

/** Models that reason in secret may spend all tokens on it. */
function keptBack({ outputTokens }: Reply): string {
  return outputTokens === null || outputTokens === 0 ? '' : `; the server counts ${outputTokens}, and sent none of them`
}

function withoutEvents(framing: WireFormat['framing'], text: string): Failure {
  const beginning = framing === 'ndjson' ? LINES_OF_JSON : EVENT_STREAM
  if (beginning.test(text)) return { kind: 'truncated', message: 'stream ended before its first event' }
  return { kind: 'bad-payload', message: `not an event stream: ${excerpt(text)}` }
}
