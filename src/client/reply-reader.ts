import type { Failure } from '../model/request.ts'
import { failureOf, httpFailure } from './failures.ts'
import { Reply, excerpt } from './format.ts'
import type { WireFormat } from './format.ts'
import { createSseReader } from './sse.ts'
import type { ScratchTrace } from './trace.ts'

/** Response headers, names in lower case. */
export type Headers = Readonly<Record<string, string | string[] | undefined>>

/** Bytes kept of a body that is not read as a reply. */
const BEGINNING = 1000

/** How an event stream may begin. Anything else in its place is a web page or an error under the wrong name. */
const EVENT_STREAM = /^[\uFEFF\s]*(?:$|:|data|event|id|retry)/

/**
 * Turns the bytes of a reply into a trace and a judgement. It belongs to a connection and reads one reply after the
 * other; it knows neither sockets nor clocks: every piece comes with the stamp of the read that brought it.
 */
export class ReplyReader {
  readonly #format: WireFormat
  readonly #reply = new Reply()
  readonly #events = createSseReader((data, type) => this.#onEvent(data, type))
  #trace: ScratchTrace | null = null
  /** 0 until a reply has begun. */
  #status = 0
  #retryAfter: string | null = null
  /** How the body is read: as events, as one JSON document, or only its beginning, for a message. */
  #mode: 'events' | 'document' | 'beginning' = 'events'
  /** Why a reply with status 2xx cannot be read; empty when it can. */
  #unreadable = ''
  /** The body, or its beginning, in pieces; kept only where, or while, there is no event. */
  #kept: Uint8Array[] = []
  #keptBytes = 0
  #heard = false
  #read = 0
  #at = 0

  constructor(format: WireFormat) {
    this.#format = format
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
    if (this.#keptBytes > 0) {
      this.#kept = []
      this.#keptBytes = 0
    }
    this.#reply.reset()
    this.#events.reset()
  }

  head(status: number, headers: Headers): void {
    this.#status = status
    this.#retryAfter = first(headers['retry-after'])
    this.#unreadable = ''
    this.#mode = isSuccess(status) ? this.#modeOf(headers) : 'beginning'
    if (this.#trace !== null) this.#trace.streamed = this.#mode === 'events'
  }

  /** Takes the next bytes of the body, which the socket read number `read` (from 1) brought at the instant `at`, ms. */
  body(bytes: Uint8Array, read: number, at: number): void {
    this.#read = read
    this.#at = at
    if (this.#mode === 'events') {
      this.#events.feed(bytes)
      if (this.#heard) return
    }
    if (this.#mode !== 'document' && this.#keptBytes >= BEGINNING) return
    this.#kept.push(bytes)
    this.#keptBytes += bytes.length
  }

  /** Judges a reply whose body has ended in good order; null is a success. */
  end(): Failure | null {
    if (!isSuccess(this.#status)) return httpFailure(this.#status, this.#text(), this.#retryAfter)
    if (this.#read === 0) return { kind: 'empty', message: `HTTP ${this.#status} without a body` }
    if (this.#mode === 'beginning') {
      return { kind: 'bad-payload', message: `${this.#unreadable}: ${excerpt(this.#text())}` }
    }
    if (this.#mode === 'document') this.#content(this.#format.document(this.#reply, this.#text()))
    else if (!this.#heard) return withoutEvents(this.#text())
    const reply = this.#reply
    if (reply.fault !== null) return reply.fault
    if (!reply.complete) return { kind: 'truncated', message: `stream ended without its end mark, ${soFar(reply)}` }
    return reply.contentEvents > 0 ? null : { kind: 'empty', message: 'reply ended without a token' }
  }

  /** Judges a reply whose connection has failed before its body's end. What was whole before that stays whole. */
  broken(error: unknown, connected: boolean): Failure | null {
    if (this.#status === 0) return failureOf(error, connected ? 'sent' : 'connecting')
    const reply = this.#reply
    if (!isSuccess(this.#status) || reply.complete || reply.fault !== null) return this.end()
    const { kind, message } = failureOf(error, 'replying')
    return { kind, message: `${message}, ${soFar(reply)}` }
  }

  /** Copies the counts into the trace and lets go of it. `inputTokens` is the plan's figure. */
  finish(inputTokens: number): void {
    const trace = this.#trace
    if (trace === null) return
    const { outputTokens, contentEvents } = this.#reply
    // A count of 0 beside content is no count.
    trace.usage = outputTokens !== null && (outputTokens > 0 || contentEvents === 0)
    trace.outputTokens = trace.usage ? (outputTokens ?? 0) : contentEvents
    trace.inputTokens = this.#reply.inputTokens ?? inputTokens
    this.#trace = null
  }

  #onEvent(data: string, type: string | undefined): void {
    this.#heard = true
    if (!this.#reply.done) this.#content(this.#format.event(this.#reply, data, type))
  }

  #content(events: number): void {
    const trace = this.#trace
    if (events === 0 || trace === null) return
    trace.content(this.#read, this.#at, events)
    if (this.#reply.visible && Number.isNaN(trace.firstVisible)) trace.firstVisible = this.#at
  }

  #modeOf(headers: Headers): 'events' | 'document' | 'beginning' {
    const type = (first(headers['content-type']) ?? '').toLowerCase()
    const encoding = first(headers['content-encoding']) ?? 'identity'
    if (encoding !== 'identity') this.#unreadable = `content-encoding ${encoding} is not supported`
    else if (type === '' || type.startsWith(this.#format.streamType)) return 'events'
    else if (type.startsWith('application/json')) return 'document'
    else this.#unreadable = `content-type is ${type}`
    return 'beginning'
  }

  #text(): string {
    return Buffer.concat(this.#kept).toString()
  }
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

function withoutEvents(text: string): Failure {
  if (EVENT_STREAM.test(text)) return { kind: 'truncated', message: 'stream ended before its first event' }
  return { kind: 'bad-payload', message: `not an event stream: ${excerpt(text)}` }
}
