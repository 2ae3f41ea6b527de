import { simulatorOptions } from './options.ts'
import type { SimulatorOptions } from './options.ts'
import type { Notice, Order } from './messages.ts'
import { startServer } from './server.ts'
import type { SimulatorServer } from './server.ts'

/**
 * The simulator's program: `entry.ts '{"ttftMs":20}'`. Forked, it talks to its parent over IPC and ends with it;
 * started by hand, it prints its notices as JSON lines. SIGTERM and SIGINT end it.
 */
let server: SimulatorServer | null = null

async function main(): Promise<void> {
  process.title = 'vitest-slo simulator'
  process.once('disconnect', () => process.exit(0))
  process.once('SIGTERM', stop)
  process.once('SIGINT', stop)
  process.on('message', obey)
  try {
    const options = simulatorOptions(JSON.parse(process.argv[2] ?? '{}') as Partial<SimulatorOptions>)
    server = await startServer(options).catch((error: unknown) => {
      throw new Error(whyNot(error, options), { cause: error })
    })
    await tell({ kind: 'ready', port: server.port, pid: process.pid })
  } catch (error) {
    await tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error) })
    process.exit(1)
  }
}

function stop(): void {
  if (server === null) process.exit(0)
  void server.close().finally(() => process.exit(0))
}

function obey(order: Order): void {
  if (order.kind === 'close') stop()
  else if (server === null) return
  else if (order.kind === 'ledger') void tell({ kind: 'ledger', id: order.id, ledger: server.ledger.snapshot() })
  else {
    const writes = server.ledger.writesBetween(order.fromMs, order.toMs)
    void tell({ kind: 'writes', id: order.id, writes })
  }
}

/** Resolves when the notice is on its way, or cannot be: then the parent is gone, and 'disconnect' ends this process. */
function tell(notice: Notice): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  if (process.send) process.send(notice, undefined, undefined, () => resolve())
  else process.stdout.write(`${JSON.stringify(notice)}\n`, () => resolve())
  return promise
}

function whyNot(error: unknown, { host, port }: SimulatorOptions): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  if (code === 'EADDRINUSE') return `port ${port} on ${host} is in use by another process`
  if (code === 'EACCES') return `port ${port} on ${host} needs privileges that this process has not`
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') return `${host} is no address of this machine`
  return error instanceof Error ? error.message : String(error)
}

await main()
