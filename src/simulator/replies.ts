import { STATUS_CODES } from 'node:http'
import type { Completion, CompletionApi } from './completion.ts'
import type { HttpError } from './http-error.ts'

/** Replies as text that goes to the socket as it is. ASCII only, so that lengths in characters are lengths in bytes. */
export interface Replies {
  /**
   * Part `part` of `parts` of a streamed reply. With one part it is the whole; otherwise there is a part per token,
   * the role event goes with the first, and finish, usage and `[DONE]` go with the last.
   */
  part(completion: Completion, part: number, parts: number, keepAlive: boolean): string
  /** A reply that does not stream. */
  whole(completion: Completion, keepAlive: boolean): string
  models(model: string, keepAlive: boolean): string
}

/** The pieces of text that are generated, one token each, over and over. */
export const PIECES: readonly string[] = [' the', ' quick', ' brown', ' fox', ' jumps', ' over', ' a', ' lazy', ' dog']

/** Scripts and whole texts kept; a client that sends other names and lengths all the time pays for making them. */
const KEPT = 64

/** The precomputed events of one API and model, each a chunk of the HTTP body of its own, as a real server sends them. */
interface Script {
  readonly opening: string
  readonly tokens: readonly string[]
  readonly finish: string
  /** Usage event before and after the numbers. */
  readonly usage: (usage: string) => string
  /** All tokens of a reply of n tokens, by n. */
  readonly texts: Map<number, string>
}

const DONE = `${chunk('data: [DONE]\n\n')}0\r\n\r\n`

/**
 * Replies with the shape of vLLM's; ids are always the same, and `created` is the server's start.
 *
 * @param created Unix time, s
 * @see vllm/entrypoints/openai/chat_completion/serving.py, completion/serving.py
 */
export function createReplies(created: number): Replies {
  const scripts = { chat: new Map<string, Script>(), text: new Map<string, Script>() }

  function scriptOf(api: CompletionApi, model: string): Script {
    return keep(scripts[api], model, () => {
      const object = api === 'chat' ? 'chat.completion.chunk' : 'text_completion'
      const start = `data: {"id":"${idOf(api)}","object":"${object}","created":${created},"model":${ascii(model)},"choices":[`
      const choice = (fields: string): string =>
        chunk(`${start}{"index":0,${fields}}]${api === 'chat' ? '' : ',"usage":null'}}\n\n`)
      const content = (text: string): string =>
        api === 'chat' ? `"delta":{"content":${ascii(text)}},"logprobs":null` : `"text":${ascii(text)},"logprobs":null`
      const unfinished = api === 'chat' ? '"finish_reason":null' : '"finish_reason":null,"stop_reason":null'
      return {
        opening:
          api === 'chat'
            ? choice('"delta":{"role":"assistant","content":""},"logprobs":null,"finish_reason":null')
            : '',
        tokens: PIECES.map((piece) => choice(`${content(piece)},${unfinished}`)),
        finish: choice(`${content('')},"finish_reason":"length","stop_reason":null`),
        usage: (usage) => chunk(`${start}],${usage}}\n\n`),
        texts: new Map(),
      }
    })
  }

  return {
    part({ api, model, includeUsage, promptTokens, outputTokens }, part, parts, keepAlive) {
      const script = scriptOf(api, model)
      const start = part === 0 ? streamHead(keepAlive) + script.opening : ''
      const text =
        parts > 1
          ? script.tokens[part % PIECES.length]!
          : keep(script.texts, outputTokens, () => repeat(script.tokens, outputTokens))
      if (part < parts - 1) return start + text
      const usage = includeUsage ? script.usage(usageOf(promptTokens, outputTokens)) : ''
      return start + text + script.finish + usage + DONE
    },
    whole({ api, model, promptTokens, outputTokens }, keepAlive) {
      const text = ascii(repeat(PIECES, outputTokens))
      const choice =
        api === 'chat'
          ? `"message":{"role":"assistant","content":${text},"refusal":null,"tool_calls":[]}`
          : `"text":${text}`
      const object = api === 'chat' ? 'chat.completion' : 'text_completion'
      return jsonReply(
        200,
        `{"id":"${idOf(api)}","object":"${object}","created":${created},"model":${ascii(model)},"choices":[{"index":0,` +
          `${choice},"logprobs":null,"finish_reason":"length","stop_reason":null}],${usageOf(promptTokens, outputTokens)}}`,
        keepAlive,
      )
    },
    models(model, keepAlive) {
      const entry = `{"id":${ascii(model)},"object":"model","created":${created},"owned_by":"vitest-slo"}`
      return jsonReply(200, `{"object":"list","data":[${entry}]}`, keepAlive)
    },
  }
}

/** An error in OpenAI's envelope. */
export function errorReply({ status, message, code }: HttpError, keepAlive: boolean, headers = ''): string {
  const type = status >= 500 ? 'server_error' : 'invalid_request_error'
  return jsonReply(status, ascii({ error: { message, type, param: null, code } }), keepAlive, headers)
}

/** A JSON reply; `json` and `headers` (lines that end in CRLF) must be ASCII. */
export function jsonReply(status: number, json: string, keepAlive: boolean, headers = ''): string {
  return (
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\ncontent-type: application/json\r\n` +
    `content-length: ${json.length}\r\n${headers}${closing(keepAlive)}\r\n${json}`
  )
}

/** JSON without a character beyond ASCII. */
export function ascii(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function streamHead(keepAlive: boolean): string {
  return (
    'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream; charset=utf-8\r\n' +
    `transfer-encoding: chunked\r\n${closing(keepAlive)}\r\n`
  )
}

function closing(keepAlive: boolean): string {
  return keepAlive ? '' : 'connection: close\r\n'
}

function usageOf(prompt: number, output: number): string {
  return `"usage":{"prompt_tokens":${prompt},"total_tokens":${prompt + output},"completion_tokens":${output}}`
}

function idOf(api: CompletionApi): string {
  return api === 'chat' ? 'chatcmpl-simulator' : 'cmpl-simulator'
}

function chunk(text: string): string {
  return `${text.length.toString(16)}\r\n${text}\r\n`
}

/** The first n of the pieces repeated for ever, joined. */
function repeat(pieces: readonly string[], n: number): string {
  const rest = n % pieces.length
  return pieces.join('').repeat((n - rest) / pieces.length) + pieces.slice(0, rest).join('')
}

/** The value of a key, made once while at most `KEPT` are kept: the oldest goes first. */
function keep<K, V>(kept: Map<K, V>, key: K, make: () => V): V {
  let value = kept.get(key)
  if (value === undefined) {
    value = make()
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value!)
    kept.set(key, value)
  }
  return value
}
