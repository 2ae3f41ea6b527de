import { anthropicMessages } from './anthropic-messages.ts'
import type { WireFormat } from './format.ts'
import { gemini } from './gemini.ts'
import { http } from './http.ts'
import { llamacppCompletion } from './llamacpp-completion.ts'
import { ollamaChat } from './ollama-chat.ts'
import { ollamaGenerate } from './ollama-generate.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'
import { openaiResponses } from './openai-responses.ts'
import { sglangGenerate } from './sglang-generate.ts'
import { tgiGenerate } from './tgi-generate.ts'
import { tritonGenerate } from './triton-generate.ts'

const FORMATS: ReadonlyMap<string, WireFormat> = new Map(
  [
    openaiChat,
    openaiCompletions,
    openaiResponses,
    anthropicMessages,
    gemini,
    sglangGenerate,
    tgiGenerate,
    tritonGenerate,
    llamacppCompletion,
    ollamaGenerate,
    ollamaChat,
    http,
  ].map((format) => [format.name, format]),
)

/** Names that `target.api` accepts. */
export const API_NAMES: readonly string[] = [...FORMATS.keys()]

/**
 * The wire format of that name.
 * @throws {RangeError} When there is none; specs are checked against `API_NAMES` before.
 */
export function wireFormat(api: string): WireFormat {
  const format = FORMATS.get(api)
  if (format === undefined) throw new RangeError(`unknown api '${api}': expected one of ${API_NAMES.join(', ')}`)
  return format
}
