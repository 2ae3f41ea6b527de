import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { WireFormat } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'
import {
  type NullServer,
  replyByToken,
  startNullServer,
  streamedReply,
  type Writing,
} from '../../src/worker/null-server.ts'

/** A format of which only the sample is asked for. */
const format: WireFormat = {
  ...wireFormat('openai-chat'),
  sample: (tokens) => ({ before: ['r'], token: 't', after: ['e', `${tokens}`] }),
}
const reply = streamedReply(format, 1)

describe.each<[string, Writing]>([
  ['by turns', 'by turns'],
  ['whole', 'whole'],
  ['with a gap between pieces', { gapMs: 2 }],
])('the null server that writes %s', (_, writing) => {
  let server: NullServer
  beforeAll(async () => {
    server = await startNullServer(reply, writing)
  })
  afterAll(() => server.close())

  /** Sends these pieces on one connection and reads this many replies. */
  async function exchange(pieces: string[], replies: number): Promise<string> {
    const socket = connect(server.port, '127.0.0.1')
    let got = ''
    socket.setEncoding('utf8')
    for (const piece of pieces) socket.write(piece)
    while (got.split('0\r\n\r\n').length <= replies) {
      const [text] = (await once(socket, 'data')) as [string]
      got += text
    }
    socket.destroy()
    return got
  }

  const request = 'POST / HTTP/1.1\r\ncontent-length: 5\r\n\r\nhello'
  const text = Buffer.concat(reply).toString()

  test.each([
    ['one request', [request], 1],
    ['a request in two pieces', [request.slice(0, 20), request.slice(20)], 1],
    ['without a body', ['GET / HTTP/1.1\r\n\r\n'], 1],
  ])('answers %s with the whole reply', async (_, pieces, replies) => {
    expect(await exchange(pieces, replies)).toBe(text.repeat(replies))
  })

  test('answers many connections at once, each with its own reply', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, () => exchange([request], 1)))
    expect(replies).toEqual(Array<string>(30).fill(text))
  })

  test('serves on where a connection went away in the middle of its reply', async () => {
    const leaving = connect(server.port, '127.0.0.1', () => leaving.write(request))
    await once(leaving, 'data')
    leaving.destroy()
    expect(await exchange([request], 1)).toBe(text)
  })
})

test('two requests in one piece get two replies', async () => {
  const server = await startNullServer(reply, 'whole')
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\n\r\nGET / HTTP/1.1\r\n\r\n')
  const whole = Buffer.concat(reply)
  let bytes = 0
  while (bytes < 2 * whole.length) bytes += ((await once(socket, 'data')) as [Buffer])[0].length
  expect(bytes).toBe(2 * whole.length)
  socket.destroy()
  await server.close()
})

test('a gap is between pieces: the first comes alone', async () => {
  // So long that it would be over long before the second is due, however busy the machine.
  const server = await startNullServer(reply, { gapMs: 60_000 })
  const socket = connect(server.port, '127.0.0.1')
  socket.write('GET / HTTP/1.1\r\n\r\n')
  const [first] = (await once(socket, 'data')) as [Buffer]
  expect(first.toString()).toBe(reply[0]!.toString())
  socket.destroy()
  await server.close()
})

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n'

test('a reply is one valid chunked response', () => {
  const chunks = '1\r\nr\r\n1\r\nt\r\n1\r\ne\r\n1\r\n1\r\n0\r\n\r\n'
  expect(Buffer.concat(reply).toString()).toBe(HEAD + chunks)
})

test('a format of lines says so', () => {
  const [head] = streamedReply({ ...format, framing: 'ndjson' }, 1)
  expect(head!.toString()).toContain('content-type: application/x-ndjson\r\n')
})

test.each([1, 2, 4])('%i tokens are as many pieces, and together the whole reply', (tokens) => {
  const pieces = replyByToken(format, tokens)
  expect(pieces).toHaveLength(tokens)
  expect(Buffer.concat(pieces).toString()).toBe(Buffer.concat(streamedReply(format, tokens)).toString())
  expect(pieces.map((piece) => piece.toString().split('t\r\n').length - 1)).toEqual(
    // The head of a response has that text in it, too.
    pieces.map(() => 1),
  )
})
