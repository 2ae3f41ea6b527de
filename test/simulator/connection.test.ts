import { once } from 'node:events'
import { connect, createServer } from 'node:net'
import type { AddressInfo, Server, Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { serveConnection } from '../../src/simulator/connection.ts'
import type { Generation, Job } from '../../src/simulator/engine.ts'
import { createLedger } from '../../src/simulator/ledger.ts'
import { createReplies } from '../../src/simulator/replies.ts'

/** A server whose engine only takes notes, and whose clock says what the test has set. */
let server: Server
let client: Socket
/** How long what is read now has lain unread; the same of connections in the backlog. */
let unread: number
let backlogUnread: number
let overs: (() => void)[]
let jobs: Job[]
let abandoned: (number | undefined)[]
let submitted: () => void
let left: () => void

beforeEach(async () => {
  unread = backlogUnread = 0
  overs = []
  jobs = []
  abandoned = []
  submitted = left = () => undefined
  const service = {
    engine: {
      submit(job: Job): Generation {
        jobs.push(job)
        submitted()
        const none = { parts: 1, part: 0, started: null, delayed: 0, inLine: 0, blocked: 0, due: 0, position: -1 }
        return { job, pace: () => 0, planned: [], actual: [], ...none }
      },
      abandon(_: Generation, waited?: number) {
        abandoned.push(waited)
        left()
      },
      close: () => Promise.resolve(),
    },
    replies: createReplies(0),
    ledger: createLedger(0),
    model: 'simulator',
    clock: {
      arrival: () => 1000,
      waited: () => unread,
      waitedInBacklog(over: () => void) {
        overs.push(over)
        return backlogUnread
      },
      close: () => undefined,
    },
  }
  server = createServer((socket) => serveConnection(socket, service)).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterEach(() => {
  client.destroy()
  server.close()
})

async function open(): Promise<void> {
  const accepted = once(server, 'connection')
  client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.setNoDelay(true)
  await accepted
}

const BODY = JSON.stringify({ prompt: 'a', max_tokens: 1 })
const REQUEST = `POST /v1/completions HTTP/1.1\r\ncontent-length: ${BODY.length}\r\n\r\n${BODY}`

/** Sends bytes that complete a request. */
async function send(bytes: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  submitted = resolve
  client.write(bytes)
  await promise
}

/** Sends a request without its body: the server has read that when it asks for the rest. */
async function sendHead(): Promise<void> {
  const read = once(client, 'data')
  client.write(`POST /v1/completions HTTP/1.1\r\nexpect: 100-continue\r\ncontent-length: ${BODY.length}\r\n\r\n`)
  await read
}

/** Answers. No test may leave a reply open: the end of its connection would be taken for one of the next test. */
async function finish(job: Job): Promise<void> {
  job.send(0, 1)
  await once(client, 'data')
}

describe('how long a request lay unread', () => {
  test('is what the clock says when it is read', async () => {
    await open()
    for (unread of [0, 70, 0]) {
      await send(REQUEST)
      await finish(jobs.at(-1)!)
    }
    expect(jobs.map(({ arrived, waited }) => [arrived, waited])).toEqual([
      [1000, 0],
      [1000, 70],
      [1000, 0],
    ])
  })

  test('is the longest wait of its pieces', async () => {
    await open()
    unread = 70
    await sendHead()
    unread = 0
    await send(BODY)
    await finish(jobs[0]!)
    expect(jobs.map(({ waited }) => waited)).toEqual([70])
  })

  test('of a request behind another is what the clock says when that one is answered', async () => {
    await open()
    await send(REQUEST + REQUEST)
    unread = 90
    await finish(jobs[0]!)
    unread = 0
    await finish(jobs[1]!)
    await send(REQUEST)
    await finish(jobs[2]!)
    expect(jobs.map(({ waited }) => waited)).toEqual([0, 90, 0])
  })

  test('counts from the backlog for what the connection brought along', async () => {
    backlogUnread = 80
    await open()
    await sendHead()
    overs[0]!()
    await send(BODY)
    await finish(jobs[0]!)
    await send(REQUEST)
    await finish(jobs[1]!)
    expect(jobs.map(({ waited }) => waited)).toEqual([80, 0])
  })

  test('does not for what it brought later', async () => {
    backlogUnread = 80
    await open()
    overs[0]!()
    await send(REQUEST)
    await finish(jobs[0]!)
    expect(jobs.map(({ waited }) => waited)).toEqual([0])
  })
})

test.each([
  ['ends', () => client.end()],
  ['is reset', () => client.resetAndDestroy()],
])('a connection that %s gives up its reply, with the wait of the news', async (_, go) => {
  await open()
  await send(REQUEST)
  unread = 60
  const { promise, resolve } = Promise.withResolvers<void>()
  left = resolve
  go()
  await promise
  expect(abandoned).toEqual([60])
})
