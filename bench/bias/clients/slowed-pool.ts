import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import type { Plan } from '../../../src/model/plan.ts'
import type { Failure } from '../../../src/model/request.ts'
import type { DeadProcess, LoadPool } from '../../../src/pool/load-pool.ts'
import { hostNow } from '../../../src/worker/clock.ts'
import { type Command, isMessage, type Message, type Segment } from '../../../src/worker/messages.ts'
import type { Slowed } from './slowed-process.ts'

/** Load processes that are kept busy for `workMs` by every token. */
export async function startSlowedPool(plan: Plan, workMs: number): Promise<LoadPool> {
  const pool = new SlowedPool(plan, workMs)
  await pool.ready
  return pool
}

class SlowedPool implements LoadPool {
  readonly size: number
  readonly dead: DeadProcess[] = []
  readonly processes: { readonly worker: number; readonly pid: number }[]
  readonly ready: Promise<void>
  readonly #children: readonly ChildProcess[]
  #onMessage: (message: Message) => void = () => undefined
  #onDeath: (dead: DeadProcess) => void = () => undefined
  #ending = false

  constructor(plan: Plan, workMs: number) {
    this.size = plan.workers
    this.#children = Array.from({ length: plan.workers }, (_, worker) => {
      const slowed: Slowed = { setup: { worker, workers: plan.workers, plan }, workMs }
      const file = new URL('./slowed-process.ts', import.meta.url)
      const child = fork(file, [JSON.stringify(slowed)], { execArgv: [], serialization: 'advanced' })
      child.on('message', (message: unknown) => {
        if (isMessage(message)) this.#onMessage(message)
      })
      child.on('exit', (code, signal) => this.#died(worker, child.pid ?? 0, signal ?? `code ${code}`))
      return child
    })
    this.processes = this.#children.map((child, worker) => ({ worker, pid: child.pid! }))
    this.ready = this.#all((message) => message.kind === 'ready')
  }

  #died(worker: number, pid: number, reason: string): void {
    if (this.#ending) return
    const dead = { worker, pid, reason, diedAt: hostNow() }
    this.dead.push(dead)
    this.#onDeath(dead)
  }

  /** Resolves when every process has sent a message of that kind. */
  #all(is: (message: Message) => boolean): Promise<void> {
    const waiting = new Set(this.processes.map(({ worker }) => worker))
    return new Promise((resolve, reject) => {
      this.#onDeath = ({ worker, reason }) => reject(new Error(`slowed load process ${worker + 1} died: ${reason}`))
      this.#onMessage = (message) => {
        if (is(message)) waiting.delete(message.worker)
        if (waiting.size === 0) resolve()
      }
    })
  }

  async prepare(segment: Segment, connections: number): Promise<Failure | null> {
    let first: Failure | null = null
    const prepared = this.#all((message) => {
      if (message.kind !== 'prepared') return false
      first ??= message.failure
      return true
    })
    this.#broadcast({ kind: 'prepare', segment, connections: Math.ceil(connections / this.size) })
    await prepared
    return first
  }

  async run(segment: Segment, startAt: number, onMessage: (message: Message) => void): Promise<void> {
    const drained = this.#all((message) => {
      onMessage(message)
      return message.kind === 'drained' && message.segment === segment.number
    })
    this.#broadcast({ kind: 'segment', segment, startAt })
    await drained
  }

  stop(): void {
    this.#broadcast({ kind: 'stop' })
  }

  async close(): Promise<void> {
    this.#ending = true
    const ended = this.#children.map((child) => (child.exitCode === null ? once(child, 'exit') : undefined))
    this.#broadcast({ kind: 'end' })
    await Promise.all(ended)
  }

  #broadcast(command: Command): void {
    for (const child of this.#children) if (child.connected) child.send(command)
  }
}
