import { bearer } from './authorization.ts'
import { type Fields, isCount, isText } from './fields.ts'
import type { Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { sseEvent } from './sse.ts'

/**
 * The generate extension of Triton Inference Server, for models of the TensorRT-LLM and vLLM backends. An event whose
 * `text_output` is not empty counts as content, whether its text is what is new or all text so far
 * (`accumulate_tokens`). Nothing ends a stream but its body: one that a dying server cut in good order looks whole.
 *
 * Tokens are counted only if the model gives them: with `return_num_output_tokens` in the body, the events of both
 * backends say how many each of them brings.
 *
 * @see https://docs.nvidia.com/deeplearning/triton-inference-server/user-guide/docs/protocol/extension_generate.html
 */
export const tritonGenerate: WireFormat = {
  name: 'triton-generate',
  base: '/v2',
  path: ({ model, stream }) => {
    const end = stream ? '/generate_stream' : '/generate'
    return model === null ? end : `/models/${encodeURIComponent(model)}${end}`
  },
  headers: bearer,
  framing: 'sse',
  endsWithBody: true,
  oneTokenEvents: false,

  fields: ({ prompt, outputTokens, stream }) => ({ text_input: prompt, max_tokens: outputTokens, stream }),

  event(reply, data, type) {
    const event = payloadOf(reply, data, type)
    return event === null ? 0 : readOutput(reply, event)
  },

  document(reply, text) {
    const whole = documentOf(reply, text, 'text_output')
    return whole === null ? 0 : readOutput(reply, whole)
  },

  sample: () => ({
    before: [],
    token: sseEvent(
      JSON.stringify({
        model_name: 'ensemble',
        model_version: '1',
        sequence_end: false,
        sequence_id: 0,
        sequence_start: false,
        text_output: ' word',
      }),
    ),
    after: [],
  }),
}

function readOutput(reply: Reply, output: Fields): number {
  const input = scalar(output['num_input_tokens'])
  if (isCount(input)) reply.inputTokens = input
  const added = scalar(output['num_output_tokens'])
  const isCounted = isCount(added)
  if (isCounted) reply.outputTokens = (reply.outputTokens ?? 0) + added
  const text = output['text_output']
  const isVisible = Array.isArray(text) ? text.some(isText) : isText(text)
  if (isVisible) reply.visible = true
  return reply.content(isCounted ? Math.min(added, 1) : Number(isVisible), isCounted)
}

/** Outputs of a model are arrays where its configuration says so. */
function scalar(value: unknown): unknown {
  return Array.isArray(value) ? value[0] : value
}
