import { describe, expect, test } from 'vitest'
import { HttpError } from '../../src/simulator/http-error.ts'
import { MAX_BODY_BYTES, MAX_HEAD_BYTES } from '../../src/simulator/http-head.ts'
import { createRequestParser } from '../../src/simulator/http.ts'
import type { HttpRequest } from '../../src/simulator/http.ts'

function parse(...pieces: (string | Buffer)[]): (Omit<HttpRequest, 'body'> & { body: string })[] {
  const parser = createRequestParser()
  const requests = []
  for (const piece of pieces) {
    parser.feed(Buffer.from(piece))
    for (let request = parser.next(); request !== null; request = parser.next()) {
      requests.push({ ...request, body: request.body.toString('utf8') })
    }
  }
  return requests
}

const GET = { method: 'GET', path: '/v1/models', requestId: null, keepAlive: true, body: '' }
const POST = { method: 'POST', path: '/v1/completions', requestId: null, keepAlive: true, body: '' }

describe('requests', () => {
  test.each([
    ['no body', 'GET /v1/models HTTP/1.1\r\nhost: a\r\n\r\n', [GET]],
    ['no header at all', 'GET /v1/models HTTP/1.1\r\n\r\n', [GET]],
    ['the query is not part of the path', 'GET /v1/models?a=b?c HTTP/1.1\r\n\r\n', [GET]],
    [
      'a body of a given length',
      'POST /v1/completions HTTP/1.1\r\nContent-Length: 4\r\n\r\nabcd',
      [{ ...POST, body: 'abcd' }],
    ],
    [
      'header names in any case, values trimmed',
      'POST /v1/completions HTTP/1.1\r\nCONTENT-LENGTH:2 \r\nX-Request-ID: \t 7-1\r\nConnection: Close\r\n\r\nab',
      [{ ...POST, body: 'ab', requestId: '7-1', keepAlive: false }],
    ],
    [
      // 4 + 10 bytes, an extension, sizes in both cases of hex
      'a chunked body with an extension and a trailer',
      'POST /v1/completions HTTP/1.1\r\ntransfer-encoding: Chunked\r\n\r\n4;a=b\r\nabcd\r\nA\r\n0123456789\r\n0\r\nt: 1\r\n\r\n',
      [{ ...POST, body: 'abcd0123456789' }],
    ],
    [
      'chunks may hold what looks like line ends',
      'POST /v1/completions HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n4\r\n\r\n\r\n\r\n0\r\n\r\n',
      [{ ...POST, body: '\r\n\r\n' }],
    ],
    [
      'three pipelined ones, with an empty line between',
      'GET /v1/models HTTP/1.1\r\n\r\nPOST /v1/completions HTTP/1.1\r\ncontent-length: 1\r\n\r\nx\r\nGET /v1/models HTTP/1.1\r\n\r\n',
      [GET, { ...POST, body: 'x' }, GET],
    ],
    ['an incomplete head is no request yet', 'GET /v1/models HTTP/1.1\r\n', []],
    ['an incomplete body is no request yet', 'POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nabcd', []],
    [
      'the same length twice is one length',
      'GET /v1/models HTTP/1.1\r\ncontent-length: 0\r\ncontent-length: 0\r\n\r\n',
      [GET],
    ],
  ])('%s', (_, bytes, requests) => {
    expect(parse(bytes)).toEqual(requests)
  })

  test('a body of many reads is joined in order', () => {
    const pieces = Array.from({ length: 300 }, (_, i) => String(i % 10).repeat(1000))
    const [request] = parse('POST / HTTP/1.1\r\ncontent-length: 300000\r\n\r\n', ...pieces)
    expect(request?.body).toBe(pieces.join(''))
  })

  test('bytes of a request that is not complete are at hand from its first to its last', () => {
    const parser = createRequestParser()
    const seen = ['\r\n', 'PO', 'ST / HTTP/1.1\r\ncontent-length: 2\r\n\r\n', 'a', 'b'].map((piece) => {
      parser.feed(Buffer.from(piece))
      const request = parser.next()
      return [request !== null, parser.partial]
    })
    expect(seen).toEqual([
      [false, false],
      [false, true],
      [false, true],
      [false, true],
      [true, false],
    ])
  })

  test('a request that waits for 100-continue says so once, and not when its body is there', () => {
    const head = Buffer.from('POST / HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: 2\r\n\r\n')
    const waiting = createRequestParser()
    waiting.feed(head)
    expect([waiting.next(), waiting.wantsContinue(), waiting.wantsContinue()]).toEqual([null, true, false])
    const hasty = createRequestParser()
    hasty.feed(Buffer.concat([head, Buffer.from('a')]))
    expect([hasty.next(), hasty.wantsContinue()]).toEqual([null, false])
  })
})

describe('what is no request', () => {
  test.each([
    ['two words', 'GET /\r\n\r\n', 400],
    ['another version', 'GET / HTTP/1.0\r\n\r\n', 505],
    ['a header without colon', 'GET / HTTP/1.1\r\nhost\r\n\r\n', 400],
    ['a header without name', 'GET / HTTP/1.1\r\n: a\r\n\r\n', 400],
    ['a length that is no number', 'GET / HTTP/1.1\r\ncontent-length: 1x\r\n\r\n', 400],
    ['two different lengths', 'GET / HTTP/1.1\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\n', 400],
    ['length and chunks', 'GET / HTTP/1.1\r\ncontent-length: 1\r\ntransfer-encoding: chunked\r\n\r\n', 400],
    ['another encoding', 'GET / HTTP/1.1\r\ntransfer-encoding: gzip, chunked\r\n\r\n', 501],
    ['a chunk without size', 'GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n', 400],
    ['a chunk longer than its size', 'GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1\r\nab\r\n', 400],
    ['an endless size line', `GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1;${'a'.repeat(2000)}`, 400],
    ['an endless trailer', `GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'a'.repeat(17_000)}`, 431],
    ['a body beyond the limit', `GET / HTTP/1.1\r\ncontent-length: ${MAX_BODY_BYTES + 1}\r\n\r\n`, 413],
    ['a chunk beyond the limit', 'GET / HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n1000001\r\n', 413],
    ['an endless head', `GET / HTTP/1.1\r\na: ${'b'.repeat(MAX_HEAD_BYTES)}`, 431],
    ['a long head', `GET / HTTP/1.1\r\na: ${'b'.repeat(MAX_HEAD_BYTES)}\r\n\r\n`, 431],
  ])('%s', (_, bytes, status) => {
    expect(() => parse(bytes)).toThrow(expect.objectContaining({ constructor: HttpError, status }))
  })
})
