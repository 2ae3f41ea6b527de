import { startSimulator } from '../../src/simulator/launch.ts'
import type { Punctuality } from '../../src/simulator/ledger.ts'
import { startBenchProcess } from './bench-process.ts'
import { type Served, servedBetween } from './served.ts'

/** A server in a process of its own that keeps a ledger of what it did. */
export interface BenchServer {
  /** Base URL of its API. */
  readonly url: string
  /** Its ledger of the requests that arrived between two instants (host clock, ms). Not while it is measured. */
  served(fromMs: number, toMs: number): Promise<Served>
  writesBetween(fromMs: number, toMs: number): Promise<Punctuality>
  close(): Promise<void>
}

/** Length of a step of the server that writes in batches, ms. */
export const STEP_MS = 20

export interface StepServerOrder {
  readonly fromMs: number
  readonly toMs: number
}

export interface StepServerAnswer {
  readonly port: number
  readonly served: Served
  readonly writes: Punctuality
}

/** The embedded server without delays: every reply at once, in one write. The ledger keeps so many requests. */
export async function startInstantServer(ledger: number): Promise<BenchServer> {
  const simulator = await startSimulator({ ledger })
  return {
    url: simulator.url,
    served: async (fromMs, toMs) => servedBetween((await simulator.ledger()).requests, fromMs, toMs),
    writesBetween: (fromMs, toMs) => simulator.writesBetween(fromMs, toMs),
    close: () => simulator.close(),
  }
}

/** The embedded server with another engine: all replies under way get a token every 20 ms, written together. */
export async function startStepServer(): Promise<BenchServer> {
  const process = await startBenchProcess(new URL('./step-server-process.ts', import.meta.url))
  const ask = (fromMs: number, toMs: number) => process.ask<StepServerOrder, StepServerAnswer>({ fromMs, toMs })
  const { port } = await ask(0, 0)
  return {
    url: `http://127.0.0.1:${port}/v1`,
    served: async (fromMs, toMs) => (await ask(fromMs, toMs)).served,
    writesBetween: async (fromMs, toMs) => (await ask(fromMs, toMs)).writes,
    close: () => process.close(),
  }
}
