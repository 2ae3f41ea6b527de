import type { Transform } from 'node:stream'
import * as zlib from 'node:zlib'

/** What a server may compress its replies with. */
export interface Coding {
  /** Value of `content-encoding`. */
  readonly header: string
  /** In words. */
  readonly name: string
  readonly create: () => Transform
  /** Makes the compressor give all that it has. */
  readonly flush: number
}

const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH, BROTLI_PARAM_QUALITY, ZSTD_e_flush } = zlib.constants

export const CODINGS: readonly Coding[] = [
  { header: 'gzip', name: 'gzip', create: () => zlib.createGzip(), flush: Z_SYNC_FLUSH },
  { header: 'X-GZIP', name: 'gzip by its old name', create: () => zlib.createGzip(), flush: Z_SYNC_FLUSH },
  { header: 'deflate', name: 'deflate', create: () => zlib.createDeflate(), flush: Z_SYNC_FLUSH },
  {
    header: 'deflate',
    name: 'deflate without its zlib frame',
    create: () => zlib.createDeflateRaw(),
    flush: Z_SYNC_FLUSH,
  },
  {
    header: 'br',
    name: 'br',
    create: () => zlib.createBrotliCompress({ params: { [BROTLI_PARAM_QUALITY]: 4 } }),
    flush: BROTLI_OPERATION_FLUSH,
  },
  { header: 'zstd', name: 'zstd', create: () => zlib.createZstdCompress(), flush: ZSTD_e_flush },
]

/**
 * The texts compressed as one body, flushed after each as a server does that streams: the bytes of each text, and
 * last those that end the body.
 */
export async function compressed(coding: Coding, texts: readonly (string | Uint8Array)[]): Promise<Buffer[]> {
  const stream = coding.create()
  const out: Buffer[] = []
  const taken = () => Buffer.concat(out.splice(0))
  stream.on('data', (bytes: Buffer) => out.push(bytes))
  const ended = new Promise((resolve, reject) => stream.once('end', resolve).once('error', reject))
  const pieces: Buffer[] = []
  for (const text of texts) {
    stream.write(text)
    await flushed(stream, coding.flush)
    pieces.push(taken())
  }
  stream.end()
  await ended
  return [...pieces, taken()]
}

function flushed(stream: Transform, kind: number): Promise<void> {
  return new Promise((resolve) => (stream as zlib.Gzip).flush(kind, resolve))
}
