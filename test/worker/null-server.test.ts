import { connect } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type NullServer, startNullServer, streamedReply } from '../../src/worker/null-server.ts'

describe('the null server', () => {
  const reply = streamedReply(['{"a":1}', '[DONE]'])
  let server: NullServer
  beforeAll(async () => {
    server = await startNullServer(reply)
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
    ['two requests in one piece', [request + request], 2],
    ['without a body', ['GET / HTTP/1.1\r\n\r\n'], 1],
  ])('answers %s with the whole reply', async (_, pieces, replies) => {
    expect(await exchange(pieces, replies)).toBe(text.repeat(replies))
  })

  test('a reply is one valid chunked response', () => {
    expect(text).toBe(
      'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n' +
        'f\r\ndata: {"a":1}\n\n\r\ne\r\ndata: [DONE]\n\n\r\n0\r\n\r\n',
    )
  })
})
