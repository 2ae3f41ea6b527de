import * as fc from 'fast-check'

/** One change of a reply's bytes. Places are any numbers: they are taken modulo what there is. */
export type Mutation =
  | { readonly kind: 'flip'; readonly at: number; readonly mask: number }
  | { readonly kind: 'insert'; readonly at: number; readonly text: string }
  | { readonly kind: 'delete'; readonly at: number; readonly length: number }
  | { readonly kind: 'repeat'; readonly at: number; readonly length: number; readonly times: number }
  | { readonly kind: 'truncate'; readonly at: number }
  | { readonly kind: 'line-ends'; readonly end: string }
  | { readonly kind: 'drop-line' | 'double-line'; readonly line: number }
  | { readonly kind: 'swap-lines'; readonly line: number; readonly other: number }
  | { readonly kind: 'value'; readonly line: number; readonly place: number; readonly json: string }
  | { readonly kind: 'key'; readonly line: number; readonly place: number; readonly key: string | null }

/** Texts on which readers of streams stumble. */
const TEXTS: readonly string[] = [
  [
    '\r',
    '\n',
    '\n\n',
    '\r\n\r\n',
    '\0',
    '\uFEFF',
    '\u2028',
    '\u0085',
    '\u{1F600}',
    '\xff',
    ' ',
    ':',
    '"',
    '{',
    '}',
    ']',
  ],
  [
    ': ping\n\n',
    'data:',
    'data\n\n',
    'data: \n\n',
    'data: {}\n\n',
    'data: null\n\n',
    'data: [DONE]\n\n',
    'data: []\n\n',
  ],
  ['event: error\n', 'event: ping\n', 'event:\n', 'error: {"message":"m"}\n\n', 'id: \0\n', 'retry: 1e9\n', '<html>\n'],
  ['data: {"error":"e"}\n\n', '{"error":"e"}\n', '{"done":true}\n', 'x'.repeat(10_000), '\n'.repeat(2000)],
].flat()

/** JSON, and what is none, that may stand in the place of any value. */
const VALUES: readonly string[] = [
  ['null', 'true', 'false', '-1', '0', '-0', '1', '0.5', '1e308', '-1e308', '1e999', '-1e999', '9007199254740993'],
  ['NaN', 'undefined', '', '""', '" "', '"x"', '"\\ud800"', '"\\u0000"', '"[DONE]"', '"stop"', '"error"', '"1"'],
  ['[]', '{}', '[[]]', '[null]', '[1,"x",{}]', '{"a":1}', '{"message":{}}', '{"length":-1}', '{"__proto__":{"x":1}}'],
  ['['.repeat(20_000) + ']'.repeat(20_000), `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`],
  [`"${'x'.repeat(100_000)}"`],
].flat()

const KEYS: readonly string[] = [
  ['error', 'type', 'object', 'usage', 'choices', 'delta', 'message', 'content', 'text', 'index', 'finish_reason'],
  ['done', 'status', 'response', 'token', 'details', 'candidates', 'parts', '__proto__', 'constructor', 'length', ''],
].flat()

const place = fc.nat({ max: 1_000_000 })
const length = fc.nat({ max: 300 })

export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constant('flip'), at: place, mask: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant('insert'), at: place, text: fc.constantFrom(...TEXTS) }),
  fc.record({ kind: fc.constant('insert'), at: place, text: fc.string({ unit: 'binary', maxLength: 20 }) }),
  fc.record({ kind: fc.constant('delete'), at: place, length }),
  fc.record({ kind: fc.constant('repeat'), at: place, length, times: fc.integer({ min: 2, max: 50 }) }),
  fc.record({ kind: fc.constant('truncate'), at: place }),
  fc.record({ kind: fc.constant('line-ends'), end: fc.constantFrom('\r', '\r\n', '\n\n', '\n\r', '\u2028') }),
  fc.record({ kind: fc.constantFrom('drop-line', 'double-line'), line: place }),
  fc.record({ kind: fc.constant('swap-lines'), line: place, other: place }),
  fc.record({ kind: fc.constant('value'), line: place, place, json: fc.constantFrom(...VALUES) }),
  fc.record({ kind: fc.constant('key'), line: place, place, key: fc.option(fc.constantFrom(...KEYS)) }),
)

/** Replies do not grow without end, however often something is repeated. */
const MOST_BYTES = 300_000

/** The bytes with the changes, one after the other. */
export function mutate(bytes: Buffer, mutations: readonly Mutation[]): Buffer {
  return mutations.reduce((current, one) => change(current, one).subarray(0, MOST_BYTES), bytes)
}

function change(bytes: Buffer, one: Mutation): Buffer {
  if ('at' in one) return changeBytes(bytes, one, one.at % (bytes.length + 1))
  if (one.kind === 'line-ends') return Buffer.from(bytes.toString('latin1').replaceAll('\n', one.end), 'latin1')
  // latin1 keeps every byte as it is.
  const lines = bytes.toString('latin1').split(/(?<=\n)/)
  changeLines(lines, one, one.line % lines.length)
  return Buffer.from(lines.join(''), 'latin1')
}

function changeBytes(bytes: Buffer, one: Extract<Mutation, { at: number }>, at: number): Buffer {
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
  switch (one.kind) {
    case 'flip':
      return Buffer.concat([before, Buffer.of((after[0] ?? 0) ^ one.mask), after.subarray(1)])
    case 'insert':
      return Buffer.concat([before, Buffer.from(one.text), after])
    case 'delete':
      return Buffer.concat([before, after.subarray(one.length)])
    case 'repeat':
      return Buffer.concat([before, ...Array<Buffer>(one.times).fill(after.subarray(0, one.length)), after])
    case 'truncate':
      return before
  }
}

function changeLines(lines: string[], one: Exclude<Mutation, { at: number } | { end: string }>, line: number): void {
  const text = lines[line]!
  switch (one.kind) {
    case 'drop-line':
      lines.splice(line, 1)
      break
    case 'double-line':
      lines.splice(line, 0, text)
      break
    case 'swap-lines': {
      const other = one.other % lines.length
      ;[lines[line], lines[other]] = [lines[other]!, text]
      break
    }
    default:
      lines[line] = text.replace(/\{.*\}/s, (json) => changeJson(json, one))
  }
}

/** Stands for what JSON cannot hold until the rest is written. */
const PLACEHOLDER = '\u0001'

function changeJson(json: string, one: Extract<Mutation, { kind: 'value' | 'key' }>): string {
  let root: unknown
  try {
    root = JSON.parse(json)
  } catch {
    // An earlier change has made it none.
    return json
  }
  const holders = entriesOf(root)
  if (holders.length === 0) return json
  const [holder, key] = holders[one.place % holders.length]!
  if (one.kind === 'value') holder[key] = PLACEHOLDER
  else if (Array.isArray(holder)) holder.splice(Number(key), 1)
  else {
    const value = holder[key]
    delete holder[key]
    if (one.key !== null) Object.defineProperty(holder, one.key, { value, enumerable: true, configurable: true })
  }
  const text = writeJson(root) ?? json
  return one.kind === 'value' ? text.replace(JSON.stringify(PLACEHOLDER), () => one.json) : text
}

/** Every value of a JSON document, given by what holds it and under which key. */
function entriesOf(root: unknown): [holder: Record<string, unknown>, key: string][] {
  const found: [Record<string, unknown>, string][] = []
  const open: unknown[] = [root]
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue
    const holder = value as Record<string, unknown>
    for (const key of Object.keys(holder)) {
      found.push([holder, key])
      open.push(holder[key])
    }
  }
  return found
}

function writeJson(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null
  } catch {
    // Nested deeper than the stack.
    return null
  }
}
