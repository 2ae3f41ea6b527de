import { wireFormat } from '../client/formats.ts'
import { replyByToken, startNullServer } from './null-server.ts'

/** What a null server in a process of its own answers to every request, as its only argument in JSON. */
export interface NullReply {
  readonly api: string
  readonly tokens: number
  /** Time between two tokens, each written by itself, ms; null writes the whole reply at once. */
  readonly gapMs: number | null
}

/** Its only message: it listens. What it is sent ends it, and so does its parent's end. */
export interface NullServerReady {
  readonly port: number
}

process.title = 'vitest-slo null server'
process.once('message', () => process.exit(0))
process.once('disconnect', () => process.exit(0))

const { api, tokens, gapMs } = JSON.parse(process.argv[2] ?? '') as NullReply
const pieces = replyByToken(wireFormat(api), tokens)
const { port } = await startNullServer(pieces, gapMs === null ? 'whole' : { gapMs })
process.send!({ port } satisfies NullServerReady)
