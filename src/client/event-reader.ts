/**
 * Characters of one unfinished event, and bytes of one document, that are kept. No model writes that much at once, and
 * without a bound one broken server could fill the memory of the process.
 */
export const MOST_BUFFERED = 64 * 2 ** 20

/** Takes an event's data, and its type where the framing has types. */
export type OnEvent = (data: string, type: string | undefined) => void

/** Reads events out of the bytes of one streamed reply after the other, however they were cut. */
export interface EventReader {
  /**
   * Takes the next bytes; gives every event that they complete.
   * @returns Whether it can go on: false once an event is longer than `MOST_BUFFERED`, until `reset`.
   */
  feed(bytes: Uint8Array): boolean
  /** The body has ended: gives what is complete without anything more to come. */
  end(): void
  /** Forgets the reply so far. */
  reset(): void
}
