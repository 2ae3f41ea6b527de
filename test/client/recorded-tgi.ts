import type { Recorded } from './recorded.ts'

const api = 'tgi-generate'

export const RECORDED_TGI: readonly Recorded[] = [
  {
    file: 'tgi-generate.sse',
    why: 'one token an event, one without text, the end token last; a keep-alive comment; no space after data:',
    api,
    reads: [
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
    ],
    firstVisible: 2,
    outputTokens: 4,
    inputTokens: 11,
    usage: true,
  },
  {
    file: 'tgi-without-details.sse',
    why: 'without the server’s counts the events are exact',
    api,
    reads: [
      [1, 1],
      [2, 1],
    ],
    firstVisible: 1,
    outputTokens: 2,
    usage: true,
  },
  {
    file: 'tgi-overloaded.sse',
    why: 'refused inside a stream of HTTP 200',
    api,
    reads: [],
    outputTokens: 0,
    usage: true,
    failure: 'stream-error',
    message: 'Model is overloaded',
  },
  {
    file: 'tgi-incomplete.sse',
    why: 'an error after a token',
    api,
    reads: [[1, 1]],
    firstVisible: 1,
    outputTokens: 1,
    usage: true,
    failure: 'stream-error',
    message: 'Incomplete generation stream',
  },
  {
    file: 'tgi-truncated.sse',
    why: 'no event has the generated text',
    api,
    reads: [
      [1, 1],
      [2, 1],
    ],
    firstVisible: 1,
    outputTokens: 2,
    usage: true,
    failure: 'truncated',
  },
]
