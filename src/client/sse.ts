import { createParser } from 'eventsource-parser'
import { ErrorField } from './error-field.ts'
import { type EventReader, MOST_BUFFERED, type OnEvent } from './event-reader.ts'
import type { Fields } from './fields.ts'

const STREAM = { stream: true } as const

/** An event of that data, and type, as it stands on the wire. */
export function sseEvent(data: string, type?: string): string {
  return `${type === undefined ? '' : `event: ${type}\n`}data: ${data}\n\n`
}

/** An event whose data names its type, as it stands on the wire. */
export function typedSseEvent(event: Fields & { readonly type: string }): string {
  return sseEvent(JSON.stringify(event), event.type)
}

/**
 * A reader that gives the same events however the bytes were cut: inside a line end, inside a character, inside a BOM.
 *
 * @param onEvent Gets the joined `data` lines and the `event` field, if there was one. Comments are no events.
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export function createSseReader(onEvent: OnEvent): EventReader {
  // The parser removes the one BOM that the standard allows; a decoder that did so too would remove a second.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const errors = new ErrorField()
  let full = false
  const parser = createParser({
    maxBufferSize: MOST_BUFFERED,
    onEvent: (message) => onEvent(message.data, message.event),
    // Fields that are not known are ignored, as the standard says.
    onError: (error) => (full ||= error.type === 'max-buffer-size-exceeded'),
  })
  return {
    feed(bytes) {
      if (!full) parser.feed(errors.rewrite(decoder.decode(bytes, STREAM)))
      return !full
    },
    // An event without its blank line is dropped, as the standard says.
    end: () => undefined,
    reset() {
      decoder.decode()
      errors.reset()
      parser.reset()
      full = false
    },
  }
}
