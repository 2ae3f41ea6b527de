import { bearer } from './authorization.ts'
import { type Fields, fieldsOf, isCount, isText } from './fields.ts'
import { excerpt, type Reply, type WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { sseEvent } from './sse.ts'

/**
 * SGLang's own `/generate`. A token is what `meta_info.completion_tokens`, the count of all tokens in every event, has
 * grown by: the text of an event may be all text so far or what is new (`--incremental-streaming-output`), an event
 * may bring several tokens (`--stream-interval`) or none. `finish_reason` ends the output, `[DONE]` the stream; of type
 * `abort` it is the server's way to tell an error at HTTP 200.
 *
 * One output a request: with `n` above 1 the counts of the outputs cannot be told apart.
 *
 * @see https://docs.sglang.ai/basic_usage/native_api.html
 */
export const sglangGenerate: WireFormat = {
  name: 'sglang-generate',
  base: '',
  path: () => '/generate',
  headers: bearer,
  framing: 'sse',
  endsWithBody: false,
  oneTokenEvents: false,

  fields: ({ model, prompt, outputTokens, stream }) => ({
    ...(model === null ? {} : { model }),
    text: prompt,
    sampling_params: { max_new_tokens: outputTokens },
    stream,
  }),

  ignoreEos: () => ({ sampling_params: { ignore_eos: true } }),

  event(reply, data, type) {
    if (data.startsWith('[DONE]')) {
      reply.done = true
      return 0
    }
    const event = payloadOf(reply, data, type)
    return event === null ? 0 : readOutput(reply, event)
  },

  document(reply, text) {
    const whole = documentOf(reply, text, 'meta_info')
    if (whole === null) return 0
    reply.done = true
    return readOutput(reply, whole)
  },

  sample(tokens) {
    const event = (nth: number, reason: Fields | null) => {
      const meta = { id: '0123456789abcdef0123456789abcdef', finish_reason: reason, prompt_tokens: 128 }
      return { text: ' word'.repeat(nth), meta_info: { ...meta, completion_tokens: nth, cached_tokens: 0 } }
    }
    return {
      before: [],
      token: (nth) => sseEvent(JSON.stringify(event(nth, nth < tokens ? null : { type: 'length', length: tokens }))),
      after: [sseEvent('[DONE]')],
    }
  },
}

function readOutput(reply: Reply, output: Fields): number {
  const meta = fieldsOf(output['meta_info']) ?? {}
  readReason(reply, meta['finish_reason'])
  const { prompt_tokens: input, completion_tokens: count } = meta
  if (isCount(input)) reply.inputTokens = input
  const isVisible = isText(output['text'])
  if (isVisible) reply.visible = true
  return isCount(count) ? reply.countedTo(count, isVisible) : reply.content(Number(isVisible), false)
}

/** Older servers name the reason itself, newer ones an object with its type. */
function readReason(reply: Reply, reason: unknown): void {
  const type = isText(reason) ? reason : fieldsOf(reason)?.['type']
  if (!isText(type)) return
  reply.finished = 1
  if (type !== 'abort') return
  const message = fieldsOf(reason)?.['message']
  reply.fail('stream-error', isText(message) ? excerpt(message) : "finish_reason is 'abort'")
}
