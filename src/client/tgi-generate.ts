import { bearer } from './authorization.ts'
import { type Fields, fieldsOf, isCount, isText } from './fields.ts'
import type { Reply, WireFormat } from './format.ts'
import { documentOf, payloadOf } from './payload.ts'
import { sseEvent } from './sse.ts'

/**
 * The own API of Hugging Face's Text Generation Inference: `/generate_stream`, and `/generate` without streaming. Every
 * event with a `token` is one token, special ones (the end of the text) among them; the last has `generated_text` and,
 * because `details` are asked for, the server's counts. No `[DONE]`.
 *
 * @see https://huggingface.github.io/text-generation-inference/
 */
export const tgiGenerate: WireFormat = {
  name: 'tgi-generate',
  base: '',
  path: ({ stream }) => (stream ? '/generate_stream' : '/generate'),
  headers: bearer,
  framing: 'sse',
  endsWithBody: false,
  oneTokenEvents: true,

  fields: ({ model, prompt, outputTokens }) => ({
    ...(model === null ? {} : { model }),
    inputs: prompt,
    parameters: { max_new_tokens: outputTokens, details: true },
  }),

  event(reply, data, type) {
    const event = payloadOf(reply, data, type)
    if (event === null) return 0
    readDetails(reply, event['details'])
    if (typeof event['generated_text'] === 'string') reply.done = true
    const token = fieldsOf(event['token'])
    if (token === null) return 0
    if (isText(token['text']) && token['special'] !== true) reply.visible = true
    return reply.content(1, false)
  },

  document(reply, text) {
    const whole = documentOf(reply, text, 'generated_text')
    if (whole === null) return 0
    reply.done = true
    const isCounted = readDetails(reply, whole['details'])
    const isVisible = isText(whole['generated_text'])
    if (isVisible) reply.visible = true
    // Nothing but special tokens has no text, and is no empty reply.
    return reply.content(isVisible || (reply.outputTokens ?? 0) > 0 ? 1 : 0, isCounted)
  },

  sample(tokens) {
    const token = { id: 3409, text: ' word', logprob: -0.5234375, special: false }
    const event = (nth: number) => {
      const details = { finish_reason: 'length', generated_tokens: tokens, seed: null, input_length: 128 }
      const end = nth < tokens ? [null, null] : [' word'.repeat(tokens), details]
      return { index: nth, token, generated_text: end[0], details: end[1] }
    }
    return { before: [], token: (nth) => sseEvent(JSON.stringify(event(nth))), after: [] }
  },
}

/** Takes the server's counts, which the last event has; says whether output tokens were among them. */
function readDetails(reply: Reply, value: unknown): boolean {
  const details: Fields | null = fieldsOf(value)
  if (details === null) return false
  const { generated_tokens: output, input_length: input } = details
  if (isCount(input)) reply.inputTokens = input
  if (!isCount(output)) return false
  reply.outputTokens = output
  return true
}
