import { readFileSync } from 'node:fs'
import * as fc from 'fast-check'
import { API_NAMES, wireFormat } from '../../src/client/formats.ts'
import type { Headers } from '../../src/client/reader.ts'
import { sampleEvents, streamType } from '../client/read-reply.ts'
import { RECORDED, headersOf } from '../client/recorded.ts'

/** A reply that is fuzzed: some server's, as it stands on the wire. */
export class Original {
  readonly #name: string
  readonly api: string
  readonly headers: Headers
  readonly body: Buffer

  constructor(name: string, api: string, headers: Headers, body: Buffer) {
    this.#name = name
    this.api = api
    this.headers = headers
    this.body = body
  }

  /** How a failed case shows it. */
  [fc.toStringMethod](): string {
    return this.#name
  }
}

/** Formats whose replies have events. */
export const STREAMED: readonly string[] = API_NAMES.filter((api) => wireFormat(api).framing !== 'none')

/** Every recorded stream, and of every format its sample and the events of the sample as documents. */
export const CORPUS: readonly Original[] = [
  ...RECORDED.map(({ file, api = 'openai-chat' }) => {
    const body = readFileSync(new URL(`../../fixtures/recorded/${file}`, import.meta.url))
    return new Original(file, api, headersOf(file), body)
  }),
  ...STREAMED.flatMap((api) => {
    const events = sampleEvents(api, 4)
    const documents = events.flatMap((event) => /\{.*\}/.exec(event)?.[0] ?? [])
    return [
      new Original(`a sample of ${api}`, api, { 'content-type': streamType(api) }, Buffer.from(events.join(''))),
      ...documents.map((text, index) => {
        const name = `event ${index} of a sample of ${api}, as a document`
        return new Original(name, api, { 'content-type': 'application/json' }, Buffer.from(text))
      }),
    ]
  }),
]
