import { describe, expect, test } from 'vitest'
import { failureOf, httpFailure } from '../../src/client/failures.ts'
import type { Stage } from '../../src/client/failures.ts'
import type { FailureKind } from '../../src/model/request.ts'

const coded = (code: string, message = 'it broke') => Object.assign(new Error(message), { code })

describe('failureOf', () => {
  test.each<[string, Stage, FailureKind]>([
    ['ECONNREFUSED', 'connecting', 'refused'],
    ['ENOTFOUND', 'connecting', 'dns'],
    ['EAI_AGAIN', 'connecting', 'dns'],
    ['EHOSTUNREACH', 'connecting', 'connect'],
    ['ENETUNREACH', 'connecting', 'connect'],
    ['SOMETHING_NEW', 'connecting', 'connect'],
    // The kernel gave up on SYNs before our own bound did.
    ['ETIMEDOUT', 'connecting', 'timeout-connect'],
    ['EMFILE', 'connecting', 'client'],
    ['EADDRNOTAVAIL', 'connecting', 'client'],
    ['ENOBUFS', 'sent', 'client'],
    ['CERT_HAS_EXPIRED', 'connecting', 'tls'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'connecting', 'tls'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'connecting', 'tls'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'connecting', 'tls'],
    // TCP refuses, it does not reset, so a reset while connecting is the handshake's.
    ['ECONNRESET', 'connecting', 'tls'],
    ['ECONNRESET', 'sent', 'reset'],
    ['EPIPE', 'sent', 'reset'],
    ['ETIMEDOUT', 'replying', 'reset'],
    // The other side closed in good order: before a reply, and within one.
    ['UND_ERR_SOCKET', 'sent', 'reset'],
    ['UND_ERR_SOCKET', 'replying', 'truncated'],
    ['UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'replying', 'truncated'],
    ['UND_ERR_HEADERS_OVERFLOW', 'sent', 'bad-payload'],
    // A fault of our own is not the server's.
    ['ERR_ASSERTION', 'replying', 'client'],
    ['UND_ERR_INVALID_ARG', 'sent', 'client'],
  ])('%s while %s is %s', (code, stage, kind) => {
    expect(failureOf(coded(code), stage).kind).toBe(kind)
  })

  test('the message names the code once, and how far the request had come', () => {
    expect(failureOf(coded('EPIPE'), 'sent').message).toBe('it broke (EPIPE) before any byte of a reply')
    expect(failureOf(coded('EPIPE', 'write EPIPE'), 'replying').message).toBe('write EPIPE during the reply')
    expect(failureOf(coded('EMFILE', 'connect EMFILE'), 'connecting').message).toBe('connect EMFILE')
  })

  test('the failure of several addresses speaks by its first', () => {
    const errors = [coded('ECONNREFUSED', 'connect ECONNREFUSED ::1:9'), coded('ECONNREFUSED')]
    const error = Object.assign(new AggregateError(errors), { code: 'ECONNREFUSED' })
    expect(failureOf(error, 'connecting')).toEqual({ kind: 'refused', message: 'connect ECONNREFUSED ::1:9' })
  })

  test('what is no error is told as it is', () => {
    expect(failureOf('gone', 'connecting')).toEqual({ kind: 'connect', message: 'gone' })
  })
})

test('httpFailure has one line, with the server’s wish where it has one', () => {
  expect(httpFailure(500, '', null).message).toBe('HTTP 500')
  expect(httpFailure(529, ' over\r\n loaded ', '30').message).toBe('HTTP 529 (retry-after 30): over loaded')
})
