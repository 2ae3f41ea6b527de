import type { WireFormat } from './format.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiCompletions } from './openai-completions.ts'

const FORMATS: ReadonlyMap<string, WireFormat> = new Map(
  [openaiChat, openaiCompletions].map((format) => [format.name, format]),
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

/** Path that completes an API's base URL, for example `/chat/completions` after `http://host:8000/v1`. */
export function formatPath(api: string): string {
  return wireFormat(api).path
}
