import type { FailureKind } from '../../src/model/request.ts'
import { RECORDED_ANTHROPIC } from './recorded-anthropic.ts'
import { RECORDED_GEMINI } from './recorded-gemini.ts'
import { RECORDED_LLAMACPP } from './recorded-llamacpp.ts'
import { RECORDED_OLLAMA } from './recorded-ollama.ts'
import { RECORDED_OPENAI_SERVERS } from './recorded-openai-servers.ts'
import { RECORDED_RESPONSES } from './recorded-responses.ts'
import { RECORDED_SGLANG } from './recorded-sglang.ts'
import { RECORDED_TGI } from './recorded-tgi.ts'
import { RECORDED_TRITON } from './recorded-triton.ts'

/** What the client must make of a recorded stream whose events come one per read, numbered from 1. */
export interface Recorded {
  readonly file: string
  /** What is special about it, in words. */
  readonly why: string
  readonly api?: string
  /** Number of each read that brought content, and how many content events it counts for. */
  readonly reads: readonly (readonly [read: number, events: number])[]
  /** Read of the first visible text; absent when there was none. */
  readonly firstVisible?: number
  readonly outputTokens: number
  /** Absent: no usage, so the plan's figure. */
  readonly inputTokens?: number
  readonly usage?: boolean
  readonly failure?: FailureKind
  readonly message?: string
}

export const RECORDED: readonly Recorded[] = [
  {
    file: 'openai-chat.sse',
    why: 'role chunk first, emoji and U+2028 as tokens, usage null until its own chunk says 5 tokens',
    reads: [
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
    ],
    firstVisible: 2,
    outputTokens: 5,
    inputTokens: 19,
    usage: true,
  },
  {
    file: 'openai-tool-call.sse',
    why: 'a tool call alone: tokens, but nothing to see',
    reads: [
      [2, 1],
      [3, 1],
      [4, 1],
    ],
    outputTokens: 3,
  },
  {
    file: 'openai-two-choices.sse',
    why: 'two outputs interleaved, index 1 first; complete when both have ended',
    reads: [
      [3, 1],
      [4, 1],
      [5, 1],
      [7, 1],
    ],
    firstVisible: 3,
    outputTokens: 4,
    inputTokens: 8,
    usage: true,
  },
  {
    file: 'openai-two-choices-truncated.sse',
    why: 'one of two outputs has ended, the other has not',
    reads: [
      [2, 1],
      [3, 1],
    ],
    firstVisible: 2,
    outputTokens: 2,
    failure: 'truncated',
    message: 'after 2 content events',
  },
  {
    file: 'vllm-reasoning.sse',
    why: 'delta.reasoning counts for the first token, content for the first visible text',
    reads: [
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
      [6, 1],
    ],
    firstVisible: 5,
    outputTokens: 5,
  },
  {
    file: 'vllm-reasoning-content.sse',
    why: 'the older reasoning_content; max_tokens reached while thinking is a success',
    reads: [
      [2, 1],
      [3, 1],
    ],
    outputTokens: 2,
    inputTokens: 21,
    usage: true,
  },
  {
    // Counts after each chunk: 0 (role), 1, 4, 5 (no text), 7. The chunks bring 1, 3, 1 and 2.
    file: 'vllm-continuous-usage.sse',
    why: 'cumulative usage weighs each chunk by its tokens; one without text is a token, if the count grows',
    reads: [
      [2, 1],
      [3, 3],
      [4, 1],
      [5, 2],
    ],
    firstVisible: 2,
    outputTokens: 7,
    inputTokens: 12,
    usage: true,
  },
  {
    file: 'vllm-error-midstream.sse',
    why: 'the engine dies: an error at HTTP 200, then [DONE]',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
    failure: 'stream-error',
    message: 'EngineCore encountered an issue',
  },
  {
    file: 'vllm-error-old.sse',
    why: 'older error without an error key',
    reads: [],
    outputTokens: 0,
    failure: 'stream-error',
    message: 'CUDA out of memory',
  },
  {
    file: 'azure-content-filter.sse',
    why: 'prompt filter chunk without choices first, a choice without delta last',
    reads: [
      [3, 1],
      [4, 1],
    ],
    firstVisible: 3,
    outputTokens: 2,
    inputTokens: 9,
    usage: true,
  },
  {
    file: 'openrouter-comments.sse',
    why: 'comments before, between and glued to events; hidden tokens in usage only',
    reads: [
      [3, 1],
      [5, 1],
    ],
    firstVisible: 5,
    outputTokens: 31,
    inputTokens: 7,
    usage: true,
  },
  {
    file: 'openrouter-error.sse',
    why: 'error beside choices, finish_reason error',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
    failure: 'stream-error',
    message: 'Provider returned error',
  },
  {
    file: 'llamacpp-chat.sse',
    why: 'role chunk with content null',
    reads: [
      [2, 1],
      [3, 1],
    ],
    firstVisible: 2,
    outputTokens: 2,
    inputTokens: 3,
    usage: true,
  },
  {
    file: 'gateway-crlf.sse',
    why: 'BOM, CRLF, id, event and retry fields, data in two lines, data without value, events after [DONE]',
    reads: [
      [2, 1],
      [4, 1],
    ],
    firstVisible: 2,
    outputTokens: 2,
    inputTokens: 4,
    usage: true,
  },
  {
    file: 'gateway-cr.sse',
    why: 'the same with lone CR',
    reads: [
      [2, 1],
      [4, 1],
    ],
    firstVisible: 2,
    outputTokens: 2,
    inputTokens: 4,
    usage: true,
  },
  {
    file: 'without-done.sse',
    why: 'finish_reason, then the end of the body',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
  },
  {
    file: 'truncated.sse',
    why: 'cut inside an event',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
    failure: 'truncated',
  },
  {
    file: 'without-last-blank-line.sse',
    why: 'the event that would end it lacks its blank line, so it is none',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
    failure: 'truncated',
  },
  {
    file: 'empty-reply.sse',
    why: 'role, stop, usage of 0 tokens',
    reads: [],
    outputTokens: 0,
    inputTokens: 10,
    usage: true,
    failure: 'empty',
  },
  {
    file: 'bad-json.sse',
    why: 'an event that is not JSON spoils the reply',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
    failure: 'bad-payload',
    message: 'not a JSON object',
  },
  {
    file: 'html-error-page.sse',
    why: 'a web page under the name of an event stream',
    reads: [],
    outputTokens: 0,
    failure: 'bad-payload',
    message: '502 Bad Gateway',
  },
  {
    file: 'event-error.sse',
    why: 'event: error whose data has no error key',
    reads: [[2, 1]],
    firstVisible: 2,
    outputTokens: 1,
    failure: 'stream-error',
    message: 'upstream overloaded',
  },
  {
    file: 'one-chunk.sse',
    why: 'the whole reply, and its count, in one chunk',
    reads: [[1, 6]],
    firstVisible: 1,
    outputTokens: 6,
    inputTokens: 5,
    usage: true,
  },
  {
    file: 'vllm-completions.sse',
    why: 'a token is a choice with text; an empty one is none',
    api: 'openai-completions',
    reads: [
      [1, 1],
      [3, 1],
    ],
    firstVisible: 1,
    outputTokens: 5,
    inputTokens: 6,
    usage: true,
  },
  ...RECORDED_OPENAI_SERVERS,
  ...RECORDED_RESPONSES,
  ...RECORDED_ANTHROPIC,
  ...RECORDED_GEMINI,
  ...RECORDED_SGLANG,
  ...RECORDED_TGI,
  ...RECORDED_TRITON,
  ...RECORDED_LLAMACPP,
  ...RECORDED_OLLAMA,
]

/** Headers with which a recorded stream comes. */
export function headersOf(file: string): { readonly 'content-type': string } {
  return { 'content-type': file.endsWith('.ndjson') ? 'application/x-ndjson' : 'text/event-stream' }
}
