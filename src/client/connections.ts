import type { Failure } from '../model/request.ts'
import { Connection } from './connection.ts'
import type { Wire } from './wire.ts'

/** Connections that are being opened ahead at one time: servers accept bursts up to the length of their backlog. */
const LANES = 64

/**
 * All connections of a client. Idle ones wait on a stack: the last used is used next, the others may grow cold.
 * A request that finds none idle gets a new one; nothing queues inside the client.
 */
export class Connections {
  readonly #wire: Wire
  readonly #all = new Set<Connection>()
  readonly #idle: Connection[] = []
  /** Open sockets. */
  open = 0
  #closing: PromiseWithResolvers<void> | null = null

  constructor(wire: Wire) {
    this.#wire = wire
  }

  /** An idle connection, or a new one that will open its socket when it sends. */
  take(): Connection {
    for (;;) {
      const connection = this.#idle.pop()
      if (connection === undefined) return this.#create()
      if (connection.usable) return connection
    }
  }

  release(connection: Connection): void {
    this.#idle.push(connection)
  }

  /** A connection that carries nothing any more. Its socket is closed, or about to be. */
  drop(connection: Connection): void {
    this.#all.delete(connection)
    const place = this.#idle.indexOf(connection)
    if (place >= 0) this.#idle.splice(place, 1)
  }

  opened(): void {
    this.open++
  }

  /** A socket has closed. An idle connection goes with it silently; a busy one learns of it through undici. */
  closed(connection: Connection): void {
    this.open--
    if (!connection.busy) this.drop(connection)
    if (this.open === 0) this.#closing?.resolve()
  }

  /** Opens connections until `count` are open; gives up at the first failure. */
  async openAhead(count: number): Promise<{ opened: number; failure: Failure | null }> {
    let opened = 0
    let failure: Failure | null = null
    let missing = count - this.open
    const lane = async () => {
      while (missing > 0 && failure === null) {
        missing--
        const connection = this.#create()
        const refusal = await connection.open()
        if (refusal === null) {
          opened++
          this.release(connection)
        } else {
          failure ??= refusal
          this.drop(connection)
        }
      }
    }
    await Promise.all(Array.from({ length: Math.min(LANES, Math.max(0, missing)) }, lane))
    return { opened, failure }
  }

  /** Closes all; resolves when the last socket is closed. */
  async close(): Promise<void> {
    this.#closing ??= Promise.withResolvers()
    for (const connection of this.#all) connection.destroy()
    if (this.open > 0) await this.#closing.promise
  }

  #create(): Connection {
    const connection = new Connection(this.#wire)
    this.#all.add(connection)
    return connection
  }
}
