import { Tinypool } from 'tinypool'
import { LoadError } from '../model/errors.ts'
import type { Plan } from '../model/plan.ts'
import type { Failure } from '../model/request.ts'
import { hostNow } from '../worker/clock.ts'
import { type Command, isMessage, type Message, type Segment, type Setup } from '../worker/messages.ts'
import { type DeadProcess, describeDead, type LoadPool } from './load-pool.ts'

/** Longest wait until the load processes are ready, ms, and what each further process may add. */
const READY_MS = 20_000
const READY_EACH_MS = 1000
/** Silence after which a running load process counts as dead, ms: it reports every second. */
const SILENT_MS = 15_000
/** Longest wait for processes that were told to stop, ms: a dead process must end the run within 2 s. */
const STOP_MS = 1000
/** Time that a process gets to end by itself, ms. */
const END_MS = 500

/** Load processes on this host, from a tinypool of child processes. */
export async function startProcessPool(plan: Plan, signal: AbortSignal): Promise<LoadPool> {
  const pool = new ProcessPool(plan)
  try {
    await pool.ready(signal)
    return pool
  } catch (error) {
    await pool.close()
    throw error
  }
}

interface Member {
  readonly worker: number
  pid: number
  send: (command: Command) => void
  alive: boolean
  /** Instant of its last message, ms. */
  heard: number
  /** Highest number seen: a message that comes again is dropped. */
  sequence: number
}

class ProcessPool implements LoadPool {
  readonly size: number
  readonly dead: DeadProcess[] = []
  readonly #tinypool: Tinypool
  readonly #members: Member[] = []
  readonly #tasks: Promise<void>[] = []
  /** Longest silence before a segment, ms: a server that accepts no connection is no load process that died. */
  readonly #prepareMs: number
  #ending = false
  #onMessage: (message: Message) => void = () => undefined
  #onDeath: (dead: DeadProcess) => void = () => undefined

  constructor(plan: Plan) {
    this.size = plan.workers
    this.#prepareMs = READY_MS + plan.timeouts.connectMs
    const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
    const filename = new URL(`../worker/entry.${extension}`, import.meta.url).href
    this.#tinypool = new Tinypool({
      runtime: 'child_process',
      minThreads: plan.workers,
      maxThreads: plan.workers,
      concurrentTasksPerWorker: 1,
      // Vitest's own flags and an empty environment would be handed on otherwise; JSON would cost the loop 50 ms.
      execArgv: [],
      env: environment(),
      serialization: 'advanced',
    })
    // Without a listener it would end this process; the task that it belongs to rejects as well.
    this.#tinypool.on('error', (error: unknown) => process.emitWarning(`a load process failed: ${String(error)}`))
    for (let worker = 0; worker < plan.workers; worker++)
      this.#tasks.push(this.#spawn({ worker, workers: plan.workers, plan }, filename))
  }

  get processes(): readonly Pick<Member, 'worker' | 'pid'>[] {
    return this.#members
  }

  async #spawn(setup: Setup, filename: string): Promise<void> {
    const member: Member = { worker: setup.worker, pid: 0, send: () => undefined, alive: true, heard: 0, sequence: -1 }
    this.#members.push(member)
    try {
      await this.#tinypool.run(setup, {
        // Given here and not to the pool: a file that fails to load is then a rejection, not an uncaught error.
        filename,
        channel: {
          onMessage: (send) => {
            member.send = send
          },
          postMessage: (message: unknown) => {
            if (!isMessage(message) || message.sequence <= member.sequence) return
            member.sequence = message.sequence
            member.heard = hostNow()
            if (message.kind === 'ready') member.pid = message.pid
            this.#onMessage(message)
          },
        },
      })
      member.alive = false
    } catch (error) {
      if (this.#ending) member.alive = false
      else this.#bury(member, isErrorLike(error) ? error.message : String(error))
    }
  }

  /** Resolves when every process has said that it is ready. */
  async ready(signal: AbortSignal): Promise<void> {
    const waiting = this.#alive()
    await this.#until(waiting, READY_MS + READY_EACH_MS * this.size, signal, (message) => {
      if (message.kind === 'ready') waiting.delete(message.worker)
    })
    if (this.dead.length > 0) throw new LoadError(`${describeDead(this.dead[0]!)}, before the load began`)
  }

  async prepare(segment: Segment, connections: number): Promise<Failure | null> {
    const waiting = this.#alive()
    let first: Failure | null = null
    for (const member of this.#members) {
      // Dealt like the schedule: the first processes take what does not divide.
      const share = Math.floor(connections / this.size) + (member.worker < connections % this.size ? 1 : 0)
      if (member.alive) member.send({ kind: 'prepare', segment, connections: share })
    }
    await this.#until(waiting, this.#prepareMs, null, (message) => {
      if (message.kind !== 'prepared') return
      waiting.delete(message.worker)
      first ??= message.failure
    })
    return first
  }

  async run(segment: Segment, startAt: number, onMessage: (message: Message) => void): Promise<void> {
    const waiting = this.#alive()
    const listen = (message: Message) => {
      onMessage(message)
      if (message.kind === 'drained' && message.segment === segment.number) waiting.delete(message.worker)
    }
    // One that died between two segments ends the run as well.
    if (this.dead.length > 0) return
    for (const member of this.#members) if (member.alive) member.send({ kind: 'segment', segment, startAt })
    await this.#until(waiting, SILENT_MS, null, listen)
    if (this.dead.length === 0) return
    // One died: the step's figures are lost, so the others only hand over what they have.
    this.stop()
    await this.#until(waiting, STOP_MS, null, listen)
  }

  #alive(): Set<number> {
    return new Set(this.#members.filter((member) => member.alive).map((member) => member.worker))
  }

  /**
   * Hands every message on until `waiting` is empty. Ends too when a process dies, and rejects when the signal
   * aborts. A waited-for process that says nothing for `silentMs` counts as dead: load processes report every second.
   * Where one is dead already that ends the run, and another that is silent is only waited for no longer.
   */
  #until(
    waiting: Set<number>,
    silentMs: number,
    signal: AbortSignal | null,
    onMessage: (message: Message) => void,
  ): Promise<void> {
    const start = hostNow()
    return new Promise((resolve, reject) => {
      const settle = (act: () => void) => {
        clearInterval(watch)
        signal?.removeEventListener('abort', onAbort)
        this.#onMessage = () => undefined
        this.#onDeath = () => undefined
        act()
      }
      const onAbort = () => settle(() => reject(abortReason(signal!)))
      const watch = setInterval(() => {
        const limit = hostNow() - silentMs
        for (const member of this.#members) {
          if (!waiting.has(member.worker) || Math.max(start, member.heard) >= limit) continue
          if (this.dead.length === 0) this.#bury(member, `no sign of life for ${silentMs / 1000} s`)
          else waiting.delete(member.worker)
        }
        if (waiting.size === 0) settle(resolve)
      }, silentMs / 20)
      this.#onDeath = (dead) => {
        waiting.delete(dead.worker)
        settle(resolve)
      }
      this.#onMessage = (message) => {
        onMessage(message)
        if (waiting.size === 0) settle(resolve)
      }
      signal?.addEventListener('abort', onAbort)
      if (signal?.aborted) onAbort()
      else if (waiting.size === 0) settle(resolve)
    })
  }

  #bury(member: Member, reason: string): void {
    if (!member.alive) return
    member.alive = false
    const dead = { worker: member.worker, pid: member.pid, reason, diedAt: hostNow() }
    this.dead.push(dead)
    this.#onDeath(dead)
  }

  stop(): void {
    this.#broadcast({ kind: 'stop' })
  }

  async close(): Promise<void> {
    this.#ending = true
    this.#broadcast({ kind: 'end' })
    const ended = Promise.allSettled(this.#tasks)
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, END_MS).unref())])
    await this.#tinypool.destroy()
  }

  #broadcast(command: Command): void {
    for (const member of this.#members) if (member.alive) member.send(command)
  }
}

function environment(): Record<string, string> {
  const env: Record<string, string> = {}
  for (const [name, value] of Object.entries(process.env)) if (value !== undefined) env[name] = value
  return env
}

/** Errors of a task come over the process border as plain objects. */
function isErrorLike(value: unknown): value is { message: string } {
  return typeof value === 'object' && value !== null && 'message' in value && typeof value.message === 'string'
}

function abortReason(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new LoadError(String(signal.reason))
}
