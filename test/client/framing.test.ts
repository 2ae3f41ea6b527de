import { describe, expect, test } from 'vitest'
import { inPieces, readReply, streamType } from './read-reply.ts'

/** Everything that a table says of a stream holds however it is cut. */
const LENGTHS = [Number.MAX_SAFE_INTEGER, 1, 3, 7, 64]

/** What must become of a stream: its failure's kind, and how many content events it brought. */
type Outcome = readonly [kind: string | null, tokens: number]

function expectOutcome(
  api: string,
  stream: string | Buffer,
  expected: Outcome,
  head: Record<string, string> = {},
): void {
  const bytes = Buffer.from(stream)
  const headers = { 'content-type': streamType(api), ...head }
  for (const length of LENGTHS) {
    const { failure, reads } = readReply(api, inPieces(bytes, Math.min(length, bytes.length)), { headers })
    const tokens = reads.reduce((sum, [, events]) => sum + events, 0)
    expect([failure?.kind ?? null, tokens, failure?.message]).toEqual([...expected, failure?.message])
  }
}

const WHOLE: Outcome = [null, 2]

describe('server-sent events', () => {
  const delta = (content: string) => JSON.stringify({ choices: [{ index: 0, delta: { content } }] })
  const A = delta('a')
  const B = delta('b')
  const STOP = '{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}'
  /** Events of those data, with that between field name and value, and those line ends. */
  const stream = (data: readonly string[], between = ': ', end = '\n') =>
    data.map((value) => `data${between}${value}${end}${end}`).join('')
  const PLAIN = stream([A, B, '[DONE]'])

  test.each<[string, string, Outcome]>([
    ['LF', PLAIN, WHOLE],
    ['CRLF', stream([A, B, '[DONE]'], ': ', '\r\n'), WHOLE],
    ['CR', stream([A, B, '[DONE]'], ': ', '\r'), WHOLE],
    ['all three', `data: ${A}\r\n\ndata: ${B}\r\rdata: [DONE]\n\r\n`, WHOLE],
    ['LF after CR, which is one', `data: ${A}\r\n\r\ndata: ${B}\n\r\ndata: [DONE]\r\n\r\n`, WHOLE],
    ['a BOM', `\uFEFF${PLAIN}`, WHOLE],
    ['two BOMs, of which the second spoils its line', `\uFEFF\uFEFF${PLAIN}`, [null, 1]],
    ['no space', stream([A, B, '[DONE]'], ':'), WHOLE],
    ['two spaces, of which one belongs to the value', stream([A, B, '[DONE]'], ':  ').replace(':  [', ': ['), WHOLE],
    ['a tab', stream([A, B, '[DONE]'], ':\t').replace(':\t[', ':['), WHOLE],
    ['an empty data line', `data:\n\ndata: \n\n${PLAIN}`, WHOLE],
    ['a data field without colon', `data\n\n${PLAIN}`, WHOLE],
    ['data in several lines', stream([A, B, '[DONE]']).replaceAll('{', '{\ndata: ').replaceAll(',', ',\ndata:'), WHOLE],
    ['an event field', PLAIN.replaceAll('data', 'event: message\ndata'), WHOLE],
    ['event, id and retry', PLAIN.replaceAll('data', 'event:\nid: 7\nretry: 10\ndata'), WHOLE],
    ['the same behind the data', PLAIN.replaceAll('\n\n', '\nid: 7\nretry: x\nevent: message\n\n'), WHOLE],
    ['fields that nobody knows', PLAIN.replaceAll('data', 'Data: x\nfoo\nx: data: y\n data: z\ndata'), WHOLE],
    ['an id with NUL', PLAIN.replaceAll('data', 'id: a\0b\ndata'), WHOLE],
    ['blank lines only', `\n\n\r\n\r${PLAIN}\n\n\n`, WHOLE],
    ['no blank line at the end, after the end was told', `${stream([A, B, STOP])}data: [DONE]\n`, WHOLE],
    ['no blank line at the end, which is then unknown', `${stream([A, B])}data: [DONE]\n`, ['truncated', 2]],
    ['no line end at the end', `${stream([A, B])}data: [DONE]`, ['truncated', 2]],
    ['the end inside of an event', PLAIN.slice(0, PLAIN.indexOf('b')), ['truncated', 1]],
    ['nothing but a comment', ': ping\n\n', ['truncated', 0]],
    ['nothing but blank lines', '\n\n', ['truncated', 0]],
  ])('%s', (_what, text, expected) => {
    expectOutcome('openai-chat', text, expected)
  })

  test.each<[string, string]>([
    ['before everything', `: OPENROUTER PROCESSING\n\n${PLAIN}`],
    ['between events', PLAIN.replaceAll('\n\n', '\n\n: ping\n\n')],
    ['glued before data', PLAIN.replaceAll('data', ': ping\ndata')],
    ['between the lines of one event', PLAIN.replaceAll('{', '{\n: ping\ndata: ')],
    ['glued behind data', PLAIN.replaceAll('\n\n', '\n: ping\n\n')],
    ['bare', PLAIN.replaceAll('data', ':\n:\n\ndata')],
    ['that look like data', PLAIN.replaceAll('data', `:data: ${A}\n: data: ${A}\n\ndata`)],
    ['after the end mark', `${PLAIN}: bye\n\n:\n`],
    ['of many characters', `:${'é'.repeat(10_000)}\n${PLAIN}`],
  ])('a comment %s is no event', (_where, text) => {
    expectOutcome('openai-chat', text, WHOLE)
  })

  test.each<[string, string]>([
    ['a character of two bytes', 'é'],
    ['of three', '語'],
    ['of four', '\u{1F600}'],
    ['surrogates as escapes', '\\ud83d\\ude00'],
    ['half of a pair, which is no character', '\\ud83d'],
    ['U+2028', '\u2028'],
    ['U+2029', '\u2029'],
    ['U+0085', '\u0085'],
    ['an escaped line end', '\\r\\n'],
    ['a form feed and a vertical tab, escaped', '\\f\\u000b'],
    ['text like a field', 'data: [DONE]\\n\\ndata: '],
  ])('%s ends no line and is one token', (_what, text) => {
    const event = `data: {"choices":[{"index":0,"delta":{"content":"${text}"}}]}\n\n`
    expectOutcome('openai-chat', `${event}${event}data: [DONE]\n\n`, WHOLE)
  })

  test('bytes that are no UTF-8 are a character like another', () => {
    const [before, after] = PLAIN.split('"a"') as [string, string]
    const bytes = [Buffer.from(`${before}"`), Buffer.of(0xff, 0xc3), Buffer.from(`"${after}`)]
    expectOutcome('openai-chat', Buffer.concat(bytes), WHOLE)
  })

  test.each<[string, string]>([
    ['a blank', 'data: [DONE] \n\n'],
    ['more blanks and a tab', 'data:[DONE] \t \n\n'],
    ['another event', `data: [DONE]\n\ndata: ${A}\n\n`],
    ['an error', 'data: [DONE]\n\ndata: {"error":"too late"}\n\n'],
    ['what is no event stream', 'data: [DONE]\n\n<html>\0\0\0'],
    ['half of an event', 'data: [DONE]\n\ndata: {"cho'],
    ['itself', 'data: [DONE]\n\ndata: [DONE]\n\n'],
  ])('%s after [DONE] changes nothing', (_what, end) => {
    expectOutcome('openai-chat', stream([A, B]) + end, WHOLE)
  })

  test('a line of 1 MB is one event, with the read that brought its end', () => {
    const text = stream([delta('é'.repeat(500_000)), '[DONE]'])
    const bytes = Buffer.from(text)
    const end = bytes.indexOf('\n\n') + 2
    for (const length of [64, 65_536]) {
      const { failure, reads } = readReply('openai-chat', inPieces(bytes, length))
      expect([failure, reads]).toEqual([null, [[Math.ceil(end / length), 1]]])
    }
  })

  test.each<[string, string, Record<string, string>, Outcome]>([
    ['a web page', '<!doctype html>\n<h1>502</h1>\n\n', {}, ['bad-payload', 0]],
    ['a web page under its own name', '<h1>502</h1>', { 'content-type': 'text/html' }, ['bad-payload', 0]],
    ['plain text', 'upstream connect error', {}, ['bad-payload', 0]],
    ['a JSON error', '{"error":{"message":"no"}}', {}, ['bad-payload', 0]],
    [
      'a JSON error under its own name',
      '{"error":{"message":"no"}}',
      { 'content-type': 'application/json' },
      ['stream-error', 0],
    ],
    ['events under the name in capitals', PLAIN, { 'content-type': 'Text/Event-Stream;charset=UTF-8' }, WHOLE],
    ['events under no name', PLAIN, { 'content-type': '' }, WHOLE],
  ])('%s in the place of a stream', (_what, text, headers, expected) => {
    expectOutcome('openai-chat', text, expected, headers)
  })
})

describe('newline-delimited JSON', () => {
  const line = (response: string, more: object = {}) => JSON.stringify({ model: 'm', response, done: false, ...more })
  const A = line('a')
  const B = line('b \u2028 \u0085 \u{1F600}')
  const DONE = line('', { done: true, done_reason: 'stop', eval_count: 2 })

  test.each<[string, string, Outcome]>([
    ['LF', `${A}\n${B}\n${DONE}\n`, WHOLE],
    ['CRLF', `${A}\r\n${B}\r\n${DONE}\r\n`, WHOLE],
    ['a BOM', `\uFEFF${A}\n${B}\n${DONE}\n`, WHOLE],
    ['empty lines', `\n\n${A}\n\r\n  \n${B}\n\n${DONE}\n\n`, WHOLE],
    ['blanks around the JSON', ` ${A} \n\t${B}\t\n${DONE}\n`, WHOLE],
    ['no line end at the end', `${A}\n${B}\n${DONE}`, WHOLE],
    ['lines after the end', `${A}\n${B}\n${DONE}\n${A}\nrubbish\n`, WHOLE],
    ['an error after the end', `${A}\n${B}\n${DONE}\n{"error":"too late"}\n`, WHOLE],
    ['the end inside of a line', `${A}\n${B}\n${DONE.slice(0, 20)}`, ['truncated', 2]],
    ['the end inside of the first line', A.slice(0, 20), ['truncated', 0]],
    ['no line that says done', `${A}\n${B}\n`, ['truncated', 2]],
    ['a last token without line end, and no line that says done', `${A}\n${B}`, ['truncated', 2]],
    ['a line that is no JSON', `${A}\nNaN\n${DONE}\n`, ['bad-payload', 1]],
    ['an error', `${A}\n{"error":"model runner has unexpectedly stopped"}\n`, ['stream-error', 1]],
    ['a web page', '<html>\n<h1>502</h1>', ['bad-payload', 0]],
    ['a web page in one line', '<h1>502</h1>', ['bad-payload', 0]],
    ['nothing but an empty line', '\n', ['truncated', 0]],
  ])('%s', (_what, text, expected) => {
    expectOutcome('ollama-generate', text, expected)
  })

  test('a line of 1 MB is one event', () => {
    const bytes = Buffer.from(`${line('é'.repeat(500_000))}\n${DONE.replace(':2', ':1')}\n`)
    for (const length of [64, 65_536]) {
      const { failure, reads } = readReply('ollama-generate', inPieces(bytes, length))
      expect([failure, reads]).toEqual([null, [[Math.ceil((bytes.indexOf('\n') + 1) / length), 1]]])
    }
  })
})
