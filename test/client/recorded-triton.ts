import type { Recorded } from './recorded.ts'

const api = 'triton-generate'

export const RECORDED_TRITON: readonly Recorded[] = [
  {
    file: 'triton-generate.sse',
    why: 'the body’s end is the end; an event without text is none',
    api,
    reads: [
      [1, 1],
      [2, 1],
      [4, 1],
    ],
    firstVisible: 1,
    outputTokens: 3,
  },
  {
    file: 'triton-accumulated.sse',
    why: 'all text so far in every event (accumulate_tokens) is one content event each',
    api,
    reads: [
      [1, 1],
      [2, 1],
      [3, 1],
    ],
    firstVisible: 1,
    outputTokens: 3,
  },
  {
    file: 'triton-token-counts.sse',
    why: 'outputs that count each event’s tokens, the last of them without text',
    api,
    reads: [
      [1, 1],
      [2, 3],
      [3, 1],
    ],
    firstVisible: 1,
    outputTokens: 5,
    inputTokens: 6,
    usage: true,
  },
  {
    file: 'triton-error.sse',
    why: 'an error in a stream of HTTP 200',
    api,
    reads: [[1, 1]],
    firstVisible: 1,
    outputTokens: 1,
    failure: 'stream-error',
    message: 'out of KV cache blocks',
  },
  {
    file: 'triton-empty.sse',
    why: 'nothing but an event without text',
    api,
    reads: [],
    outputTokens: 0,
    failure: 'empty',
  },
]
