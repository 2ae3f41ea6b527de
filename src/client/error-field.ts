/** The field, which is none of the standard's. */
const FIELD = 'error:'
const LINE_END = /[\r\n]/
const AT_LINE_START = /(^|[\r\n])error:/g
const IN_LINE = /([\r\n])error:/g

/**
 * Makes an event of type `error` of the field in which llama.cpp told errors until September 2025 (`error: {...}`) in
 * the place of an event. Readers of server-sent events drop it as the standard wants it, and with it the reason.
 *
 * It takes a stream's text in pieces, cut anywhere, and gives it back; what may be the beginning of such a line waits
 * for the next piece. Any other piece costs a look at its end and a search.
 *
 * @see https://github.com/ggml-org/llama.cpp/pull/16109
 */
export class ErrorField {
  #rest = ''
  #atLineStart = true

  rewrite(piece: string): string {
    if (this.#rest === '' && this.#atLineStart && isOneEvent(piece)) return piece
    const text = this.#rest + piece
    const open = this.#open(text)
    const whole = open === 0 ? text : text.slice(0, -open)
    this.#rest = open === 0 ? '' : text.slice(-open)
    if (whole === '') return ''
    const field = this.#atLineStart ? AT_LINE_START : IN_LINE
    this.#atLineStart = LINE_END.test(whole.at(-1)!)
    return whole.includes(FIELD) ? whole.replace(field, '$1event: error\ndata:') : whole
  }

  /** The stream begins anew. */
  reset(): void {
    this.#rest = ''
    this.#atLineStart = true
  }

  /** How many characters at the end of a text may be the beginning of the field. */
  #open(text: string): number {
    if (text.endsWith('\n')) return 0
    for (let length = Math.min(FIELD.length - 1, text.length); length > 0; length--) {
      if (!text.endsWith(FIELD.slice(0, length))) continue
      if (length === text.length ? this.#atLineStart : LINE_END.test(text.at(-length - 1)!)) return length
    }
    return 0
  }
}

/** Whether a piece is one `data` line and its blank line, as nearly every piece is: told by searches for single characters. */
function isOneEvent(piece: string): boolean {
  const line = piece.length - 2
  return piece.indexOf('\n') === line && piece.startsWith('data:') && piece.endsWith('\n') && !piece.includes('\r')
}
