/** A server whose engine works in steps, as a process of its own. Its orders and answers: see `bench-server.ts`. */
import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { monotonicMs } from '../../src/simulator/clock.ts'
import { serveConnection } from '../../src/simulator/connection.ts'
import { createLedger } from '../../src/simulator/ledger.ts'
import { createReplies } from '../../src/simulator/replies.ts'
import { createTurnClock } from '../../src/simulator/turn-clock.ts'
import { answerOrders } from './bench-process.ts'
import { STEP_MS, type StepServerAnswer, type StepServerOrder } from './bench-server.ts'
import { servedBetween } from './served.ts'
import { createStepEngine } from './step-engine.ts'

const LEDGER = 10_000

const ledger = createLedger(LEDGER)
const service = {
  engine: createStepEngine(STEP_MS, ledger),
  replies: createReplies(0),
  ledger,
  model: 'sample',
  clock: { ...createTurnClock(monotonicMs), arrival: monotonicMs },
}
const server = createServer({ noDelay: true }, (socket) => serveConnection(socket, service))
server.listen({ host: '127.0.0.1', port: 0, backlog: 8192 })
await once(server, 'listening')
const { port } = server.address() as AddressInfo

answerOrders(async (order: StepServerOrder): Promise<StepServerAnswer> => {
  const { fromMs, toMs } = order
  const { requests } = ledger.snapshot()
  return { port, served: servedBetween(requests, fromMs, toMs), writes: ledger.writesBetween(fromMs, toMs) }
})
