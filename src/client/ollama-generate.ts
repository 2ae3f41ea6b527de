import { isFilledList, isText } from './fields.ts'
import { ollamaFormat } from './ollama.ts'

/** `/api/generate` of Ollama: a token is a line with a `response`, `thinking`, or calls of tools, which come whole. */
export const ollamaGenerate = ollamaFormat({
  name: 'ollama-generate',
  path: '/generate',
  output: 'response',
  prompt: (text) => ({ prompt: text }),
  content: (line) => {
    if (isText(line['response'])) return 'text'
    if (isText(line['thinking'])) return 'reasoning'
    return isFilledList(line['tool_calls']) ? 'call' : 'none'
  },
  sample: (text) => ({ response: text }),
})
