import { openCanary } from './canary.ts'
import { hostNow } from './clock.ts'
import { GcWatch } from './gc-watch.ts'
import { warmJit } from './jit.ts'
import { LoadProcess } from './load-process.ts'
import { LoopLateness } from './loop-lateness.ts'
import type { Command, Setup } from './messages.ts'
import { startMetronome } from './metronome.ts'

/** Longest time for compiling the hot path before a run, ms, and what one coming request is worth of it. */
const JIT_BUDGET_MS = 400
const JIT_EACH_MS = 2

// A load process whose parent died must not go on firing at the target.
process.once('disconnect', () => process.exit(1))

/**
 * The load process, as the pool's task: prepares, says `ready`, then does what it is told until `end`.
 * All state is the task's own; the parent hears of failures by the task's rejection.
 */
export default async function loadProcess(setup: Setup): Promise<void> {
  const metronome = await startMetronome()
  const lateness = new LoopLateness(hostNow)
  const connect = (port: number) => metronome.sendCanaries(port)
  const canary = await openCanary(connect, hostNow, (written, at) => lateness.canary(written, at))
  await warmJit(setup.plan, jitBudgetMs(setup), lateness)
  const instruments = { now: hostNow, lateness, gc: new GcWatch() }
  const load = new LoadProcess(setup, metronome, instruments, (message) => process.send!(message))
  await new Promise<void>((resolve, reject) => {
    const obey = (command: unknown) => {
      if (!isCommand(command)) return
      if (command.kind === 'prepare') load.prepare(command.segment, command.connections).catch(reject)
      else if (command.kind === 'segment') load.run(command.segment, command.startAt).catch(reject)
      else if (command.kind === 'stop') load.stop()
      else {
        process.off('message', obey)
        resolve()
      }
    }
    process.on('message', obey)
    load.post({ kind: 'ready', pid: process.pid })
  })
  await load.close()
  // After the thread that writes to it.
  canary.close()
}

/** A process that will send three requests need not compile anything for them. */
function jitBudgetMs({ plan, workers }: Setup): number {
  const coming = plan.load.steps.reduce((sum, step) => sum + (step.requests ?? Number.POSITIVE_INFINITY), 0)
  return Math.min(JIT_BUDGET_MS, (coming / workers) * JIT_EACH_MS)
}

const KINDS: ReadonlySet<string> = new Set<Command['kind']>(['prepare', 'segment', 'stop', 'end'])

/** The process pool's own messages come over the same channel. */
function isCommand(value: unknown): value is Command {
  return typeof value === 'object' && value !== null && 'kind' in value && KINDS.has(String(value.kind))
}
