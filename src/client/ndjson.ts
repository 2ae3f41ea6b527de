import { type EventReader, MOST_BUFFERED, type OnEvent } from './event-reader.ts'

const STREAM = { stream: true } as const

/**
 * A reader of newline-delimited JSON: an event a line, of LF or CRLF. Empty lines are none. The last line needs no line
 * end if it is JSON without it: else it was cut off, and is dropped.
 *
 * @see https://github.com/ndjson/ndjson-spec
 */
export function createNdjsonReader(onEvent: OnEvent): EventReader {
  const decoder = new TextDecoder('utf-8')
  let rest = ''
  let full = false
  const give = (line: string) => {
    const text = line.trim()
    if (text !== '') onEvent(text, undefined)
  }
  return {
    feed(bytes) {
      if (full) return false
      const text = decoder.decode(bytes, STREAM)
      let start = 0
      // Only LF ends a line: U+2028 and its kin may stand inside JSON text.
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
        const line = rest + text.slice(start, end)
        rest = ''
        start = end + 1
        give(line)
      }
      rest += text.slice(start)
      full = rest.length > MOST_BUFFERED
      if (full) rest = ''
      return !full
    },
    end() {
      const line = rest + decoder.decode()
      rest = ''
      if (isJson(line)) give(line)
    },
    reset() {
      decoder.decode()
      rest = ''
      full = false
    },
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
