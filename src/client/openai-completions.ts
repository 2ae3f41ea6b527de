import { isText } from './fields.ts'
import { openaiFormat } from './openai.ts'

/** `/v1/completions` of OpenAI, vLLM, SGLang, llama.cpp and others: a token is a choice whose `text` is not empty. */
export const openaiCompletions = openaiFormat({
  name: 'openai-completions',
  path: '/completions',
  object: 'text_completion',
  prompt: (text) => ({ prompt: text }),
  content: (choice) => (isText(choice['text']) ? 'text' : 'none'),
  sample: { first: null, token: { text: ' word' }, last: { text: '' } },
})
