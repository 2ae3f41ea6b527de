/** Longest part of a given text that a message shows, in characters. */
const LONGEST = 48

/**
 * A given value as a message may show it: short, on one line, and without the user info and the query of a URL.
 * Values that are secret as a whole (keys, header values) must not come here: they are shown as `***`.
 */
export function shown(value: unknown): string {
  if (typeof value === 'string') return quoted(value.includes('://') ? withoutSecrets(value) : value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'function') return 'a function'
  if (typeof value === 'symbol') return 'a symbol'
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  return String(value)
}

/** The same for what should be a URL, and so may hold secrets even if it cannot be read as one. */
export function shownUrl(value: unknown): string {
  return typeof value === 'string' ? quoted(withoutSecrets(value)) : shown(value)
}

/** Milliseconds as an author would write them: `'30s'`, `'166.7ms'`. */
export function shownDuration(ms: number): string {
  return ms >= 1000 && Number.isInteger(ms / 1000) ? `'${ms / 1000}s'` : `'${ms}ms'`
}

/**
 * All up to the last @ after the scheme, and all after the first ?, becomes `***`: on the safe side where a password
 * holds these characters itself.
 */
function withoutSecrets(url: string): string {
  return url.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@').replace(/[?#].*$/s, '?***')
}

function quoted(text: string): string {
  const line = JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)
  return line.length > LONGEST ? `'${line.slice(0, LONGEST)}...'` : `'${line}'`
}
