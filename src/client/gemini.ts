import { type Content, outputBit, together } from './content.ts'
import { type Fields, fieldsOf, isCount, isText } from './fields.ts'
import { excerpt } from './format.ts'
import type { Reply, WireFormat } from './format.ts'
import { payloadOf } from './payload.ts'
import { sseEvent } from './sse.ts'

/**
 * `models/{model}:streamGenerateContent` and `:generateContent` of the Gemini API and of Vertex AI: SSE whose events
 * are whole responses with `candidates`, each with the next parts. A token is a part with text, a thought or a call of
 * a function; a chunk holds many. There is no end mark: every candidate that has begun must tell its `finishReason`.
 */
export const gemini: WireFormat = {
  name: 'gemini',
  base: '/v1beta',
  path({ model, stream }) {
    const method = stream ? ':streamGenerateContent?alt=sse' : ':generateContent'
    if (model === null) return method
    // A resource name, such as `tunedModels/mine`, says where it stands itself.
    const name = encodeURI(model.toWellFormed()).replaceAll('?', '%3F').replaceAll('#', '%23')
    return `/${name.includes('/') ? name : `models/${name}`}${method}`
  },
  headers: (apiKey): Readonly<Record<string, string>> => (apiKey === null ? {} : { 'x-goog-api-key': apiKey }),
  framing: 'sse',
  endsWithBody: false,
  oneTokenEvents: false,

  fields: ({ prompt, outputTokens }) => ({
    contents: [{ role: 'user', parts: [{ text: prompt }] }],
    generationConfig: { maxOutputTokens: outputTokens },
  }),

  event(reply, data, type) {
    // Gateways add it. It says nothing of how the reply ended.
    return data.startsWith('[DONE]') ? 0 : readAll(reply, data, type)
  },

  document(reply, text) {
    const events = readAll(reply, text)
    if (!reply.complete) reply.fail('bad-payload', `reply without a finished candidate: ${excerpt(text)}`)
    return events
  },

  sample(tokens) {
    const chunk = (text: string, count: number, finished?: Fields) => {
      const candidate = { content: { parts: [{ text }], role: 'model' }, ...finished, index: 0 }
      const usageMetadata = { promptTokenCount: 128, candidatesTokenCount: count, totalTokenCount: 128 + count }
      const head = { modelVersion: 'sample', responseId: '0123456789abcdef' }
      return sseEvent(JSON.stringify({ candidates: [candidate], usageMetadata, ...head }))
    }
    const last = chunk('', tokens, { finishReason: 'MAX_TOKENS' })
    return { before: [], token: (nth) => chunk(' word', nth), after: [last] }
  },
}

/** Without `alt=sse` a streamed reply is an array of responses; an error may be an array of one in any case. */
function readAll(reply: Reply, text: string, type?: string): number {
  let events = 0
  for (const one of elementsOf(text)) {
    const response = payloadOf(reply, one, type)
    if (response !== null) events += readResponse(reply, response)
  }
  return events
}

/** The JSON texts of an array's elements; of anything else, the text itself. */
function elementsOf(text: string): readonly string[] {
  if (!text.trimStart().startsWith('[')) return [text]
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) ? list.map((element) => JSON.stringify(element)) : [text]
  } catch {
    return [text]
  }
}

function readResponse(reply: Reply, response: Fields): number {
  const counted = readUsage(reply, fieldsOf(response['usageMetadata']))
  const feedback = fieldsOf(response['promptFeedback'])
  refuse(reply, 'prompt is blocked, blockReason', feedback?.['blockReason'], feedback?.['blockReasonMessage'])
  const candidates = response['candidates']
  if (!Array.isArray(candidates)) return 0
  let events = 0
  for (const entry of candidates) {
    const candidate = fieldsOf(entry)
    if (candidate !== null) events += readCandidate(reply, candidate)
  }
  return reply.content(events, counted)
}

function readCandidate(reply: Reply, candidate: Fields): number {
  const output = outputBit(candidate['index'])
  const reason = candidate['finishReason']
  if (isText(reason) && !isUnspecified(reason)) {
    reply.finished |= output
    if (!CARRIED_OUT.has(reason)) refuse(reply, 'finishReason', reason, candidate['finishMessage'])
  }
  const parts = fieldsOf(candidate['content'])?.['parts']
  if (!Array.isArray(parts)) return 0
  return reply.brings(together(parts.map((part) => contentOf(fieldsOf(part) ?? {}))), output)
}

/** Finish reasons of an answer; the others say why there is none, or no more of it: `SAFETY`, `RECITATION`, ... */
const CARRIED_OUT: ReadonlySet<string> = new Set(['STOP', 'MAX_TOKENS'])

/** Enumerations have a value that stands for none. */
function isUnspecified(value: string): boolean {
  return value.endsWith('_UNSPECIFIED')
}

function refuse(reply: Reply, what: string, reason: unknown, message: unknown): void {
  if (!isText(reason) || isUnspecified(reason)) return
  reply.fail('stream-error', excerpt(`${what} is '${reason}'${isText(message) ? `: ${message}` : ''}`))
}

/** Content of one part. A signature beside an empty text is none, and so are the results of code that was run. */
function contentOf(part: Fields): Content {
  if (isText(part['text'])) return part['thought'] === true ? 'reasoning' : 'text'
  if (fieldsOf(part['functionCall']) !== null || fieldsOf(part['executableCode']) !== null) return 'call'
  return fieldsOf(part['inlineData']) === null ? 'none' : 'text'
}

/**
 * Takes the server's counts, which are cumulative where a chunk has them; says whether output tokens were among them.
 * Thoughts are output that `candidatesTokenCount` leaves out.
 */
function readUsage(reply: Reply, usage: Fields | null): boolean {
  if (usage === null) return false
  const { promptTokenCount: input, candidatesTokenCount: answer, thoughtsTokenCount: thoughts } = usage
  if (isCount(input)) reply.inputTokens = input
  if (isCount(thoughts)) reply.reasoningTokens = thoughts
  if (!isCount(answer) && !isCount(thoughts)) return false
  reply.outputTokens = (isCount(answer) ? answer : 0) + (isCount(thoughts) ? thoughts : 0)
  return true
}
