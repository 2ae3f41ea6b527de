import { bearer } from './authorization.ts'
import { type Content, outputBit } from './content.ts'
import { type Fields, fieldsOf, isCount, isText } from './fields.ts'
import { excerpt } from './format.ts'
import type { Ask, Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { sseEvent } from './sse.ts'

/** Where the two OpenAI formats differ. */
export interface Dialect {
  readonly name: string
  readonly path: string
  /** `object` of a chunk. */
  readonly object: string
  /** The body's field that holds the prompt. */
  prompt(text: string): Readonly<Record<string, unknown>>
  /** Content of one choice of a chunk, or of a whole reply. */
  content(choice: Fields): Content
  /** Choices of a reply's chunks that bring no token, a token, and the end, for `sample`. */
  readonly sample: { readonly first: Fields | null; readonly token: Fields; readonly last: Fields }
}

/**
 * The common part of `openai-chat` and `openai-completions`: SSE whose events are JSON chunks with `choices` and,
 * at the end or in each of them, `usage`; `[DONE]` ends the stream.
 *
 * Reads what the servers that imitate OpenAI really send: `choices` may be empty, missing or of several indices,
 * `usage` null, cumulative or final, an `error` key may come in any event at HTTP 200.
 */
export function openaiFormat(dialect: Dialect): WireFormat {
  return {
    name: dialect.name,
    base: '/v1',
    path: () => dialect.path,
    headers: bearer,
    framing: 'sse',
    endsWithBody: false,
    oneTokenEvents: false,

    fields(ask: Ask) {
      return {
        ...(ask.model === null ? {} : { model: ask.model }),
        ...dialect.prompt(ask.prompt),
        max_tokens: ask.outputTokens,
        stream: ask.stream,
        ...(ask.stream ? { stream_options: { include_usage: true } } : {}),
      }
    },

    ignoreEos: (outputTokens) => ({ ignore_eos: true, min_tokens: outputTokens }),

    event(reply, data, type) {
      if (data.startsWith('[DONE]')) {
        reply.done = true
        return 0
      }
      const chunk = payloadOf(reply, data, type)
      return chunk === null ? 0 : readChunk(reply, chunk, dialect)
    },

    document(reply, text) {
      const whole = documentOf(reply, text, 'choices')
      if (whole === null) return 0
      reply.done = true
      return readChunk(reply, whole, dialect)
    },

    sample(tokens) {
      const { first, token, last } = dialect.sample
      const end = chunkText(dialect, [{ index: 0, ...last, logprobs: null, finish_reason: 'length' }], null)
      const usage = chunkText(dialect, [], {
        prompt_tokens: 128,
        completion_tokens: tokens,
        total_tokens: 128 + tokens,
      })
      const piece = chunkText(dialect, [{ index: 0, ...token, logprobs: null, finish_reason: null }], null)
      const opening = first === null ? [] : [chunkText(dialect, [{ index: 0, ...first, finish_reason: null }], null)]
      return {
        before: opening.map((data) => sseEvent(data)),
        token: sseEvent(piece),
        after: [end, usage, '[DONE]'].map((data) => sseEvent(data)),
      }
    },
  }
}

function readChunk(reply: Reply, chunk: Fields, dialect: Dialect): number {
  const before = reply.outputTokens
  // Groq has a field of its own for what is in no chunk of OpenAI's.
  const groq = fieldsOf(chunk['x_groq'])
  if (isText(groq?.['error'])) reply.fail('stream-error', excerpt(groq['error']))
  const counts = readUsage(reply, fieldsOf(chunk['usage'] ?? groq?.['usage']))
  const choices = chunk['choices']
  if (!Array.isArray(choices)) return 0
  let events = 0
  for (const entry of choices) {
    const choice = fieldsOf(entry)
    if (choice !== null) events += readChoice(reply, choice, dialect)
  }
  // With several outputs the counts are those of one of them (vLLM), or of all: they weigh no chunk.
  const weighs = counts && (reply.started & (reply.started - 1)) === 0
  // Special tokens, and text that a parser holds back, come as chunks without text: then the count alone grows.
  const grown = weighs && reply.counted && before !== null && reply.outputTokens! > reply.contentEvents
  return reply.content(events === 0 && choices.length > 0 && grown ? 1 : events, weighs)
}

function readChoice(reply: Reply, choice: Fields, dialect: Dialect): number {
  const output = outputBit(choice['index'])
  const reason = choice['finish_reason']
  if (typeof reason === 'string' && reason !== '') {
    reply.finished |= output
    if (BROKEN_OFF.has(reason)) reply.fail('stream-error', `finish_reason is '${reason}'`)
  }
  return reply.brings(dialect.content(choice), output)
}

/** Finish reasons of outputs that the server gave up: of vLLM, SGLang, OpenRouter, TensorRT-LLM and DeepSeek. */
const BROKEN_OFF: ReadonlySet<string> = new Set([
  'error',
  'abort',
  'timeout',
  'cancelled',
  'insufficient_system_resource',
])

/** Takes the server's counts; says whether output tokens were among them. */
function readUsage(reply: Reply, usage: Fields | null): boolean {
  if (usage === null) return false
  const { prompt_tokens: input, completion_tokens: output } = usage
  // SGLang has no details.
  const reasoning = (fieldsOf(usage['completion_tokens_details']) ?? usage)['reasoning_tokens']
  if (isCount(input)) reply.inputTokens = input
  if (isCount(reasoning)) reply.reasoningTokens = reasoning
  if (!isCount(output)) return false
  reply.outputTokens = output
  return true
}

function chunkText(dialect: Dialect, choices: readonly Fields[], usage: Fields | null): string {
  const head = { id: 'sample-0123456789abcdef01234567', object: dialect.object, created: 1767225600, model: 'sample' }
  return JSON.stringify({ ...head, choices, usage })
}
