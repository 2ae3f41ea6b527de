import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'
import type { Failure } from '../model/request.ts'

/** The bytes of one socket read that wait to be decompressed, and the read that brought them. */
interface Piece {
  readonly bytes: Uint8Array[]
  readonly read: number
  readonly at: number
  readonly delay: number
}

/**
 * Takes decompressed bytes with number, stamp and delay of the socket read that brought them.
 * Returns whether it wants more.
 */
export type OnBytes = (bytes: Uint8Array, read: number, at: number, delay: number) => boolean

/** Content codings that are understood, and what undoes them. The first byte of a body settles what `deflate` means. */
const STREAMS: Readonly<Record<string, (firstByte: number) => Transform>> = {
  gzip: () => zlib.createGunzip(),
  'x-gzip': () => zlib.createGunzip(),
  // RFC 9110 means the zlib format by this name; some servers send what is inside it.
  deflate: (firstByte) => ((firstByte & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw()),
  br: () => zlib.createBrotliDecompress(),
  // RFC 9659 allows windows of 8 MB on the web; a larger one would be memory that a server can claim.
  zstd: () => zlib.createZstdDecompress({ params: { [zlib.constants.ZSTD_d_windowLogMax]: 23 } }),
}

/** The codings that a `content-encoding` header names, in lower case, `identity` left out; empty when there is none. */
export function codingOf(header: string | string[] | undefined): string {
  if (header === undefined) return ''
  const codings = String(header)
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
  return codings.filter((coding) => coding !== '' && coding !== 'identity').join(', ')
}

/** Compressed bytes that may wait. Only a reply made to grow, or a process that stands still, gets there. */
const MOST_WAITING = 16 * 2 ** 20

/**
 * Undoes the content coding of one reply.
 *
 * `node:zlib` works on threads of its own, so output comes later than the read whose bytes it was made of. The stamps
 * stay true all the same: one read at a time is handed over, and all output until it is used up came of that read. Both
 * formats give every byte that can be known so far, so an event is complete with the read that completes it.
 * Costs a turn of a thread per read: the CPU of a read about doubles (measured: 11 us become 24). Replies that are not
 * compressed do not come here.
 */
export class Decompressor {
  readonly #create: (firstByte: number) => Transform
  readonly #onBytes: OnBytes
  #stream: Transform | null = null
  readonly #waiting: Piece[] = []
  #waitingBytes = 0
  /** The read that is being decompressed, or the last that was. */
  #current: Piece | null = null
  #writing = false
  /** Nothing more is read: the compressed data are at their end or broken, or nobody wants more. */
  #over = false
  #failure: Failure | null = null
  #whole = false
  #then: (() => void) | null = null

  /** @returns null for a coding that is not understood: see `STREAMS`. */
  static of(coding: string, onBytes: OnBytes): Decompressor | null {
    const create = Object.hasOwn(STREAMS, coding) ? STREAMS[coding] : undefined
    return create === undefined ? null : new Decompressor(create, onBytes)
  }

  private constructor(create: (firstByte: number) => Transform, onBytes: OnBytes) {
    this.#create = create
    this.#onBytes = onBytes
  }

  /** Why the body cannot be decompressed, as far as it has been; null when it can. */
  get failure(): Failure | null {
    return this.#failure
  }

  /** Takes the next bytes of the body. Those of one read come in one call or more, and reads in order. */
  push(bytes: Uint8Array, read: number, at: number, delay: number): void {
    if (this.#over || bytes.length === 0) return
    const last = this.#waiting.at(-1)
    if (last?.read === read) last.bytes.push(bytes)
    else this.#waiting.push({ bytes: [bytes], read, at, delay })
    this.#waitingBytes += bytes.length
    if (this.#waitingBytes > MOST_WAITING)
      this.#stop({ kind: 'client', message: 'compressed reply came faster than this process could decompress it' })
    // The other HTTP chunks of this read are still to come, in this very turn of the event loop.
    else if (!this.#writing) queueMicrotask(() => this.#next())
  }

  /**
   * Calls `then` once, when all that was pushed has been read: never during the call, unless it has been already.
   * `whole` says whether that was all of the body: whether its compressed data must be at their end, too.
   */
  drain(whole: boolean, then: () => void): void {
    this.#whole = whole
    this.#then = then
    this.#next()
  }

  /** Forgets everything: `then` of a `drain` under way is not called any more. */
  close(): void {
    this.#then = null
    this.#stop(null)
  }

  #next(): void {
    if (this.#writing) return
    const piece = this.#over ? undefined : this.#waiting.shift()
    if (piece !== undefined) this.#write(piece)
    else if (this.#then !== null && this.#whole && !this.#over && this.#stream !== null) this.#stream.end()
    else this.#drained()
  }

  #write(piece: Piece): void {
    const bytes = piece.bytes.length === 1 ? piece.bytes[0]! : Buffer.concat(piece.bytes)
    this.#stream ??= this.#open(bytes[0]!)
    this.#waitingBytes -= bytes.length
    this.#current = piece
    this.#writing = true
    this.#stream.write(bytes, () => {
      // An error is told by the stream's event.
      this.#take()
      this.#writing = false
      if (!this.#over) this.#next()
    })
  }

  #open(firstByte: number): Transform {
    const stream = this.#create(firstByte)
    stream.on('readable', () => this.#take())
    // What stands behind the end of the compressed data is not read. The write that brought it may never call back.
    stream.once('end', () => this.#stop(null))
    stream.once('error', (error: NodeJS.ErrnoException) => this.#stop(failureOf(error)))
    return stream
  }

  #take(): void {
    for (;;) {
      const bytes: Uint8Array | null = this.#over ? null : this.#stream!.read()
      if (bytes === null) return
      const { read, at, delay } = this.#current!
      if (!this.#onBytes(bytes, read, at, delay)) this.#stop(null)
    }
  }

  #stop(failure: Failure | null): void {
    if (this.#over) return
    this.#over = true
    this.#failure = failure
    this.#waiting.length = 0
    this.#waitingBytes = 0
    this.#stream?.destroy()
    this.#drained()
  }

  #drained(): void {
    const then = this.#then
    this.#then = null
    then?.()
  }
}

function failureOf(error: NodeJS.ErrnoException): Failure {
  if (error.code === 'Z_BUF_ERROR') return { kind: 'truncated', message: 'compressed body ended before its end' }
  return { kind: 'bad-payload', message: `body cannot be decompressed: ${error.message}` }
}
