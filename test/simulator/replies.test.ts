import { describe, expect, test } from 'vitest'
import type { Completion } from '../../src/simulator/completion.ts'
import { HttpError } from '../../src/simulator/http-error.ts'
import { createReplies, errorReply } from '../../src/simulator/replies.ts'

const chat: Completion = {
  api: 'chat',
  model: 'llama',
  stream: true,
  includeUsage: true,
  promptTokens: 5,
  outputTokens: 3,
}
const text: Completion = { ...chat, api: 'text', includeUsage: false }
const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n'
const END = '0\r\n\r\n'

/** Each event in an HTTP chunk of its own, as servers send them. */
function chunks(...data: string[]): string {
  return data
    .map((json) => `data: ${json}\n\n`)
    .map((event) => `${Buffer.byteLength(event).toString(16)}\r\n${event}\r\n`)
    .join('')
}

const chatEvent = (choices: string, rest = '') =>
  `{"id":"chatcmpl-simulator","object":"chat.completion.chunk","created":1700000000,"model":"llama","choices":[${choices}]${rest}}`
const chatToken = (content: string) =>
  chatEvent(`{"index":0,"delta":{"content":"${content}"},"logprobs":null,"finish_reason":null}`)
const ROLE = chatEvent('{"index":0,"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null}')
const CHAT_FINISH = chatEvent(
  '{"index":0,"delta":{"content":""},"logprobs":null,"finish_reason":"length","stop_reason":null}',
)
const USAGE = '"usage":{"prompt_tokens":5,"total_tokens":8,"completion_tokens":3}'

const textEvent = (piece: string, reason: string) =>
  `{"id":"cmpl-simulator","object":"text_completion","created":1700000000,"model":"llama","choices":[{"index":0,"text":"${piece}","logprobs":null,"finish_reason":${reason},"stop_reason":null}],"usage":null}`

describe('streams', () => {
  test('chat, token by token: the role goes with the first, finish, usage and [DONE] with the last', () => {
    const replies = createReplies(1_700_000_000)
    expect([0, 1, 2].map((part) => replies.part(chat, part, 3, true))).toEqual([
      HEAD + chunks(ROLE, chatToken(' the')),
      chunks(chatToken(' quick')),
      chunks(chatToken(' brown'), CHAT_FINISH, chatEvent('', `,${USAGE}`), '[DONE]') + END,
    ])
  })

  test('completions, token by token, without usage', () => {
    const replies = createReplies(1_700_000_000)
    expect([0, 1, 2].map((part) => replies.part(text, part, 3, true))).toEqual([
      HEAD + chunks(textEvent(' the', 'null')),
      chunks(textEvent(' quick', 'null')),
      chunks(textEvent(' brown', 'null'), textEvent('', '"length"'), '[DONE]') + END,
    ])
  })

  test.each([1, 2, 9, 10, 64])('a whole reply of %i tokens has the bytes of its parts', (outputTokens) => {
    const replies = createReplies(1_700_000_000)
    for (const completion of [chat, text].map((asked) => ({ ...asked, outputTokens }))) {
      const parts = Array.from({ length: outputTokens }, (_, part) =>
        replies.part(completion, part, outputTokens, true),
      )
      expect(replies.part(completion, 0, 1, true)).toBe(parts.join(''))
    }
  })

  test('a connection that will be closed says so', () => {
    const reply = createReplies(0).part(chat, 0, 3, false)
    expect(reply.slice(0, reply.indexOf('\r\n\r\n'))).toMatch(/\r\nconnection: close$/)
  })

  test('names beyond ASCII are escaped, so that characters are bytes', () => {
    const reply = createReplies(0).part({ ...chat, model: 'größe "🙂"' }, 0, 1, true)
    expect(reply).toContain(String.raw`"model":"gr\u00f6\u00dfe \"\ud83d\ude42\""`)
    expect(Buffer.byteLength(reply)).toBe(reply.length)
  })

  test('more models than are kept still get their own name', () => {
    const replies = createReplies(0)
    for (let i = 0; i < 200; i++) {
      expect(replies.part({ ...chat, model: `m${i % 100}` }, 1, 3, true)).toContain(`"model":"m${i % 100}"`)
    }
  })
})

describe('JSON', () => {
  const json = (reply: string) => {
    const [head, body] = reply.split('\r\n\r\n') as [string, string]
    expect(head).toContain(`content-length: ${Buffer.byteLength(body)}`)
    return { head, body: JSON.parse(body) as unknown }
  }

  test('chat', () => {
    expect(json(createReplies(1_700_000_000).whole(chat, true)).body).toEqual({
      id: 'chatcmpl-simulator',
      object: 'chat.completion',
      created: 1_700_000_000,
      model: 'llama',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: ' the quick brown', refusal: null, tool_calls: [] },
          logprobs: null,
          finish_reason: 'length',
          stop_reason: null,
        },
      ],
      usage: { prompt_tokens: 5, total_tokens: 8, completion_tokens: 3 },
    })
  })

  test('completions', () => {
    expect(json(createReplies(1_700_000_000).whole({ ...text, outputTokens: 10 }, true)).body).toMatchObject({
      object: 'text_completion',
      choices: [{ text: ' the quick brown fox jumps over a lazy dog the', finish_reason: 'length' }],
      usage: { prompt_tokens: 5, total_tokens: 15, completion_tokens: 10 },
    })
  })

  test('errors have OpenAI’s envelope', () => {
    const { head, body } = json(errorReply(new HttpError(404, 'Invalid URL (GET /ü)'), false))
    expect(head.split('\r\n')[0]).toBe('HTTP/1.1 404 Not Found')
    expect(head).toContain('connection: close')
    expect(body).toEqual({
      error: { message: 'Invalid URL (GET /ü)', type: 'invalid_request_error', param: null, code: null },
    })
  })
})
