import net from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import tls from 'node:tls'
import { tokenEvents } from '../../src/client/format.ts'
import { openaiChat } from '../../src/client/openai-chat.ts'

/** One request as the server got it, and the socket on which to answer. */
export interface Turn {
  readonly socket: Socket
  readonly head: string
  readonly body: string
  /** Number of the request on this server, and of its connection; both from 0. */
  readonly request: number
  readonly connection: number
}

export interface ScriptedServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  readonly turns: readonly Turn[]
  readonly sockets: readonly Socket[]
}

export interface Script {
  /** Called for every whole request. Without it requests are not answered. */
  readonly onRequest?: (turn: Turn) => void
  readonly onConnection?: (socket: Socket) => void
  readonly tls?: { readonly key: string; readonly cert: string }
}

/** A raw server on 127.0.0.1 that does what its script says, byte for byte. */
export async function scriptedServer(script: Script): Promise<ScriptedServer> {
  const turns: Turn[] = []
  const sockets: Socket[] = []
  const accept = (socket: Socket) => {
    const connection = sockets.push(socket) - 1
    socket.setNoDelay(true)
    // Clients that abort or refuse are part of the scripts.
    socket.on('error', () => socket.destroy())
    script.onConnection?.(socket)
    let pending = ''
    socket.on('data', (bytes) => {
      pending += bytes.toString()
      const end = pending.indexOf('\r\n\r\n') + 4
      const length = Number(/content-length: (\d+)/i.exec(pending)?.[1] ?? 0)
      if (end < 4 || pending.length < end + length) return
      const turn = { socket, head: pending.slice(0, end), body: pending.slice(end), request: turns.length, connection }
      pending = ''
      turns.push(turn)
      script.onRequest?.(turn)
    })
  }
  const server = script.tls ? tls.createServer(script.tls, accept) : net.createServer(accept)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${script.tls ? 'https' : 'http'}://127.0.0.1:${port}/v1/chat/completions`,
    turns,
    sockets,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}

/** A response with `content-length`. */
export function whole(status: string, headers: readonly string[], body: string): string {
  return ['HTTP/1.1 ' + status, ...headers, `content-length: ${Buffer.byteLength(body)}`, '', body].join('\r\n')
}

export const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'

export const LAST_CHUNK = '0\r\n\r\n'

/** One HTTP chunk. */
export function chunk(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`
}

/** One HTTP chunk of bytes that are no text. */
export function chunkOf(bytes: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])
}

/** The chunks of a correct chat reply of so many tokens, without head and last chunk. */
export function chatChunks(tokens: number): string[] {
  const sample = openaiChat.sample(tokens)
  return [...sample.before, ...tokenEvents(sample, tokens), ...sample.after].map(chunk)
}

/** A correct chat reply in one piece. */
export function chatReply(tokens: number): string {
  return STREAM_HEAD + chatChunks(tokens).join('') + LAST_CHUNK
}
