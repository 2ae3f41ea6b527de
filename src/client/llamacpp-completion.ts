import { bearer } from './authorization.ts'
import { type Fields, isCount, isText } from './fields.ts'
import type { Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { sseEvent } from './sse.ts'

/**
 * llama.cpp's own `/completion`. Every event has the count of all tokens so far; one that lets it grow brings tokens.
 * Progress of the prompt (`prompt_progress`) brings none. `stop: true` ends the stream, without `[DONE]`. Errors that
 * older servers tell in a field of their own come as events of type `error` (`ErrorField`).
 *
 * One output a request: with `n_cmpl` above 1 only the output that ends first is seen to its end.
 *
 * @see https://github.com/ggml-org/llama.cpp/blob/master/tools/server/README.md
 */
export const llamacppCompletion: WireFormat = {
  name: 'llamacpp-completion',
  base: '',
  path: () => '/completion',
  headers: bearer,
  framing: 'sse',
  endsWithBody: false,
  oneTokenEvents: false,

  fields: ({ model, prompt, outputTokens, stream }) => ({
    ...(model === null ? {} : { model }),
    prompt,
    n_predict: outputTokens,
    stream,
  }),

  ignoreEos: () => ({ ignore_eos: true }),

  event(reply, data, type) {
    const event = payloadOf(reply, data, type)
    if (event === null) return 0
    if (event['stop'] === true) reply.done = true
    return readContent(reply, event)
  },

  document(reply, text) {
    const whole = documentOf(reply, text, 'content')
    if (whole === null) return 0
    reply.done = true
    return readContent(reply, whole)
  },

  sample(tokens) {
    const head = { index: 0, content: ' word', tokens: [3409], stop: false, id_slot: 0 }
    const end = { ...head, content: '', tokens: [], stop: true, tokens_predicted: tokens, tokens_evaluated: 128 }
    const rest = { truncated: false, stop_type: 'limit', stopping_word: '', tokens_cached: 128 + tokens }
    return {
      before: [],
      token: (nth) => sseEvent(JSON.stringify({ ...head, tokens_predicted: nth, tokens_evaluated: 128 })),
      after: [sseEvent(JSON.stringify({ ...end, ...rest }))],
    }
  },
}

function readContent(reply: Reply, event: Fields): number {
  const { tokens_predicted: count, tokens_evaluated: input } = event
  const isVisible = isText(event['content'])
  const hasContent = isVisible || isText(event['reasoning_content'])
  if (isVisible) reply.visible = true
  if (isCount(input)) reply.inputTokens = input
  return isCount(count) ? reply.countedTo(count, hasContent) : reply.content(Number(hasContent), false)
}
