import type { Socket } from 'node:net'
import { monotonicMs } from './clock.ts'
import { parseCompletion } from './completion.ts'
import type { CompletionApi } from './completion.ts'
import type { Engine, Generation } from './engine.ts'
import { HttpError } from './http-error.ts'
import { createRequestParser } from './http.ts'
import type { HttpRequest } from './http.ts'
import type { LedgerBook } from './ledger.ts'
import { ascii, errorReply, jsonReply } from './replies.ts'
import type { Replies } from './replies.ts'
import type { TurnClock } from './turn-clock.ts'

/** What all connections of a server share. */
export interface Service {
  readonly engine: Engine
  readonly replies: Replies
  readonly ledger: LedgerBook
  readonly model: string
  readonly clock: TurnClock
}

/** Time for the client to close a connection that was ended from here, ms, chosen. Until then its bytes are dropped. */
const LINGER_MS = 1000

type Endpoint =
  | { readonly method: 'POST'; readonly api: CompletionApi }
  | { readonly method: 'GET'; readonly reply: (service: Service, keepAlive: boolean) => string }

/** Paths, each also without `/v1`. */
const ENDPOINTS: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>([
  ['/chat/completions', { method: 'POST', api: 'chat' }],
  ['/completions', { method: 'POST', api: 'text' }],
  ['/models', { method: 'GET', reply: ({ replies, model }, keepAlive) => replies.models(model, keepAlive) }],
  ['/health', { method: 'GET', reply: (_, keepAlive) => jsonReply(200, '{}', keepAlive) }],
  ['/ledger', { method: 'GET', reply: ({ ledger }, keepAlive) => jsonReply(200, ascii(ledger.snapshot()), keepAlive) }],
])

/** Answers the requests of one connection, one after the other. A client that goes away frees what it held. */
export function serveConnection(socket: Socket, service: Service): void {
  const parser = createRequestParser()
  /** The reply under way. */
  let generation: Generation | null = null
  let replying = false
  let proceeding = false
  let ended = false
  /** How long bytes of the request that is being read, or answered, may have lain unread, ms. */
  let unread = 0
  /** The same of what told that the client went away. */
  let farewellUnread = 0

  /** Answers requests until one takes its time, or there is no other. */
  function proceed(arrived: number): void {
    proceeding = true
    try {
      for (;;) {
        if (replying || ended) return
        const request = parser.next()
        if (request === null) {
          if (!parser.partial) unread = 0
          if (parser.wantsContinue()) socket.write('HTTP/1.1 100 Continue\r\n\r\n', 'latin1')
          return
        }
        answer(request, arrived)
      }
    } catch (error) {
      refuse(error, false)
    } finally {
      proceeding = false
    }
  }

  function answer(request: HttpRequest, arrived: number): void {
    const { method, path, keepAlive } = request
    const endpoint = ENDPOINTS.get(path.startsWith('/v1/') ? path.slice(3) : path)
    if (endpoint === undefined) {
      refuse(new HttpError(404, `Invalid URL (${method} ${path})`), keepAlive)
    } else if (endpoint.method !== method) {
      const hint = `Not allowed to ${method} on ${path} (HINT: Perhaps you meant to use ${endpoint.method}?)`
      refuse(new HttpError(405, hint, 'method_not_supported'), keepAlive, `allow: ${endpoint.method}\r\n`)
    } else if (endpoint.method === 'GET') {
      say(endpoint.reply(service, keepAlive), keepAlive)
    } else {
      complete(endpoint.api, request, arrived)
    }
  }

  function complete(api: CompletionApi, { requestId, keepAlive, body }: HttpRequest, arrived: number): void {
    let completion
    try {
      completion = parseCompletion(api, body, service.model)
    } catch (error) {
      refuse(error, keepAlive)
      return
    }
    const { promptTokens, outputTokens, stream } = completion
    replying = true
    const submitted = service.engine.submit({
      requestId,
      arrived,
      waited: unread,
      promptTokens,
      outputTokens,
      stream,
      send(part, parts) {
        const text = stream
          ? service.replies.part(completion, part, parts, keepAlive)
          : service.replies.whole(completion, keepAlive)
        const flowing = socket.write(text, 'latin1')
        if (part + 1 === parts) finished(keepAlive)
        return flowing
      },
    })
    // Without delays the reply is over by now.
    if (replying) generation = submitted
  }

  function finished(keepAlive: boolean): void {
    replying = false
    generation = null
    if (!keepAlive) end()
    if (proceeding) return
    if (socket.isPaused()) socket.resume()
    proceedAt(monotonicMs())
  }

  /** A request that comes in pieces, or behind another on this connection, keeps the longest wait of all. */
  function proceedAt(arrived: number): void {
    unread = Math.max(unread, service.clock.waited(arrived))
    proceed(arrived)
  }

  function leave(): void {
    farewellUnread = service.clock.waited(monotonicMs())
  }

  function say(reply: string, keepAlive: boolean): void {
    socket.write(reply, 'latin1')
    if (!keepAlive) end()
  }

  function refuse(error: unknown, keepAlive: boolean, headers = ''): void {
    if (error instanceof HttpError) {
      say(errorReply(error, keepAlive, headers), keepAlive)
      return
    }
    console.error('The simulator failed on a request:', error)
    say(errorReply(new HttpError(500, 'The simulator failed on this request'), false), false)
  }

  function end(): void {
    ended = true
    socket.end()
    setTimeout(() => socket.destroy(), LINGER_MS).unref()
  }

  socket.on('data', (bytes) => {
    if (ended) return
    parser.feed(bytes)
    // Pipelined: what comes next waits for this reply, in the kernel.
    if (replying) socket.pause()
    else proceedAt(service.clock.arrival())
  })
  socket.on('end', leave)
  // Resets are part of a load test; what follows every error is 'close'.
  socket.on('error', () => {
    leave()
    socket.destroy()
  })
  socket.on('close', () => {
    if (generation !== null) service.engine.abandon(generation, farewellUnread)
    generation = null
  })
  // What came while the connection stood in the backlog is read in the next turn; what comes later has not waited.
  unread = service.clock.waitedInBacklog(() => {
    if (socket.bytesRead === 0) unread = 0
  })
}
