/** The fields of a JSON object that somebody else has made: nothing about their values is known. */
export type Fields = Readonly<Record<string, unknown>>

/** The fields of a JSON object; null when the value is none. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

/** The fields of a JSON text; null when it is no JSON object. */
export function parseFields(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** A field's value as JSON, for a message; undefined when there is none. */
export function jsonOf(value: unknown): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // It was parsed without recursion, and is written with it.
    return 'something nested too deep to show'
  }
}

/** Whether a field holds text, which alone is a token: roles come with `""` or `null`. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Whether a field holds a number of something. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** Whether a field holds a list with something in it. */
export function isFilledList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && value.length > 0
}
