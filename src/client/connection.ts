import { Socket } from 'node:net'
import { Client } from 'undici'
import type { Dispatcher, buildConnector } from 'undici'
import type { HttpMethod } from '../model/plan.ts'
import type { Failure } from '../model/request.ts'
import { failureOf } from './failures.ts'
import { PlainReader } from './plain-reader.ts'
import type { Headers, Reader } from './reader.ts'
import { ReplyReader } from './reply-reader.ts'
import type { Phase, Timed, TimeoutKind } from './timeouts.ts'
import type { ScratchTrace } from './trace.ts'
import type { Wire } from './wire.ts'

const LATE: Readonly<Record<TimeoutKind, string>> = {
  'timeout-connect': 'no connection',
  'timeout-first-byte': 'no byte of a reply',
  'timeout-idle': 'no further byte of the reply',
  'timeout-total': 'reply not over',
}

/**
 * One connection to the server and the request that it carries: an undici `Client` of its own, on a socket of ours.
 *
 * undici makes one call per HTTP chunk, so the stamp is taken a level below it: at the socket's `readable` event, by
 * a listener that stands before undici's. Whatever undici then reports came with that read, and shares its stamp.
 */
export class Connection implements Timed, Dispatcher.DispatchHandler {
  slot = -1
  phase: Phase = 'connect'
  /** In phase `idle`: the stamp of the last read. */
  since = 0
  begun = 0
  /** Longest time for which the bytes of the last read may have lain unread, ms. */
  #delay = 0
  readonly #wire: Wire
  readonly #client: Client
  readonly #reader: Reader
  readonly #request: {
    readonly path: string
    readonly method: HttpMethod
    readonly headers: string[]
    readonly body: Buffer | null
    readonly reset: false
  }
  #socket: Socket | null = null
  /** Whether undici has the socket already. */
  #attached = false
  #closed = false
  #dispatching = false
  /** Whether the reply is over but for what of it still has to be decompressed. */
  #ending = false
  #trace: ScratchTrace | null = null
  /** Whether the request had to wait for a new socket: that time is the server's, and `sent` stands before it. */
  #waited = false
  #onOpened: ((failure: Failure | null) => void) | null = null

  constructor(wire: Wire) {
    const { url, format, idPrefix } = wire
    this.#wire = wire
    this.#reader = format.framing === 'none' ? new PlainReader(wire.status) : new ReplyReader(format)
    this.#request = {
      path: url.pathname + url.search,
      method: wire.method,
      headers: [...wire.headers, ...(idPrefix === null ? [] : ['x-request-id', ''])],
      body: wire.bodies.create(),
      // undici closes after some methods (HEAD), and every request would pay for a connection.
      reset: false,
    }
    this.#client = new Client(url.origin, {
      connect: (options, callback) => this.#connect(options, callback),
      allowH2: false,
      headersTimeout: 0,
      bodyTimeout: 0,
      keepAliveTimeout: 600_000,
    })
  }

  /** Whether a request sent now would find an open socket. */
  get usable(): boolean {
    return this.#socket !== null && !this.#socket.destroyed
  }

  get busy(): boolean {
    return this.#trace !== null
  }

  /** Opens the socket ahead of the first request. Resolves to null, or to what prevented it; never rejects. */
  open(): Promise<Failure | null> {
    const { promise, resolve } = Promise.withResolvers<Failure | null>()
    const { url, host, watch, now } = this.#wire
    this.#onOpened = (failure) => {
      this.#onOpened = null
      watch.remove(this)
      resolve(failure)
    }
    this.since = now()
    this.begun = Number.POSITIVE_INFINITY
    watch.add(this)
    const address = { hostname: url.hostname.replace(/^\[|\]$/g, ''), host, protocol: url.protocol, port: url.port }
    this.#openSocket(address, (error, socket) => {
      // An idle connection must not keep the process alive.
      socket?.unref()
      this.#onOpened?.(error === null ? null : failureOf(error, 'connecting'))
    })
    return promise
  }

  /** Sends a request; `trace.sent` is the instant of the call. The connection must not be busy. */
  send(trace: ScratchTrace, prompt: number): void {
    const { bodies, idPrefix, watch } = this.#wire
    const { body, headers } = this.#request
    bodies.write(body, prompt)
    if (idPrefix !== null) headers[headers.length - 1] = idPrefix + prompt.toString(16)
    this.#trace = trace
    this.#reader.begin(trace)
    this.#waited = false
    this.#ending = false
    this.phase = 'first-byte'
    this.since = trace.sent
    this.begun = trace.sent
    watch.add(this)
    this.#dispatching = true
    this.#client.dispatch(this.#request, this)
    this.#dispatching = false
  }

  /** Ends the request, if there is one, and closes the socket so that the server learns of it. */
  abort(failure: Failure): void {
    this.#settle(failure, this.since, false)
    this.destroy()
  }

  destroy(): void {
    this.#closed = true
    this.#socket?.destroy()
    this.#onOpened?.({ kind: 'aborted', message: 'closed while it was being opened' })
  }

  expire(kind: TimeoutKind, limitMs: number): void {
    // What is still being decompressed has come in time.
    if (this.#ending) return
    const failure: Failure = { kind, message: `${LATE[kind]} within ${limitMs} ms` }
    this.#onOpened?.(failure)
    this.#end(false, false, (end) => (this.#reader.done ? end() : failure))
    this.destroy()
  }

  onRequestStart(): void {
    const trace = this.#trace
    if (trace === null) return
    this.phase = 'first-byte'
    this.since = this.#wire.now()
    // On an idle socket undici waits for a turn of the event loop before it writes. That is the client's lateness.
    if (!this.#waited) this.begun = trace.sent = this.since
  }

  onResponseStart(_controller: Dispatcher.DispatchController, status: number, headers: Headers): void {
    if (status >= 200) this.#reader.head(status, headers)
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#reader.body(chunk, this.#wire.reads, this.since, this.#delay)
  }

  onResponseEnd(): void {
    this.#end(true, true, (end) => end())
  }

  onResponseError(controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#dispatching) process.nextTick(() => this.onResponseError(controller, error))
    else this.#end(false, false, () => this.#reader.broken(error, this.phase !== 'connect'))
  }

  /** Nothing more of the reply will come. Settles once all that came has been read, see `Reader.whenRead`. */
  #end(whole: boolean, reusable: boolean, judge: (end: () => Failure | null) => Failure | null): void {
    if (this.#ending || this.#trace === null) return
    this.#ending = true
    // The server may close the connection while its reply is still being read, which is an event of its own.
    const { since } = this
    const { reads } = this.#wire
    const end = () => this.#reader.end(reads, since, this.#delay)
    this.#reader.whenRead(whole, () => this.#settle(judge(end), since, reusable && this.usable))
  }

  /** `since` is the stamp of the last read that belongs to the reply. */
  #settle(failure: Failure | null, since: number, reusable: boolean): void {
    const trace = this.#trace
    if (trace === null) return
    const { watch, now, inputTokens, onSettled } = this.#wire
    this.#trace = null
    watch.remove(this)
    trace.ended = failure === null || reusable ? since : now()
    this.#reader.finish(inputTokens)
    if (!reusable) this.destroy()
    onSettled(this, trace, failure, reusable)
  }

  /** undici asks for a socket: at its first request, and when it found the one it had closed before it wrote. */
  #connect(address: buildConnector.Options, callback: buildConnector.Callback): void {
    const socket = this.#socket
    if (this.#closed) {
      process.nextTick(callback, new Error('connection is closed'), null)
    } else if (socket !== null && !socket.destroyed && !this.#attached) {
      this.#attached = true
      socket.ref()
      // undici does not look at its queue again when it is called back at once.
      process.nextTick(callback, null, socket)
    } else {
      this.#attached = true
      this.#waited = true
      this.phase = 'connect'
      this.since = this.#wire.now()
      this.#openSocket(address, callback)
    }
  }

  #openSocket(address: buildConnector.Options, callback: buildConnector.Callback): void {
    const opening: unknown = this.#wire.connect(address, (...result) => {
      if (result[0] === null) this.#adopt(result[1])
      callback(...result)
    })
    if (opening instanceof Socket) this.#socket = opening
  }

  #adopt(socket: Socket): void {
    const wire = this.#wire
    this.#socket = socket
    socket.on('readable', () => {
      this.since = wire.now()
      this.phase = 'idle'
      // The end of the stream is readable, too, but no read.
      if (socket.readableLength > 0) {
        wire.reads++
        this.#delay = wire.lateness.read(this.since)
      }
      // Before undici has the socket, only its end is expected, and only reading makes Node notice that.
      if (!this.#attached && socket.read() !== null) socket.destroy()
    })
    socket.once('close', () => wire.onClose(this))
    wire.onOpen()
  }
}
