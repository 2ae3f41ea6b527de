/**
 * The product's load process, made slower: after each token it keeps its event loop busy, as a client does that has
 * more to do with a token than this one (larger chunks, a tokenizer, a slower language).
 *
 * The work is wrapped around the wire format in this process alone. Stamps are taken before it, as before any parsing.
 */
import { wireFormat } from '../../../src/client/formats.ts'
import type { Setup } from '../../../src/worker/messages.ts'
import loadProcess from '../../../src/worker/entry.ts'
import { spin } from '../busy-work.ts'

export interface Slowed {
  readonly setup: Setup
  readonly workMs: number
}

const { setup, workMs } = JSON.parse(process.argv[2]!) as Slowed
const format = wireFormat(setup.plan.target.api)
const read = format.event.bind(format)
const slowed: typeof format.event = (reply, data, type) => {
  const tokens = read(reply, data, type)
  if (tokens > 0) spin(workMs)
  return tokens
}
Object.assign(format, { event: slowed })
await loadProcess(setup)
process.exit(0)
