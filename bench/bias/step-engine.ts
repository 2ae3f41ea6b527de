import { monotonicMs } from '../../src/simulator/clock.ts'
import type { Engine, Generation } from '../../src/simulator/engine.ts'
import type { LedgerBook } from '../../src/simulator/ledger.ts'

/**
 * An engine that does what real ones do: it computes in steps of equal length, each step brings one token for every
 * reply under way, and all of them are written together. (The simulator's own engine gives every reply a schedule of
 * its own.) A request joins at the next step.
 */
export function createStepEngine(stepMs: number, ledger: LedgerBook): Engine {
  const generating = new Set<Generation>()
  let timer: NodeJS.Timeout | undefined
  let due = 0

  function arm(): void {
    timer = generating.size === 0 ? undefined : setTimeout(step, Math.max(0, due - monotonicMs()))
  }

  function step(): void {
    // Timers may fire early.
    if (monotonicMs() >= due) {
      const planned = due
      due += stepMs
      for (const generation of Array.from(generating)) write(generation, planned)
    }
    arm()
  }

  function write(generation: Generation, planned: number): void {
    const { job, parts } = generation
    const now = monotonicMs()
    generation.planned.push(planned)
    generation.actual.push(now)
    ledger.wrote(generation.started!, planned, now, job.waited)
    const part = generation.part++
    if (!job.send(part, parts)) generation.blocked++
    if (part + 1 === parts) end(generation, 'complete')
  }

  function end(generation: Generation, ended: 'complete' | 'disconnected'): void {
    const { job, started, blocked, planned, actual } = generation
    const { requestId: id, arrived, waited, promptTokens, outputTokens } = job
    generating.delete(generation)
    ledger.ended({
      id,
      arrived,
      waited,
      started,
      delayed: waited,
      promptTokens,
      outputTokens,
      planned,
      actual,
      blocked,
      ended,
    })
  }

  return {
    submit(job) {
      const generation: Generation = {
        job,
        pace: (token) => token * stepMs,
        parts: job.stream ? job.outputTokens : 1,
        part: 0,
        started: job.arrived,
        delayed: job.waited,
        inLine: 0,
        blocked: 0,
        planned: [],
        actual: [],
        due: Infinity,
        position: -1,
      }
      generating.add(generation)
      if (timer === undefined) {
        due = Math.ceil(monotonicMs() / stepMs) * stepMs
        arm()
      }
      return generation
    },
    abandon: (generation) => end(generation, 'disconnected'),
    async close() {
      clearTimeout(timer)
    },
  }
}
