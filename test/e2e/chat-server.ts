import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A request as the server saw it. */
export interface SeenRequest {
  /** Path with the query. */
  readonly url: string
  readonly headers: IncomingMessage['headers']
  /** `model` of the body; empty when it has none. */
  readonly model: string
  /** `max_tokens` of the body. */
  readonly outputTokens: number
}

/** A small OpenAI-compatible server inside the process of the test: what it saw is there to be read. */
export interface ChatServer extends AsyncDisposable {
  /** The API's base, `http://127.0.0.1:40123/v1`. */
  readonly url: string
  /** All requests so far, in order of arrival. */
  readonly requests: readonly SeenRequest[]
  /** Requests of one model so far. */
  of(model: string): readonly SeenRequest[]
}

/**
 * Half of the time that a reply takes, ms: before its first token, and between that and the rest. Long, so that a client
 * on a busy machine that is late by a tenth of a second leaves no doubt whether it was above a millisecond.
 */
const HALF_MS = 250

/**
 * Starts a server that answers every request like a healthy model: the first token after a quarter of a second, all others after
 * as much more, usage, `[DONE]`. Timers are only ever late, so no reply is faster than that.
 */
export async function chatServer(): Promise<ChatServer> {
  const requests: SeenRequest[] = []
  const server = createServer((request, response) => {
    // A client that goes away in the middle of a reply is no event here.
    answer(request, response, requests).catch((error: unknown) => {
      if (!response.destroyed) throw error
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    of: (model) => requests.filter((request) => request.model === model),
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}

async function answer(request: IncomingMessage, response: ServerResponse, seen: SeenRequest[]): Promise<void> {
  const body = JSON.parse(await textOf(request)) as { model?: string; max_tokens: number }
  const { model = '', max_tokens: outputTokens } = body
  seen.push({ url: request.url ?? '', headers: request.headers, model, outputTokens })
  await wait(HALF_MS)
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] }))
  await wait(HALF_MS)
  const rest = Array.from({ length: outputTokens - 1 }, () =>
    event({ choices: [{ index: 0, delta: { content: 'word ' }, finish_reason: null }] }),
  )
  const usage = { prompt_tokens: 8, completion_tokens: outputTokens, total_tokens: 8 + outputTokens }
  const end = [event({ choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }), event({ choices: [], usage })]
  response.end([...rest, ...end, 'data: [DONE]\n\n'].join(''))
}

async function textOf(request: IncomingMessage): Promise<string> {
  request.setEncoding('utf8')
  const parts: string[] = []
  for await (const part of request) parts.push(part as string)
  return parts.join('')
}

function event(payload: object): string {
  return `data: ${JSON.stringify({ object: 'chat.completion.chunk', ...payload })}\n\n`
}
