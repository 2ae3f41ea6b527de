import { HttpError } from './http-error.ts'

/** Largest request line and headers, and largest trailer, bytes (as nginx and Node have it). */
export const MAX_HEAD_BYTES = 16_384

/** Largest request body, bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024

/** What the request line and the headers say. */
export interface RequestHead {
  readonly method: string
  /** Path without query. */
  readonly path: string
  /** `x-request-id`, null without. */
  readonly requestId: string | null
  /** Whether the connection stays open after the reply. */
  readonly keepAlive: boolean
  /** Content-Length, bytes; 0 without; meaningless when chunked. */
  readonly length: number
  readonly chunked: boolean
  /** Whether the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean
}

/**
 * Reads the request line and the headers, without the empty line that ends them.
 *
 * @throws {HttpError} for what is malformed, or announces a body that is not taken
 * @see RFC 9112
 */
export function parseHead(text: string): RequestHead {
  let end = lineEnd(text, 0)
  const line = /^([!#$%&'*+.^_`|~0-9A-Za-z-]+) (\S+) HTTP\/(\d\.\d)$/.exec(text.slice(0, end))
  if (line === null) throw new HttpError(400, 'The request line is malformed')
  if (line[3] !== '1.1') throw new HttpError(505, 'Only HTTP/1.1 is spoken here')
  const target = line[2]!
  const query = target.indexOf('?')
  let length: number | null = null
  let chunked = false
  let keepAlive = true
  let expectsContinue = false
  let requestId: string | null = null
  while (end < text.length) {
    const start = end + 2
    end = lineEnd(text, start)
    const colon = text.indexOf(':', start)
    if (colon <= start || colon >= end) throw new HttpError(400, 'A header line is malformed')
    switch (text.slice(start, colon).toLowerCase()) {
      case 'content-length':
        length = contentLength(text.slice(colon + 1, end).trim(), length)
        break
      case 'transfer-encoding':
        if (
          text
            .slice(colon + 1, end)
            .trim()
            .toLowerCase() !== 'chunked'
        ) {
          throw new HttpError(501, 'The only transfer encoding known here is chunked')
        }
        chunked = true
        break
      case 'connection':
        if (/\bclose\b/i.test(text.slice(colon + 1, end))) keepAlive = false
        break
      case 'expect':
        expectsContinue =
          text
            .slice(colon + 1, end)
            .trim()
            .toLowerCase() === '100-continue'
        break
      case 'x-request-id':
        requestId = text.slice(colon + 1, end).trim() || null
        break
    }
  }
  if (chunked && length !== null) throw new HttpError(400, 'Both Content-Length and Transfer-Encoding were given')
  const path = query < 0 ? target : target.slice(0, query)
  return { method: line[1]!, path, requestId, keepAlive, length: length ?? 0, chunked, expectsContinue }
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\r\n', from)
  return end < 0 ? text.length : end
}

function contentLength(value: string, before: number | null): number {
  if (!/^\d{1,15}$/.test(value)) throw new HttpError(400, 'Content-Length is no number')
  const length = Number(value)
  if (before !== null && before !== length) throw new HttpError(400, 'Content-Length was given twice')
  if (length > MAX_BODY_BYTES) throw tooLarge()
  return length
}

/** The error for a body beyond the limit. */
export function tooLarge(): HttpError {
  return new HttpError(413, `The body is larger than ${MAX_BODY_BYTES} bytes`)
}
