import { bearer } from './authorization.ts'
import type { Content } from './content.ts'
import { type Fields, isCount } from './fields.ts'
import type { Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'

/** Where the two formats of Ollama differ. */
export interface OllamaDialect {
  readonly name: string
  readonly path: string
  /** Field of every line that holds what is generated. */
  readonly output: string
  /** The body's field that holds the prompt. */
  prompt(text: string): Fields
  /** Content of one line, or of a whole reply. */
  content(line: Fields): Content
  /** Fields of a line with that text, for `sample`. */
  sample(text: string): Fields
}

/**
 * The common part of `ollama-generate` and `ollama-chat`: a JSON object a line, of which the last has `done: true` and
 * the counts. An `error` may come in any line at HTTP 200. A model that has to be loaded first makes the first replies
 * wait for it: a warm-up is for that.
 *
 * @see https://github.com/ollama/ollama/blob/main/docs/api.md
 */
export function ollamaFormat(dialect: OllamaDialect): WireFormat {
  return {
    name: dialect.name,
    base: '/api',
    path: () => dialect.path,
    headers: bearer,
    framing: 'ndjson',
    endsWithBody: false,
    oneTokenEvents: false,

    fields: ({ model, prompt, outputTokens, stream }) => ({
      ...(model === null ? {} : { model }),
      ...dialect.prompt(prompt),
      options: { num_predict: outputTokens },
      stream,
    }),

    event(reply, data) {
      const line = payloadOf(reply, data)
      if (line === null) return 0
      if (line['done'] === true) reply.done = true
      return readLine(reply, line, dialect)
    },

    document(reply, text) {
      const whole = documentOf(reply, text, dialect.output)
      if (whole === null) return 0
      reply.done = true
      return readLine(reply, whole, dialect)
    },

    sample(tokens) {
      const head = { model: 'sample', created_at: '2026-01-01T00:00:00.123456789Z' }
      const durations = { total_duration: 1234567890, load_duration: 1234567, eval_duration: 1012345678 }
      const counts = { prompt_eval_count: 128, prompt_eval_duration: 123456789, eval_count: tokens }
      const end = { done: true, done_reason: 'length', ...durations, ...counts }
      const lineOf = (fields: Fields) => `${JSON.stringify({ ...head, ...fields })}\n`
      return {
        before: [],
        token: lineOf({ ...dialect.sample(' word'), done: false }),
        after: [lineOf({ ...dialect.sample(''), ...end })],
      }
    },
  }
}

function readLine(reply: Reply, line: Fields, dialect: OllamaDialect): number {
  const { prompt_eval_count: input, eval_count: output } = line
  if (isCount(input)) reply.inputTokens = input
  const isCounted = isCount(output)
  if (isCounted) reply.outputTokens = output
  return reply.content(reply.brings(dialect.content(line)), isCounted)
}
