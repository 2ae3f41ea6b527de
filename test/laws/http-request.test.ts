import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRequestParser } from '../../src/simulator/http.ts'
import type { HttpRequest } from '../../src/simulator/http.ts'

/** Bodies of line ends, digits and bytes of more than one character: all that a parser could take for framing. */
const body = fc.string({ unit: fc.constantFrom('\r', '\n', '\r\n', '0', 'a', ':', 'é', '🙂'), maxLength: 40 })

const request = fc.oneof(
  fc.constant('GET /health HTTP/1.1\r\nhost: a\r\n\r\n'),
  body.map(
    (text) => `POST /a HTTP/1.1\r\ncontent-length: ${Buffer.byteLength(text)}\r\nx-request-id: 1\r\n\r\n${text}`,
  ),
  fc
    .array(
      body.filter((text) => text !== ''),
      { maxLength: 4 },
    )
    .map(
      (chunks) =>
        `POST /b HTTP/1.1\r\ntransfer-encoding: chunked\r\n\r\n${chunks
          .map((text) => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`)
          .join('')}0\r\nt: 1\r\n\r\n`,
    ),
)

function parse(pieces: readonly Buffer[]): HttpRequest[] {
  const parser = createRequestParser()
  return pieces.flatMap((piece) => {
    const requests = []
    parser.feed(piece)
    for (let next = parser.next(); next !== null; next = parser.next())
      requests.push({ ...next, body: Buffer.from(next.body) })
    return requests
  })
}

test('where the bytes of a connection are cut does not change its requests', () => {
  const law = fc.property(
    fc.array(request, { maxLength: 4 }),
    fc.array(fc.nat(), { maxLength: 12 }),
    (requests, cuts) => {
      const bytes = Buffer.from(requests.join(''))
      const whole = parse([bytes])
      expect(whole).toHaveLength(requests.length)
      const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b)
      expect(parse(places.slice(1).map((end, i) => bytes.subarray(places[i], end)))).toEqual(whole)
      expect(parse(Array.from(bytes, (byte) => Buffer.of(byte)))).toEqual(whole)
    },
  )
  fc.assert(law, { seed: 20261129, verbose: 1 })
})
