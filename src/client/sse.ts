import { createParser } from 'eventsource-parser'

/** Reads server-sent events out of bytes, of one reply after the other. */
export interface SseReader {
  /** Takes the next bytes; calls `onEvent` for every event that they complete. */
  feed(bytes: Uint8Array): void
  /** Forgets the reply so far. An event without its blank line is dropped, as the standard says. */
  reset(): void
}

const STREAM = { stream: true } as const

/**
 * A reader that gives the same events however the bytes were cut: inside a line end, inside a character, inside a BOM.
 *
 * @param onEvent Gets the joined `data` lines and the `event` field, if there was one. Comments are no events.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createSseReader(onEvent: (data: string, type: string | undefined) => void): SseReader {
  // The parser removes the one BOM that the standard allows; a decoder that did so too would remove a second.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const parser = createParser({ onEvent: (message) => onEvent(message.data, message.event) })
  return {
    feed: (bytes) => parser.feed(decoder.decode(bytes, STREAM)),
    reset() {
      decoder.decode()
      parser.reset()
    },
  }
}
