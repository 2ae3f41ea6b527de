import { tokenEvents } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'
import type { Headers } from '../../src/client/reader.ts'
import { ReplyReader } from '../../src/client/reply-reader.ts'
import { ScratchTrace } from '../../src/client/trace.ts'
import type { Failure, Trace } from '../../src/model/request.ts'

/** Media type of the streams of each framing. */
const TYPES = { sse: 'text/event-stream', ndjson: 'application/x-ndjson', none: '' } as const

/** What a reader has made of a reply. */
export interface Read {
  readonly failure: Failure | null
  /** Number of each read that brought content, and the content events that it counts for. */
  readonly reads: readonly (readonly [read: number, events: number])[]
  readonly firstToken: number
  readonly firstVisible: number
  readonly lastToken: number
  readonly outputTokens: number
  readonly inputTokens: number
  readonly usage: boolean
}

export interface Head {
  readonly status?: number
  readonly headers?: Headers
}

/** Content type of a streamed reply of that format. */
export function streamType(api: string): string {
  return TYPES[wireFormat(api).framing]
}

/** Reads a reply; each piece is a read of its own, whose stamp is its number, from 1. */
export function readReply(api: string, pieces: readonly Uint8Array[], head: Head = {}): Read {
  return readNext(new ReplyReader(wireFormat(api)), new ScratchTrace(), api, pieces, head)
}

/** The same with a reader, and a trace, that have read others. */
export function readNext(
  reader: ReplyReader,
  trace: ScratchTrace,
  api: string,
  pieces: readonly Uint8Array[],
  head: Head = {},
): Read {
  beginReply(reader, trace, api, pieces, head)
  const failure = reader.end()
  reader.finish(128)
  return readOf(trace, failure)
}

/** The same, compressed. */
export async function readCompressed(
  reader: ReplyReader,
  trace: ScratchTrace,
  api: string,
  pieces: readonly Uint8Array[],
  head: Head,
): Promise<Read> {
  beginReply(reader, trace, api, pieces, head)
  await new Promise<void>((resolve) => reader.whenRead(true, resolve))
  const failure = reader.end()
  reader.finish(128)
  return readOf(trace, failure)
}

/** What a trace says of a reply with that failure. */
export function readOf(trace: Trace, failure: Failure | null): Read {
  const { firstToken, firstVisible, lastToken, outputTokens, inputTokens, usage } = trace
  const reads = Array.from({ length: trace.reads }, (_, i) => [trace.readAt[i]!, trace.readEvents[i]!] as const)
  return { failure, reads, firstToken, firstVisible, lastToken, outputTokens, inputTokens, usage }
}

/** A correct streamed reply of so many tokens: the text of each of its events. */
export function sampleEvents(api: string, tokens: number): string[] {
  const sample = wireFormat(api).sample(tokens)
  return [...sample.before, ...tokenEvents(sample, tokens), ...sample.after]
}

/** A text's bytes in pieces of that length. */
export function inPieces(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  )
}

function beginReply(
  reader: ReplyReader,
  trace: ScratchTrace,
  api: string,
  pieces: readonly Uint8Array[],
  { status = 200, headers = { 'content-type': streamType(api) } }: Head,
): void {
  trace.begin(0, 0, 0, 0)
  reader.begin(trace)
  reader.head(status, headers)
  pieces.forEach((piece, index) => reader.body(piece, index + 1, index + 1, 0))
}
