import { once } from 'node:events'
import { expect, test } from 'vitest'
import { chatReply, scriptedServer } from './scripted-server.ts'
import type { Turn } from './scripted-server.ts'
import { testClient } from './test-client.ts'

const answer = ({ socket }: Turn) => void socket.write(chatReply(1))

test('one connection serves one request after the other', async () => {
  await using server = await scriptedServer({ onRequest: answer })
  await using under = testClient(server.url)
  for (let count = 0; count < 10; count++) expect((await under.one()).failure).toBeNull()
  expect(server.sockets).toHaveLength(1)
  expect(under.client.connections).toBe(1)
})

test('requests in flight at the same time have a connection each, and the last used is used next', async () => {
  const held: Turn[] = []
  await using server = await scriptedServer({
    onRequest: (turn) => {
      if (turn.request >= 3) return answer(turn)
      held.push(turn)
      if (held.length === 3) answer(held[1]!)
    },
  })
  await using under = testClient(server.url)
  for (let index = 0; index < 3; index++) under.client.send(0, index, index, 0)
  await under.ended(1)
  answer(held[0]!)
  await under.ended(2)
  under.client.send(0, 3, 3, 0)
  await under.ended(3)
  expect(server.turns[3]!.connection).toBe(held[0]!.connection)
  answer(held[2]!)
  await under.ended(4)
  expect(server.sockets).toHaveLength(3)
})

test('open makes up the number that is missing, and requests use what it opened', async () => {
  await using server = await scriptedServer({ onRequest: answer })
  await using under = testClient(server.url)
  expect(await under.client.open(3)).toEqual({ opened: 3, failure: null })
  expect(await under.client.open(100)).toEqual({ opened: 97, failure: null })
  expect(await under.client.open(50)).toEqual({ opened: 0, failure: null })
  expect(under.client.connections).toBe(100)
  for (let index = 0; index < 100; index++) under.client.send(0, index, index, 0)
  const traces = await under.ended(100)
  expect(traces.filter(({ failure }) => failure !== null)).toEqual([])
  expect(server.sockets).toHaveLength(100)
})

test('open gives up at the first failure', async () => {
  const server = await scriptedServer({})
  await server[Symbol.asyncDispose]()
  await using under = testClient(server.url)
  expect(await under.client.open(1000)).toEqual({
    opened: 0,
    failure: { kind: 'refused', message: expect.stringContaining('ECONNREFUSED') },
  })
})

test('closing ends an open that is under way', async () => {
  // Plain TCP behind https: the handshake is never answered.
  await using server = await scriptedServer({ onConnection: () => void under.client.close() })
  const under = testClient(`https://127.0.0.1:${server.port}/`)
  expect((await under.client.open(1)).failure?.kind).toBe('aborted')
})

test('a connection that the server closes while idle is dropped silently', async () => {
  await using server = await scriptedServer({ onRequest: answer })
  await using under = testClient(server.url)
  await under.client.open(2)
  expect((await under.one()).failure).toBeNull()
  // One has served a request, the other has been opened ahead only.
  for (const socket of server.sockets) socket.end()
  await expect.poll(() => under.client.connections).toBe(0)
  expect((await under.one()).failure).toBeNull()
  expect(server.sockets).toHaveLength(3)
})

test.each([
  ['says so', chatReply(1).replace('\r\n', '\r\nconnection: close\r\n')],
  ['does not say so', chatReply(1)],
])('a server that closes after each reply and %s costs a connection each, no failure', async (_what, reply) => {
  await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.end(reply) })
  await using under = testClient(server.url)
  for (let count = 1; count <= 3; count++) {
    expect((await under.one()).failure).toBeNull()
    await once(server.sockets[count - 1]!, 'close')
    await expect.poll(() => under.client.connections).toBe(0)
  }
  expect(server.sockets).toHaveLength(3)
})

test('a closed loop on a server that closes after each reply opens the next connection, and counts the time', async () => {
  let clock = 0
  await using server = await scriptedServer({
    onConnection: () => (clock += 10),
    onRequest: ({ socket }) => void socket.end(chatReply(1).replace('\r\n', '\r\nconnection: close\r\n')),
  })
  await using under = testClient(server.url, {
    now: () => clock,
    onEnd: (trace, client) => {
      if (trace.index < 3) client.send(0, trace.index + 1, 0, clock)
    },
  })
  under.client.send(0, 0, 0, 0)
  const traces = await under.ended(4)
  expect(traces.map(({ failure, sent, firstToken }) => [failure, sent, firstToken])).toEqual([
    [null, 0, 10],
    [null, 10, 20],
    [null, 20, 30],
    [null, 30, 40],
  ])
})

test('a request that meets the server’s close on its way is a reset, and is not sent again', async () => {
  await using server = await scriptedServer({
    onRequest: (turn) => {
      if (turn.request === 0) answer(turn)
      else turn.socket.resetAndDestroy()
    },
  })
  await using under = testClient(server.url)
  await under.one()
  const { failure } = await under.one()
  expect(failure).toMatchObject({ kind: 'reset', message: expect.stringContaining('before any byte of a reply') })
  expect(server.turns).toHaveLength(2)
})

test('a failed reply that is whole leaves its connection in use', async () => {
  const refusal = 'HTTP/1.1 429 Too Many Requests\r\ncontent-length: 4\r\n\r\nbusy'
  await using server = await scriptedServer({ onRequest: ({ socket }) => void socket.write(refusal) })
  await using under = testClient(server.url)
  expect((await under.one()).failure?.kind).toBe('http')
  expect((await under.one()).failure?.kind).toBe('http')
  expect(server.sockets).toHaveLength(1)
})
