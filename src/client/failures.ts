import type { Failure, FailureKind } from '../model/request.ts'
import { excerpt } from './format.ts'

/** How far a request had come when its connection failed. */
export type Stage = 'connecting' | 'sent' | 'replying'

/** How undici's parser words the end of a connection inside a reply; its errors have no code. */
const INVALID_EOF = 'Invalid EOF state'

/** How undici says that it does not go on after a status of the 100s; its code is that of any broken socket. */
const UNASKED_STATUS = 'UNASKED_STATUS'
const UNASKED: Readonly<Record<string, string>> = {
  'bad response': 'HTTP 100 came, which the request had not asked for and this client does not support',
  'bad upgrade': 'HTTP 101 came, which the request had not asked for',
}

/** Node's and undici's error codes, and names where there is none, whose kind does not depend on the stage. */
const KIND_OF_CODE: Readonly<Record<string, FailureKind>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  EAI_NODATA: 'dns',
  EMFILE: 'client',
  ENFILE: 'client',
  EADDRNOTAVAIL: 'client',
  EADDRINUSE: 'client',
  ENOBUFS: 'client',
  ENOMEM: 'client',
  UND_ERR_INVALID_ARG: 'client',
  UND_ERR_NOT_SUPPORTED: 'client',
  UND_ERR_HEADERS_OVERFLOW: 'bad-payload',
  [UNASKED_STATUS]: 'bad-payload',
  HTTPParserError: 'bad-payload',
  // The reply's framing (chunks, content-length) promised more than came.
  [INVALID_EOF]: 'truncated',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'truncated',
  EPROTO: 'tls',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls',
  HOSTNAME_MISMATCH: 'tls',
}

/** Codes of the kernel: `EPIPE`, `ETIMEDOUT`. */
const ERRNO = /^E[A-Z0-9]+$/

/** Beginnings of code families. */
const KIND_OF_FAMILY: readonly (readonly [string, FailureKind])[] = [
  ['ERR_SSL_', 'tls'],
  ['ERR_TLS_', 'tls'],
  ['CERT_', 'tls'],
  ['UNABLE_TO_', 'tls'],
]

/**
 * The failure that an error of the connection is, as one of the closed union.
 *
 * `reset` covers the keep-alive race, too: the server closed an idle connection while a request was on its way to it.
 * It is not sent again behind the measurement's back, and the message says that no byte of a reply had come.
 */
export function failureOf(error: unknown, stage: Stage): Failure {
  const { code, message } = describe(error)
  return { kind: kindOf(code, stage), message: code === UNASKED_STATUS ? message : `${message}${WHEN[stage]}` }
}

/**
 * A status other than 2xx, or than those `expected`, with the beginning of the body and the server's wish about when to
 * come again.
 */
export function httpFailure(
  status: number,
  body: string,
  retryAfter: string | null,
  expected: readonly number[] | null = null,
): Failure {
  const others = expected === null ? '' : `, expected ${expected.join(' or ')}`
  const wish = retryAfter === null ? '' : ` (retry-after ${excerpt(retryAfter)})`
  const text = excerpt(body)
  return { kind: 'http', status, message: `HTTP ${status}${others}${wish}${text === '' ? '' : `: ${text}`}` }
}

const WHEN: Readonly<Record<Stage, string>> = {
  connecting: '',
  sent: ' before any byte of a reply',
  replying: ' during the reply',
}

function kindOf(code: string, stage: Stage): FailureKind {
  const known = KIND_OF_CODE[code] ?? KIND_OF_FAMILY.find(([family]) => code.startsWith(family))?.[1]
  if (known !== undefined) return known
  if (stage === 'connecting') {
    // A connection that is reset before it is established broke in its TLS handshake.
    if (code === 'ECONNRESET') return 'tls'
    return code === 'ETIMEDOUT' ? 'timeout-connect' : 'connect'
  }
  // undici says `UND_ERR_SOCKET` when the other side closed in good order.
  if (code === 'UND_ERR_SOCKET') return stage === 'replying' ? 'truncated' : 'reset'
  // What the kernel did not say about the socket is a fault of this program, and must not be blamed on the server.
  return ERRNO.test(code) ? 'reset' : 'client'
}

function describe(error: unknown): { code: string; message: string } {
  if (!(error instanceof Error)) return { code: '', message: excerpt(String(error)) }
  const unasked = UNASKED[error.message]
  if (unasked !== undefined) return { code: UNASKED_STATUS, message: unasked }
  const code = codeOf(error)
  // The error of several attempted addresses has a code, but no message of its own.
  const first: unknown = error instanceof AggregateError ? error.errors[0] : undefined
  const text = error.message !== '' ? error.message : first instanceof Error ? first.message : error.name
  const named = code === error.name || text.includes(code)
  return { code, message: excerpt(named ? text : `${text} (${code})`) }
}

function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code
  return error.message.includes(INVALID_EOF) ? INVALID_EOF : error.name
}
