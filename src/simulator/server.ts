import { once } from 'node:events'
import { createServer } from 'node:net'
import type { AddressInfo, Socket } from 'node:net'
import { monotonicMs } from './clock.ts'
import { serveConnection } from './connection.ts'
import type { Service } from './connection.ts'
import { createEngine } from './engine.ts'
import { createLedger } from './ledger.ts'
import type { LedgerBook } from './ledger.ts'
import type { SimulatorOptions } from './options.ts'
import { createReplies } from './replies.ts'
import { createTurnClock } from './turn-clock.ts'

/** Connections that may wait to be accepted; the kernel lowers it to its own limit. */
const BACKLOG = 8192

/** A server that listens. */
export interface SimulatorServer {
  readonly port: number
  readonly ledger: LedgerBook
  /** Stops listening and cuts all connections. */
  close(): Promise<void>
}

/**
 * Starts the server in this process; `startSimulator` gives it one of its own.
 *
 * @throws {Error} what `listen` fails with, for example EADDRINUSE
 */
export async function startServer(options: SimulatorOptions): Promise<SimulatorServer> {
  const ledger = createLedger(options.ledger)
  const engine = await createEngine(options, ledger)
  const clock = createTurnClock(monotonicMs)
  const service: Service = {
    engine,
    replies: createReplies(Math.floor(Date.now() / 1000)),
    ledger,
    model: options.model,
    clock,
  }
  const sockets = new Set<Socket>()
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    serveConnection(socket, service)
  })
  server.listen({ host: options.host, port: options.port, backlog: BACKLOG })
  try {
    await once(server, 'listening')
  } catch (error) {
    clock.close()
    await engine.close()
    throw error
  }
  // Out of descriptors, a connection is refused, and the next one may succeed.
  server.on('error', (error) => console.error('The simulator could not accept a connection:', error.message))

  return {
    port: (server.address() as AddressInfo).port,
    ledger,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
      clock.close()
      await engine.close()
    },
  }
}
