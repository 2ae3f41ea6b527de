import { createServer, type Server, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tokenEvents, type WireFormat } from '../client/format.ts'
import { hostNow } from './clock.ts'

/** A server on loopback that knows one reply. */
export interface NullServer {
  readonly port: number
  close(): Promise<void>
}

/**
 * How a reply is written, from the instant at which its request is whole: `'by turns'` in one piece and piece by piece,
 * always `'whole'`, or one piece every `gapMs`, the first at once.
 */
export type Writing = 'by turns' | 'whole' | { readonly gapMs: number }

const HEAD_END = '\r\n\r\n'
const CONTENT_LENGTH = /content-length: *(\d+)/i

/** Grain of replies that are written with a gap, ms: one timer serves all of them. */
const TICK_MS = 1

/**
 * Starts a null server: what the client is warmed and calibrated against, so that the target never sees a request that
 * is not part of the load. It reads just enough HTTP to know where a request ends.
 */
export async function startNullServer(reply: readonly Buffer[], writing: Writing = 'by turns'): Promise<NullServer> {
  const sockets = new Set<Socket>()
  const write = writerOf(reply, writing)
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.setNoDelay(true)
    socket.on('close', () => sockets.delete(socket))
    // A reset while the warm-up ends is no concern of the run's.
    socket.on('error', () => socket.destroy())
    answer(socket, write)
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

/** Writes one reply; `nth` is how many the connection has had. */
type Write = (socket: Socket, nth: number) => void

function answer(socket: Socket, write: Write): void {
  let pending = ''
  let answered = 0
  socket.on('data', (bytes) => {
    pending += bytes.toString('latin1')
    for (;;) {
      const headEnd = pending.indexOf(HEAD_END)
      if (headEnd < 0) return
      const length = Number(CONTENT_LENGTH.exec(pending.slice(0, headEnd))?.[1] ?? 0)
      const end = headEnd + HEAD_END.length + length
      if (pending.length < end) return
      pending = pending.slice(end)
      write(socket, answered++)
    }
  })
}

function writerOf(reply: readonly Buffer[], writing: Writing): Write {
  const whole = Buffer.concat(reply)
  if (writing === 'whole') return (socket) => socket.write(whole)
  if (writing !== 'by turns') return pacedWriter(reply, writing.gapMs)
  // Each piece in a turn of the loop of its own, so that the client reads it by itself.
  const inPieces = (socket: Socket, next: number): void => {
    if (next === reply.length || socket.destroyed) return
    socket.write(reply[next]!)
    setImmediate(inPieces, socket, next + 1)
  }
  return (socket, nth) => (nth % 2 === 0 ? socket.write(whole) : inPieces(socket, 0))
}

/** Writes one piece every `gapMs` on an absolute schedule: the pieces of a server that is late merge, and are not lost. */
function pacedWriter(reply: readonly Buffer[], gapMs: number): Write {
  // All gaps are equal: what was written last is due last, as long as the server is on time.
  const streams: { readonly socket: Socket; next: number; due: number }[] = []
  let timer: NodeJS.Timeout | null = null
  const tick = () => {
    const now = hostNow()
    while (streams.length > 0 && streams[0]!.due <= now) {
      const stream = streams.shift()!
      if (stream.socket.destroyed) continue
      stream.socket.write(reply[stream.next++]!)
      stream.due += gapMs
      if (stream.next < reply.length) streams.push(stream)
    }
    if (streams.length > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
  return (socket) => {
    socket.write(reply[0]!)
    if (reply.length === 1) return
    streams.push({ socket, next: 1, due: hostNow() + gapMs })
    timer ??= setInterval(tick, TICK_MS)
  }
}

function closeServer(server: Server, sockets: Set<Socket>): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve())
    for (const socket of sockets) socket.destroy()
  })
}

/** A format's streamed reply of so many tokens as a chunked HTTP response: head, one chunk for each event, end. */
export function streamedReply(format: WireFormat, tokens: number): Buffer[] {
  const sample = format.sample(tokens)
  const events = [...sample.before, ...tokenEvents(sample, tokens), ...sample.after]
  return [headOf(format), ...events.map(chunked), END].map((piece) => Buffer.from(piece))
}

/** The same reply in as many pieces as it has tokens: the head comes with the first, the end with the last. */
export function replyByToken(format: WireFormat, tokens: number): Buffer[] {
  const sample = format.sample(tokens)
  const head = headOf(format) + sample.before.map(chunked).join('')
  const tail = sample.after.map(chunked).join('') + END
  return tokenEvents(sample, tokens).map((event, i) =>
    Buffer.from((i === 0 ? head : '') + chunked(event) + (i === tokens - 1 ? tail : '')),
  )
}

const END = '0\r\n\r\n'

const MEDIA_TYPES: Readonly<Record<WireFormat['framing'], string>> = {
  sse: 'text/event-stream',
  ndjson: 'application/x-ndjson',
  none: 'text/plain',
}

function headOf({ framing }: WireFormat): string {
  return `HTTP/1.1 200 OK\r\ncontent-type: ${MEDIA_TYPES[framing]}\r\ntransfer-encoding: chunked\r\n\r\n`
}

function chunked(event: string): string {
  return `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`
}
