import { HttpError } from './http-error.ts'
import { MAX_BODY_BYTES, MAX_HEAD_BYTES, parseHead, tooLarge } from './http-head.ts'
import type { RequestHead } from './http-head.ts'

/** One complete HTTP/1.1 request. */
export interface HttpRequest extends Pick<RequestHead, 'method' | 'path' | 'requestId' | 'keepAlive'> {
  readonly body: Buffer
}

/** Longest line of a chunk's size with its extensions, bytes. */
const MAX_SIZE_LINE_BYTES = 1024

const EMPTY = Buffer.alloc(0)

/** Bytes in, requests out; where the bytes were cut does not matter. */
export interface RequestParser {
  /** Takes the next bytes of the connection; it may keep views of them. */
  feed(bytes: Buffer): void
  /**
   * The next request that is complete; null when more bytes are needed.
   *
   * @throws {HttpError} when the bytes are no request that it accepts. The connection is of no more use then.
   */
  next(): HttpRequest | null
  /** Whether bytes are at hand of a request that was not taken yet. */
  readonly partial: boolean
  /** True once per request that waits for `100 Continue` before it sends its body. */
  wantsContinue(): boolean
}

/**
 * A parser for one connection: Content-Length and chunked bodies, pipelining, CRLF line ends only.
 *
 * Bytes of a body are kept in a list until it is complete, since joining them read by read costs O(n^2).
 *
 * @see RFC 9112
 */
export function createRequestParser(): RequestParser {
  let rest: Buffer = EMPTY
  let head: RequestHead | null = null
  let parts: Buffer[] = []
  /** Bytes of the body taken so far. */
  let taken = 0
  /** Bytes that the current chunk still lacks: -1 before its size is known, -2 in the trailer. */
  let lacking = -1
  let continued = false

  function takeBody(upTo: number): void {
    const bytes = rest.length <= upTo ? rest : rest.subarray(0, upTo)
    if (bytes.length > 0) parts.push(bytes)
    taken += bytes.length
    rest = rest.subarray(bytes.length)
  }

  /** A line without its CRLF, consumed; null while it is incomplete. */
  function takeLine(limit: number, status: number, what: string): string | null {
    const end = rest.indexOf('\r\n')
    if (end > limit || (end < 0 && rest.length > limit + 1)) throw new HttpError(status, `The ${what} is too long`)
    if (end < 0) return null
    const line = rest.toString('latin1', 0, end)
    rest = rest.subarray(end + 2)
    return line
  }

  /** Whether the chunked body is complete. */
  function takeChunks(): boolean {
    for (;;) {
      if (lacking === -2) {
        const line = takeLine(MAX_HEAD_BYTES, 431, 'trailer')
        if (line === null) return false
        if (line === '') return true
      } else if (lacking === -1) {
        const line = takeLine(MAX_SIZE_LINE_BYTES, 400, 'size line of a chunk')
        if (line === null) return false
        const size = /^([0-9a-f]{1,8})[ \t]*(?:;|$)/i.exec(line)?.[1]
        if (size === undefined) throw new HttpError(400, 'A chunk of the body has no size')
        lacking = parseInt(size, 16)
        if (taken + lacking > MAX_BODY_BYTES) throw tooLarge()
        if (lacking === 0) lacking = -2
      } else {
        const before = taken
        takeBody(lacking)
        lacking -= taken - before
        if (lacking > 0 || rest.length < 2) return false
        if (rest[0] !== 13 || rest[1] !== 10) throw new HttpError(400, 'A chunk of the body is longer than its size')
        rest = rest.subarray(2)
        lacking = -1
      }
    }
  }

  function takeHead(): RequestHead | null {
    let start = 0
    // RFC 9112, 2.2: empty lines before a request are to be ignored.
    while (rest[start] === 13 && rest[start + 1] === 10) start += 2
    if (start > 0) rest = rest.subarray(start)
    const end = rest.indexOf('\r\n\r\n')
    if (end > MAX_HEAD_BYTES || (end < 0 && rest.length > MAX_HEAD_BYTES + 3)) {
      throw new HttpError(431, 'The request line and headers are too long')
    }
    if (end < 0) return null
    const text = rest.toString('latin1', 0, end)
    rest = rest.subarray(end + 4)
    return parseHead(text)
  }

  return {
    feed(bytes) {
      rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes])
    },
    next() {
      head ??= takeHead()
      if (head === null) return null
      if (head.chunked) {
        if (!takeChunks()) return null
      } else {
        takeBody(head.length - taken)
        if (taken < head.length) return null
      }
      const { method, path, requestId, keepAlive } = head
      const body = parts.length === 1 ? parts[0]! : Buffer.concat(parts, taken)
      head = null
      parts = []
      taken = 0
      lacking = -1
      continued = false
      return { method, path, requestId, keepAlive, body }
    },
    get partial() {
      return head !== null || rest.length > 0
    },
    wantsContinue() {
      if (head === null || continued || taken > 0) return false
      continued = head.expectsContinue
      return continued
    },
  }
}
