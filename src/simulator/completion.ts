import { HttpError } from './http-error.ts'

/** The two OpenAI APIs that are spoken. */
export type CompletionApi = 'chat' | 'text'

/** What a request asks for, as far as the server cares. */
export interface Completion {
  readonly api: CompletionApi
  readonly model: string
  readonly stream: boolean
  /** Whether a usage event ends the stream. */
  readonly includeUsage: boolean
  /** Words of the prompt, roughly, or its token ids. */
  readonly promptTokens: number
  /** `max_completion_tokens` or `max_tokens`: always generated in full. */
  readonly outputTokens: number
}

/** Output tokens of a request that names no number, as in OpenAI's completions API. */
const DEFAULT_OUTPUT_TOKENS = 16

/** Most output tokens, chosen: far beyond real models, and a whole reply still fits in memory (26 MB). */
export const MAX_OUTPUT_TOKENS = 131_072

/** A longer prompt's words are counted in its first part, the rest in proportion: counting costs about 1 ns a byte. */
const COUNTED_CHARS = 8192

/**
 * Reads a request body.
 *
 * @throws {HttpError} 400, when it is no JSON, lacks the prompt, or asks for what is not served here
 */
export function parseCompletion(api: CompletionApi, body: Buffer, defaultModel: string): Completion {
  const fields = parseObject(body)
  const { model = defaultModel, stream = false, stream_options: streamOptions, n = 1 } = fields
  if (typeof model !== 'string') throw invalid("'model' must be a string")
  if (typeof stream !== 'boolean' && stream !== null) throw invalid("'stream' must be true or false")
  if (n !== 1 && n !== null) throw invalid("'n' must be 1: one choice a request is served here")
  return {
    api,
    model,
    stream: stream === true,
    includeUsage: isObject(streamOptions) && streamOptions['include_usage'] === true,
    promptTokens: api === 'chat' ? messagesTokens(fields['messages']) : promptTokens(fields['prompt']),
    outputTokens: outputTokens(fields['max_completion_tokens'] ?? fields['max_tokens'] ?? DEFAULT_OUTPUT_TOKENS),
  }
}

function parseObject(body: Buffer): Record<string, unknown> {
  let value: unknown
  try {
    value = JSON.parse(body.toString('utf8'))
  } catch (error) {
    throw invalid(`We could not parse the JSON body of your request: ${error instanceof Error ? error.message : error}`)
  }
  if (!isObject(value)) throw invalid('The JSON body of the request must be an object')
  return value
}

function outputTokens(value: unknown): number {
  if (typeof value === 'number' && Number.isInteger(value) && value >= 1 && value <= MAX_OUTPUT_TOKENS) return value
  throw invalid(`'max_tokens' must be a whole number from 1 to ${MAX_OUTPUT_TOKENS}`)
}

function messagesTokens(messages: unknown): number {
  if (!Array.isArray(messages) || messages.length === 0) throw invalid("'messages' must be a list of messages")
  return sum(messages, (message: unknown) => {
    if (!isObject(message)) throw invalid("'messages' must be a list of messages")
    const content = message['content']
    if (typeof content === 'string') return countWords(content)
    if (!Array.isArray(content)) return 0
    return sum(content, (part: unknown) =>
      isObject(part) && typeof part['text'] === 'string' ? countWords(part['text']) : 0,
    )
  })
}

function promptTokens(prompt: unknown): number {
  if (typeof prompt === 'string') return countWords(prompt)
  // A list of token ids; a list of prompts would need as many choices.
  if (Array.isArray(prompt) && prompt.length > 0) {
    if (prompt.every((token) => typeof token === 'number')) return prompt.length
    if (prompt.length === 1) return promptTokens(prompt[0])
  }
  throw invalid("'prompt' must be a string or a list of token ids: one prompt a request is served here")
}

/** Words in a text: runs of characters above the space. Exact up to 8,192 characters. */
export function countWords(text: string): number {
  const length = Math.min(text.length, COUNTED_CHARS)
  let words = 0
  let between = true
  for (let i = 0; i < length; i++) {
    const space = text.charCodeAt(i) <= 32
    if (between && !space) words++
    between = space
  }
  return length === text.length ? words : Math.round((words * text.length) / length)
}

function sum<T>(values: readonly T[], of: (value: T) => number): number {
  return values.reduce((total, value) => total + of(value), 0)
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function invalid(message: string): HttpError {
  return new HttpError(400, message)
}
