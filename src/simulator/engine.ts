import { createAlarm, EARLY_MS } from './alarm.ts'
import { monotonicMs } from './clock.ts'
import { createDeadlines } from './deadlines.ts'
import type { Deadline } from './deadlines.ts'
import type { LedgerBook } from './ledger.ts'
import type { SimulatorOptions } from './options.ts'
import { paceOf } from './pace.ts'
import type { Pace } from './pace.ts'
import { createSlots } from './slots.ts'

/** A reply to be generated. */
export interface Job {
  readonly requestId: string | null
  /** Instant at which the request was there, ms. */
  readonly arrived: number
  readonly promptTokens: number
  readonly outputTokens: number
  /** A stream is sent token by token, anything else when its last token is due. */
  readonly stream: boolean
  /** Sends part `part` of `parts`; false when the socket's buffer is full. */
  send(part: number, parts: number): boolean
}

/** A job on its way: in line, or generating. */
export interface Generation extends Deadline {
  readonly job: Job
  readonly pace: Pace
  /** Number of writes. */
  readonly parts: number
  /** The next of them. */
  part: number
  started: number | null
  blocked: number
  readonly planned: number[]
  readonly actual: number[]
}

/**
 * What stands for the model: a fixed number of slots with a line before them, and a schedule per reply.
 *
 * A reply that got its slot at t0 has token k due at t0 + ttft + k x itl, whatever happened to the tokens before. Its
 * slot is free at the instant at which the last token is due, and the first in line starts at that instant, not when
 * the server noticed: so the server saturates at exactly slots / (ttft + (N - 1) x itl) requests per second, and
 * catches up after a pause of its own. Nothing is sent before it is due.
 */
export interface Engine {
  submit(job: Job): Generation
  /** The client went away: gives the slot, or the place in line, to others. */
  abandon(generation: Generation): void
  close(): Promise<void>
}

export async function createEngine(options: SimulatorOptions, ledger: LedgerBook): Promise<Engine> {
  const slots = createSlots<Generation>(options.slots)
  const deadlines = createDeadlines<Generation>()
  const pace = paceOf(options)
  let submitted = 0
  let draining = false
  let again: NodeJS.Immediate | null = null
  const alarm = await createAlarm(woken)

  function start(generation: Generation, instant: number): void {
    generation.started = instant
    generation.due = instant + offset(generation)
    deadlines.add(generation)
  }

  /** Offset of the next part. A single part is due with its last token; without ITL that is the first. */
  function offset({ job, pace, parts, part }: Generation): number {
    if (parts > 1 || job.stream || options.itlMs === 0) return pace(part)
    let last = 0
    for (let token = 0; token < job.outputTokens; token++) last = pace(token)
    return last
  }

  function emit(generation: Generation): void {
    const { job, due, planned, actual, parts } = generation
    const now = monotonicMs()
    planned.push(due)
    actual.push(now)
    ledger.wrote(generation.started!, due, now)
    const part = generation.part++
    if (part + 1 < parts) deadlines.move(generation, generation.started! + offset(generation))
    else deadlines.remove(generation)
    if (!job.send(part, parts)) generation.blocked++
    if (part + 1 === parts) finish(generation, 'complete', due)
  }

  function finish(generation: Generation, ended: 'complete' | 'disconnected', freed: number): void {
    const { job, started, blocked, planned, actual } = generation
    const { requestId: id, arrived, promptTokens, outputTokens } = job
    ledger.ended({ id, arrived, started, promptTokens, outputTokens, planned, actual, blocked, ended })
    if (started === null) return
    const next = slots.release(freed)
    if (next !== undefined) start(next, Math.max(freed, next.job.arrived))
  }

  /** Sends what is due, up to the instant at which it began: sockets must be read in between. */
  function drain(): void {
    if (draining) return
    draining = true
    try {
      const now = monotonicMs()
      for (let next = deadlines.first(); next !== undefined && next.due <= now; next = deadlines.first()) emit(next)
    } finally {
      draining = false
    }
    const next = deadlines.first()
    if (next === undefined) return
    if (next.due <= monotonicMs()) again ??= setImmediate(repeat)
    else alarm.set(next.due)
  }

  function repeat(): void {
    again = null
    woken()
  }

  /** The alarm comes a little early: going round the event loop for the rest is more precise than to sleep again. */
  function woken(): void {
    const next = deadlines.first()
    if (next === undefined) return
    const early = next.due - monotonicMs()
    if (early > 0 && early <= EARLY_MS) again ??= setImmediate(repeat)
    else drain()
  }

  return {
    submit(job) {
      const parts = job.stream && options.itlMs > 0 ? job.outputTokens : 1
      const generation: Generation = {
        job,
        pace: pace(submitted++),
        parts,
        part: 0,
        started: null,
        blocked: 0,
        planned: [],
        actual: [],
        due: Infinity,
        position: -1,
      }
      const freeSince = slots.take(generation)
      // The slot may have become free after the request was read, when both happened in one turn of the event loop.
      if (freeSince !== null) start(generation, Math.max(freeSince, job.arrived))
      drain()
      return generation
    },
    abandon(generation) {
      deadlines.remove(generation)
      slots.leave(generation)
      finish(generation, 'disconnected', monotonicMs())
      drain()
    },
    async close() {
      if (again !== null) clearImmediate(again)
      await alarm.close()
    },
  }
}
