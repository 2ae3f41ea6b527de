import { fieldsOf, isText, openaiFormat } from './openai.ts'
import type { Content, Fields } from './openai.ts'

/**
 * `/v1/chat/completions` of OpenAI, vLLM, SGLang, TGI, llama.cpp, Ollama, Azure and the gateways before them.
 *
 * A token is a delta that brings text (`content`, `refusal`), reasoning (`reasoning`, `reasoning_content`,
 * `reasoning_details`) or a piece of a tool call. A role alone is none.
 */
export const openaiChat = openaiFormat({
  name: 'openai-chat',
  path: '/chat/completions',
  object: 'chat.completion.chunk',
  prompt: (text) => ({ messages: [{ role: 'user', content: text }] }),
  content: (choice) => {
    const message = fieldsOf(choice['delta'] ?? choice['message'])
    return message === null ? 'none' : contentOf(message)
  },
  sample: {
    first: { delta: { role: 'assistant', content: '' } },
    token: { delta: { content: ' word' } },
    last: { delta: {} },
  },
})

function contentOf(message: Fields): Content {
  if (isText(message['content']) || isText(message['refusal'])) return 'visible'
  if (isText(message['reasoning_content']) || isText(message['reasoning'])) return 'hidden'
  if (anyOf(message['tool_calls'], isCall) || isCall({ function: message['function_call'] })) return 'hidden'
  if (Array.isArray(message['content'])) return anyOf(message['content'], isPart) ? 'visible' : 'none'
  return anyOf(message['reasoning_details'], isPart) ? 'hidden' : 'none'
}

function anyOf(list: unknown, test: (item: Fields) => boolean): boolean {
  return Array.isArray(list) && list.some((item) => test(fieldsOf(item) ?? {}))
}

function isCall(call: Fields): boolean {
  const called = fieldsOf(call['function'])
  return called !== null && (isText(called['name']) || isText(called['arguments']))
}

/** Parts of structured content carry their text under one of these names. */
function isPart(part: Fields): boolean {
  return isText(part['text']) || isText(part['summary']) || isText(part['data'])
}
