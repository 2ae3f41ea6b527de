import { fork } from 'node:child_process'
import { once } from 'node:events'

/** A program of this bench in a process of its own. It does one order after the other. */
export interface BenchProcess {
  readonly pid: number
  /** @throws {Error} when the process ends before it has answered */
  ask<Order, Answer>(order: Order): Promise<Answer>
  close(): Promise<void>
}

/** Starts a program that says something when it is ready, and then answers every order (see `answerOrders`). */
export async function startBenchProcess(file: URL): Promise<BenchProcess> {
  const child = fork(file, [], { execArgv: [], serialization: 'advanced' })
  const ended = once(child, 'exit')
  const dead = ended.then(([code, signal]) => {
    throw new Error(`${file.pathname.split('/').at(-1)} ended (${String(signal ?? `code ${code}`)})`)
  })
  // Whoever waits for an answer hears of it; without one there is nobody to tell.
  dead.catch(() => undefined)
  const answer = async () => {
    const [message] = (await Promise.race([once(child, 'message'), dead])) as [unknown]
    return message
  }
  await answer()
  return {
    pid: child.pid!,
    async ask<Order, Answer>(order: Order) {
      child.send(order as object)
      return (await answer()) as Answer
    },
    async close() {
      if (child.connected) child.disconnect()
      await ended
    },
  }
}

/** The other side: says that it is ready, then answers each order in turn; ends with its parent. */
export function answerOrders<Order, Answer>(answer: (order: Order) => Promise<Answer>): void {
  process.once('disconnect', () => process.exit(0))
  // What it rejects with ends the process, and the parent tells of it.
  process.on('message', (order: Order) => void answer(order).then((answered) => process.send!(answered)))
  process.send!('ready')
}
