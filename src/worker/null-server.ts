import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'

/** A server on loopback that answers every request at once: by turns in one piece, and event by event. */
export interface NullServer {
  readonly port: number
  close(): Promise<void>
}

const HEAD_END = '\r\n\r\n'
const CONTENT_LENGTH = /content-length: *(\d+)/i

/**
 * Starts a null server: what the client is warmed against, so that the target never sees a request that is not part
 * of the load. It reads just enough HTTP to know where a request ends.
 */
export async function startNullServer(reply: readonly Buffer[]): Promise<NullServer> {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    // A reset while the warm-up ends is no concern of the run's.
    socket.on('error', () => socket.destroy())
    answer(socket, reply)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    port: (server.address() as AddressInfo).port,
    close: () => closeServer(server, sockets),
  }
}

function answer(socket: Socket, reply: readonly Buffer[]): void {
  const whole = Buffer.concat(reply)
  let pending = ''
  let answered = 0
  // Each piece in a turn of the loop of its own, so that the client reads it by itself.
  const inPieces = (next: number): void => {
    if (next === reply.length || socket.destroyed) return
    socket.write(reply[next]!)
    setImmediate(inPieces, next + 1)
  }
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1')
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END)
      if (headEnd < 0) return
      const length = Number(CONTENT_LENGTH.exec(pending.slice(0, headEnd))?.[1] ?? 0)
      const end = headEnd + HEAD_END.length + length
      if (pending.length < end) return
      pending = pending.slice(end)
      if (answered++ % 2 === 0) socket.write(whole)
      else inPieces(0)
    }
  })
}

function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}

/** A streamed reply of the given SSE events as a chunked HTTP response: head, one chunk for each event, end. */
export function streamedReply(events: readonly string[]): Buffer[] {
  const chunks = events.map((data) => {
    const chunk = `data: ${data}\n\n`
    return `${Buffer.byteLength(chunk).toString(16)}\r\n${chunk}\r\n`
  })
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'
  return [head, ...chunks, '0\r\n\r\n'].map((piece) => Buffer.from(piece))
}
