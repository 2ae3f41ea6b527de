import { fieldsOf, isFilledList, isText } from './fields.ts'
import { ollamaFormat } from './ollama.ts'

/** `/api/chat` of Ollama: a token is a line whose message has text, thinking or calls of tools, which come whole. */
export const ollamaChat = ollamaFormat({
  name: 'ollama-chat',
  path: '/chat',
  output: 'message',
  prompt: (text) => ({ messages: [{ role: 'user', content: text }] }),
  content: (line) => {
    const message = fieldsOf(line['message']) ?? {}
    if (isText(message['content'])) return 'text'
    if (isText(message['thinking'])) return 'reasoning'
    return isFilledList(message['tool_calls']) ? 'call' : 'none'
  },
  sample: (text) => ({ message: { role: 'assistant', content: text } }),
})
