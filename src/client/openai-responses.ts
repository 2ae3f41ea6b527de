import { bearer } from './authorization.ts'
import { type Content, together } from './content.ts'
import { type Fields, fieldsOf, isCount, isText, jsonOf } from './fields.ts'
import { excerpt } from './format.ts'
import type { Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { typedSseEvent } from './sse.ts'

/**
 * `/v1/responses` of OpenAI, Azure, vLLM, SGLang and gateways: SSE whose events have a `type`. A token is a delta of
 * text, refusal, reasoning or a call. `response.completed` and `response.incomplete` (the token limit) end the stream
 * and bring the usage; `response.failed` and `error` are failures. There is no `[DONE]`.
 *
 * Deltas of a reasoning summary are events, but the model's reasoning had other tokens, and more of them.
 */
export const openaiResponses: WireFormat = {
  name: 'openai-responses',
  base: '/v1',
  path: () => '/responses',
  headers: bearer,
  framing: 'sse',
  endsWithBody: false,
  oneTokenEvents: false,

  fields: ({ model, prompt, outputTokens, stream }) => ({
    ...(model === null ? {} : { model }),
    input: prompt,
    max_output_tokens: outputTokens,
    stream,
  }),

  event(reply, data, type) {
    // Gateways add it. It says nothing of how the reply ended.
    if (data.startsWith('[DONE]')) return 0
    const event = payloadOf(reply, data, type)
    return event === null ? 0 : readEvent(reply, event, event['type'] ?? type)
  },

  document(reply, text) {
    const response = documentOf(reply, text, 'output')
    return response === null ? 0 : readResponse(reply, response)
  },

  sample(tokens) {
    const place = { item_id: 'msg_0123456789abcdef', output_index: 0, content_index: 0 }
    const part = { type: 'output_text', annotations: [], text: ' word'.repeat(tokens) }
    const item = { id: place.item_id, type: 'message', role: 'assistant', status: 'completed', content: [part] }
    const response = { id: 'resp_0123456789abcdef', object: 'response', status: 'in_progress', model: 'sample' }
    const usage = { input_tokens: 128, output_tokens: tokens, total_tokens: 128 + tokens }
    const begun = { ...response, output: [], usage: null }
    const ended = { ...response, status: 'completed', output: [item], usage }
    return {
      before: [
        typedSseEvent({ type: 'response.created', sequence_number: 0, response: begun }),
        typedSseEvent({ type: 'response.in_progress', sequence_number: 1, response: begun }),
        typedSseEvent({ type: 'response.output_item.added', sequence_number: 2, output_index: 0, item: {} }),
      ],
      token: typedSseEvent({ type: 'response.output_text.delta', sequence_number: 3, ...place, delta: ' word' }),
      after: [
        typedSseEvent({ type: 'response.output_text.done', sequence_number: 4, ...place, text: part.text }),
        typedSseEvent({ type: 'response.output_item.done', sequence_number: 5, output_index: 0, item }),
        typedSseEvent({ type: 'response.completed', sequence_number: 6, response: ended }),
      ],
    }
  },
}

/** Events that bring tokens, in their field `delta`. */
const DELTAS: ReadonlyMap<unknown, Content> = new Map([
  ['response.output_text.delta', 'text'],
  ['response.refusal.delta', 'text'],
  ['response.reasoning_text.delta', 'reasoning'],
  ['response.reasoning_summary_text.delta', 'reasoning'],
  ['response.function_call_arguments.delta', 'call'],
  ['response.custom_tool_call_input.delta', 'call'],
  ['response.mcp_call_arguments.delta', 'call'],
  ['response.code_interpreter_call_code.delta', 'call'],
])

function readEvent(reply: Reply, event: Fields, type: unknown): number {
  const content = DELTAS.get(type)
  if (content !== undefined) return isText(event['delta']) ? reply.content(reply.brings(content), false) : 0
  // The name of a call is generated, too; and it is all there is of a call without arguments.
  if (type === 'response.output_item.added' && isCall(fieldsOf(event['item']) ?? {})) {
    return reply.content(reply.brings('call'), false)
  }
  const response = ENDS.has(type) ? fieldsOf(event['response']) : null
  return response === null ? 0 : readResponse(reply, response)
}

const ENDS: ReadonlySet<unknown> = new Set(['response.completed', 'response.incomplete', 'response.failed'])

/** Reads a response that is at its end: the whole reply, or what the last event repeats of it. */
function readResponse(reply: Reply, response: Fields): number {
  const { status, error } = response
  const counted = readUsage(reply, fieldsOf(response['usage']))
  if (status === 'completed' || status === 'incomplete') reply.done = true
  else reply.fail('stream-error', failureText(status, error))
  // A server that streams no deltas has its tokens here.
  return reply.contentEvents > 0 ? 0 : reply.content(reply.brings(contentOf(response['output'])), counted)
}

function failureText(status: unknown, error: unknown): string {
  const message = fieldsOf(error)?.['message']
  return isText(message) ? excerpt(message) : `status of the response is ${jsonOf(status) ?? 'missing'}`
}

/** Takes the server's counts; says whether output tokens were among them. */
function readUsage(reply: Reply, usage: Fields | null): boolean {
  const { input_tokens: input, output_tokens: output } = usage ?? {}
  const reasoning = fieldsOf(usage?.['output_tokens_details'])?.['reasoning_tokens']
  if (isCount(input)) reply.inputTokens = input
  if (isCount(reasoning)) reply.reasoningTokens = reasoning
  if (!isCount(output)) return false
  reply.outputTokens = output
  return true
}

function contentOf(output: unknown): Content {
  return Array.isArray(output) ? together(output.map((item) => contentOfItem(fieldsOf(item) ?? {}))) : 'none'
}

function contentOfItem(item: Fields): Content {
  if (isCall(item)) return 'call'
  const parts = [item['content'], item['summary']].flatMap((list) => (Array.isArray(list) ? list : []))
  const said = parts.some((part) => isText(fieldsOf(part)?.['text']) || isText(fieldsOf(part)?.['refusal']))
  if (said) return item['type'] === 'reasoning' ? 'reasoning' : 'text'
  return isText(item['encrypted_content']) ? 'reasoning' : 'none'
}

/** Items of calls, of functions and of the server's own tools, are named `..._call`. */
function isCall({ type, name, arguments: given }: Fields): boolean {
  return isText(type) && type.endsWith('_call') && (isText(name) || isText(given))
}
