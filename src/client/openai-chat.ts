import type { Content } from './content.ts'
import { type Fields, fieldsOf, isText } from './fields.ts'
import { openaiFormat } from './openai.ts'

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
  const { content } = message
  if (isText(content) || isText(message['refusal'])) return 'text'
  if (isText(message['reasoning_content']) || isText(message['reasoning'])) return 'reasoning'
  if (anyOf(message['tool_calls'], isCall) || isCall({ function: message['function_call'] })) return 'call'
  if (anyOf(content, isPart)) return 'text'
  return anyOf(content, isThought) || anyOf(message['reasoning_details'], isPart) ? 'reasoning' : 'none'
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

/** Mistral puts reasoning into the content, as a part that has parts of its own. */
function isThought(part: Fields): boolean {
  return isText(part['thinking']) || anyOf(part['thinking'], isPart)
}
