import type { Failure } from '../model/request.ts'
import { failureOf, httpFailure } from './failures.ts'
import type { Headers, Reader } from './reader.ts'
import type { ScratchTrace } from './trace.ts'

/** Bytes kept of the body of a status that was not expected. */
const BEGINNING = 1000

/**
 * Reads replies of plain HTTP endpoints: whatever the body is, it is dropped, and its end is the end of the reply. All
 * that makes one a failure is its status, or that it does not come to its end. A redirect is a status like another.
 */
export class PlainReader implements Reader {
  readonly done = false
  readonly #expected: readonly number[] | null
  #trace: ScratchTrace | null = null
  /** 0 until a reply has begun. */
  #status = 0
  #retryAfter: string | null = null
  #beginning = ''

  /** @param expected statuses that are a success; null for any 2xx */
  constructor(expected: readonly number[] | null) {
    this.#expected = expected
  }

  begin(trace: ScratchTrace): void {
    trace.streamed = false
    this.#trace = trace
    this.#status = 0
    this.#beginning = ''
  }

  head(status: number, headers: Headers): void {
    const wish = headers['retry-after']
    this.#status = status
    this.#retryAfter = (typeof wish === 'object' ? wish[0] : wish) ?? null
  }

  body(bytes: Uint8Array): void {
    const room = BEGINNING - this.#beginning.length
    if (room <= 0 || this.#isExpected()) return
    this.#beginning += Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, room)).toString('latin1')
  }

  whenRead(_whole: boolean, then: () => void): void {
    then()
  }

  end(read: number, at: number, delay: number): Failure | null {
    if (!this.#isExpected()) return this.#refused()
    // The end is what E2E ends with, even of an empty body.
    this.#trace?.content(read, at, delay, 1)
    return null
  }

  broken(error: unknown, connected: boolean): Failure | null {
    if (this.#status === 0) return failureOf(error, connected ? 'sent' : 'connecting')
    return this.#isExpected() ? failureOf(error, 'replying') : this.#refused()
  }

  finish(): void {
    this.#trace = null
  }

  #isExpected(): boolean {
    return this.#expected?.includes(this.#status) ?? (this.#status >= 200 && this.#status <= 299)
  }

  #refused(): Failure {
    // Kept as bytes, since a character may be cut.
    const text = Buffer.from(this.#beginning, 'latin1').toString()
    return httpFailure(this.#status, text, this.#retryAfter, this.#expected)
  }
}
