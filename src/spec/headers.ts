import { z } from 'zod'
import { field, isRecord, type Field } from './fields.ts'
import { shown } from './shown.ts'

/** Characters of a header's name (RFC 9110, token). */
const NAME = /^[!#$%&'*+\-.^_`|~\dA-Za-z]+$/

/** What a header's value cannot hold: control characters, line breaks among them, and what is not Latin-1. */
const NOT_IN_VALUE = /[^\t\u0020-\u007E\u0080-\u00FF]/

/** Headers that describe the connection or the body, which the client makes. */
const OWN = ['connection', 'content-length', 'expect', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade']

/** Headers by name in lower case; a header that is undefined is left out. Messages never hold a value. */
export const headers: Field<Readonly<Record<string, string>>> = z.transform((given: unknown, ctx) => {
  const refuse = (path: string[], message: string) => ctx.addIssue({ code: 'custom', path, message })
  if (!isRecord(given)) {
    refuse(
      [],
      `is ${typeof given === 'string' ? '***' : shown(given)}, not an object; accepted: names and values of headers`,
    )
    return z.NEVER
  }
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    const lower = name.toLowerCase()
    if (!NAME.test(name)) {
      // Who writes 'authorization: Bearer ...' as a name must not see the rest of it printed.
      const start = /^[\w-]*/.exec(name)![0]
      refuse([], `has a name that is none (it starts with '${start}'); accepted: letters, digits and hyphens`)
    } else if (OWN.includes(lower)) refuse([name], 'is set by the client; accepted: other headers')
    else if (Object.hasOwn(headers, lower)) refuse([name], 'is given twice, in other letters; accepted: one of them')
    else {
      const fault = valueFault(value)
      if (fault !== undefined) refuse([name], fault)
    }
    headers[lower] = String(value)
  }
  return headers
})

/** A bearer token. Messages never hold it. */
export const apiKey: Field<string> = field({
  read: (value) => (typeof value === 'string' ? value : undefined),
  kind: 'not text',
  refuse: (value) => (value.trim() === '' ? 'empty' : notInHeader(value)),
  accepted: 'a key in one line; leave it out (undefined) for a server without one',
  show: (value) => (value === '' || typeof value === 'object' ? shown(value) : '***'),
})

/** The basic authorization of a URL's user info; undefined without any. */
export function basicAuthorization({ username, password }: URL): string | undefined {
  if (username === '' && password === '') return undefined
  // A URL keeps user info as percent-encoded bytes in ASCII.
  const bytes = `${username}:${password}`.replace(/%([\da-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
  return `Basic ${Buffer.from(bytes, 'latin1').toString('base64')}`
}

function valueFault(value: unknown): string | undefined {
  if (typeof value !== 'string')
    return `is ${typeof value === 'number' ? '***, a number' : shown(value)}, not text; accepted: text`
  const fault = notInHeader(value)
  return fault === undefined ? undefined : `is ***, ${fault}; accepted: text in one line`
}

function notInHeader(value: string): string | undefined {
  if (/[\r\n]$/.test(value)) return 'which ends in a line break'
  if (/[\r\n]/.test(value)) return 'which holds a line break'
  return NOT_IN_VALUE.test(value) ? 'which holds a character that no header can' : undefined
}
