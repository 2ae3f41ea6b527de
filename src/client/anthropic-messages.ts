import { type Content, together } from './content.ts'
import { type Fields, fieldsOf, isCount, isText } from './fields.ts'
import type { Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { typedSseEvent } from './sse.ts'

/** The version of the API that is asked for, unless the author's headers name another. */
const VERSION = '2023-06-01'

/**
 * `/v1/messages` of Anthropic, and of vLLM, SGLang and gateways: SSE whose events have a `type`. A token is a delta of
 * text, thinking or a tool's input; `message_start`, `ping`, signatures and empty blocks are none. `message_delta`
 * brings the usage, `message_stop` ends the stream; an `error` event may come at HTTP 200. Unknown events are left.
 */
export const anthropicMessages: WireFormat = {
  name: 'anthropic-messages',
  base: '/v1',
  path: () => '/messages',
  headers: (apiKey) => ({ 'anthropic-version': VERSION, ...(apiKey === null ? {} : { 'x-api-key': apiKey }) }),
  framing: 'sse',
  endsWithBody: false,
  oneTokenEvents: false,

  fields: ({ model, prompt, outputTokens, stream }) => ({
    ...(model === null ? {} : { model }),
    messages: [{ role: 'user', content: prompt }],
    max_tokens: outputTokens,
    stream,
  }),

  event(reply, data, type) {
    // Gateways and vLLM add it. It says nothing of how the reply ended.
    if (data.startsWith('[DONE]')) return 0
    const event = payloadOf(reply, data, type)
    return event === null ? 0 : readEvent(reply, event, event['type'] ?? type)
  },

  document(reply, text) {
    const message = documentOf(reply, text, 'content')
    if (message === null) return 0
    const blocks = Array.isArray(message['content']) ? message['content'] : []
    const content = together(blocks.map((block) => contentOf(fieldsOf(block) ?? {})))
    reply.done = true
    return reply.content(reply.brings(content), readUsage(reply, fieldsOf(message['usage'])))
  },

  sample(tokens) {
    const usage = { input_tokens: 128, cache_creation_input_tokens: 0, cache_read_input_tokens: 0, output_tokens: 1 }
    const message = { id: 'msg_0123456789abcdef', type: 'message', role: 'assistant', model: 'sample', content: [] }
    const delta = { type: 'text_delta', text: ' word' }
    return {
      before: [
        typedSseEvent({ type: 'message_start', message: { ...message, stop_reason: null, usage } }),
        typedSseEvent({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }),
        typedSseEvent({ type: 'ping' }),
      ],
      token: typedSseEvent({ type: 'content_block_delta', index: 0, delta }),
      after: [
        typedSseEvent({ type: 'content_block_stop', index: 0 }),
        typedSseEvent({
          type: 'message_delta',
          delta: { stop_reason: 'max_tokens' },
          usage: { output_tokens: tokens },
        }),
        typedSseEvent({ type: 'message_stop' }),
      ],
    }
  },
}

function readEvent(reply: Reply, event: Fields, type: unknown): number {
  if (type === 'content_block_delta') return readPiece(reply, fieldsOf(event['delta']))
  // Text comes in deltas. The name of a tool, and thoughts that are kept secret, come whole at the block's start.
  if (type === 'content_block_start') return readPiece(reply, fieldsOf(event['content_block']))
  if (type === 'message_start') {
    readInput(reply, fieldsOf(fieldsOf(event['message'])?.['usage']))
  } else if (type === 'message_delta') {
    readUsage(reply, fieldsOf(event['usage']))
    if (isText(fieldsOf(event['delta'])?.['stop_reason'])) reply.finished |= 1
  } else if (type === 'message_stop') reply.done = true
  return 0
}

function readPiece(reply: Reply, piece: Fields | null): number {
  return piece === null ? 0 : reply.content(reply.brings(contentOf(piece)), false)
}

/** Content of a block or of a delta: each has its text under a name of its own. A signature is no token. */
function contentOf(piece: Fields): Content {
  if (isText(piece['text'])) return 'text'
  if (isText(piece['partial_json']) || isText(piece['name'])) return 'call'
  return isText(piece['thinking']) || isText(piece['data']) ? 'reasoning' : 'none'
}

/** Takes the server's counts, which are cumulative; says whether output tokens were among them. */
function readUsage(reply: Reply, usage: Fields | null): boolean {
  readInput(reply, usage)
  const output = usage?.['output_tokens']
  const reasoning = fieldsOf(usage?.['output_tokens_details'])?.['thinking_tokens']
  if (isCount(reasoning)) reply.reasoningTokens = reasoning
  if (!isCount(output)) return false
  reply.outputTokens = output
  return true
}

/**
 * Takes the input tokens, those that a cache took or gave among them. `message_start` has them, and the
 * `message_delta` again, or only a part of them, or 0: being cumulative, the largest is the last.
 */
function readInput(reply: Reply, usage: Fields | null): void {
  if (usage === null) return
  const { input_tokens: fresh, cache_creation_input_tokens: written, cache_read_input_tokens: read } = usage
  const tokens = [fresh, written, read].filter(isCount).reduce((sum, count) => sum + count, 0)
  if (tokens > (reply.inputTokens ?? 0)) reply.inputTokens = tokens
}
