import { excerpt } from './format.ts'
import type { Ask, Reply, WireFormat } from './format.ts'

/** What a choice brings: nothing generated, tokens that a reader does not see (reasoning, tool calls), or text. */
export type Content = 'none' | 'hidden' | 'visible'

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
  /** Choices of a reply's chunks that bring no token, a token, and the end, for `sampleReply`. */
  readonly sample: { readonly first: Fields | null; readonly token: Fields; readonly last: Fields }
}

export type Fields = Readonly<Record<string, unknown>>

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
    path: dialect.path,
    streamType: 'text/event-stream',

    fields(ask: Ask) {
      return {
        ...(ask.model === null ? {} : { model: ask.model }),
        ...dialect.prompt(ask.prompt),
        max_tokens: ask.outputTokens,
        stream: ask.stream,
        ...(ask.stream ? { stream_options: { include_usage: true } } : {}),
      }
    },

    event(reply, data, type) {
      if (data.startsWith('[DONE]')) {
        reply.done = true
        return 0
      }
      if (data === '') return 0
      const chunk = parse(data)
      if (chunk === null) reply.fail('bad-payload', `event is not a JSON object: ${excerpt(data)}`)
      else if (isError(chunk) || type === 'error') reply.fail('stream-error', errorText(chunk))
      else return readChunk(reply, chunk, dialect)
      return 0
    },

    document(reply, text) {
      const whole = parse(text)
      if (whole === null) reply.fail('bad-payload', `reply is not a JSON object: ${excerpt(text)}`)
      else if (isError(whole)) reply.fail('stream-error', errorText(whole))
      else if (!Array.isArray(whole['choices'])) reply.fail('bad-payload', `reply without choices: ${excerpt(text)}`)
      else {
        reply.done = true
        return readChunk(reply, whole, dialect)
      }
      return 0
    },

    sampleReply(tokens) {
      const { first, token, last } = dialect.sample
      const end = chunkText(dialect, [{ index: 0, ...last, logprobs: null, finish_reason: 'length' }], null)
      const usage = chunkText(dialect, [], {
        prompt_tokens: 128,
        completion_tokens: tokens,
        total_tokens: 128 + tokens,
      })
      const piece = chunkText(dialect, [{ index: 0, ...token, logprobs: null, finish_reason: null }], null)
      const opening = first === null ? [] : [chunkText(dialect, [{ index: 0, ...first, finish_reason: null }], null)]
      return [...opening, ...Array<string>(tokens).fill(piece), end, usage, '[DONE]']
    },
  }
}

/** Whether a field holds text, which alone is a token: roles come with `""` or `null`. */
export function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

/** The fields of a JSON object; null when the value is none. */
export function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null
}

function readChunk(reply: Reply, chunk: Fields, dialect: Dialect): number {
  const counts = readUsage(reply, chunk['usage'])
  const choices = chunk['choices']
  if (!Array.isArray(choices)) return 0
  let events = 0
  for (const entry of choices) {
    const choice = fieldsOf(entry)
    if (choice !== null) events += readChoice(reply, choice, dialect)
  }
  if (events === 0) return 0
  if (!counts) reply.counted = false
  // A chunk may hold several tokens (speculative decoding): with cumulative usage on every chunk, its weight is exact.
  if (reply.counted && reply.outputTokens !== null) events = Math.max(events, reply.outputTokens - reply.contentEvents)
  reply.contentEvents += events
  return events
}

/** Reads one choice. The bit of index 31 and above is shared: that many parallel outputs are not told apart. */
function readChoice(reply: Reply, choice: Fields, dialect: Dialect): number {
  const index = choice['index']
  const bit = typeof index === 'number' ? 1 << Math.min(index, 31) : 1
  const reason = choice['finish_reason']
  if (typeof reason === 'string' && reason !== '') {
    reply.finished |= bit
    if (reason === 'error' || reason === 'abort') reply.fail('stream-error', `finish_reason is '${reason}'`)
  }
  const content = dialect.content(choice)
  if (content === 'none') return 0
  reply.started |= bit
  if (content === 'visible') reply.visible = true
  return 1
}

/** Takes the server's counts; says whether output tokens were among them. */
function readUsage(reply: Reply, value: unknown): boolean {
  const usage = fieldsOf(value)
  if (usage === null) return false
  const { prompt_tokens: input, completion_tokens: output } = usage
  if (isCount(input)) reply.inputTokens = input
  if (!isCount(output)) return false
  reply.outputTokens = output
  return true
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
}

function parse(text: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(text))
  } catch {
    return null
  }
}

/** `{"error": ...}` of nearly all servers, and `{"object": "error", "message": ...}` of older vLLM. */
function isError(chunk: Fields): boolean {
  return (chunk['error'] !== undefined && chunk['error'] !== null) || chunk['object'] === 'error'
}

function errorText(chunk: Fields): string {
  const error = chunk['error'] ?? chunk
  const message = typeof error === 'string' ? error : fieldsOf(error)?.['message']
  return excerpt(typeof message === 'string' ? message : JSON.stringify(error))
}

function chunkText(dialect: Dialect, choices: readonly Fields[], usage: Fields | null): string {
  const head = { id: 'sample-0123456789abcdef01234567', object: dialect.object, created: 1767225600, model: 'sample' }
  return JSON.stringify({ ...head, choices, usage })
}
