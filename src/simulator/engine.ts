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
  /** How much earlier than that it may have been there, unread, ms. */
  readonly waited: number
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
  /** By how much the server's own standstills may have put off its start, ms. */
  delayed: number
  /** How long it would have stood in line without them, ms. */
  inLine: number
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
 *
 * Only what was read can start. A request that lay unread while the server stood still may start late by as long as it
 * waited, and whoever waits for its slot with it: nothing of that is caught up, and the ledger counts it as lateness.
 * It is nothing to a request whose slot was taken until then by others, since a slot is handed on by the schedule.
 */
export interface Engine {
  submit(job: Job): Generation
  /**
   * The client went away, up to `waited` ms before it was noticed: gives the slot, or the place in line, to others.
   */
  abandon(generation: Generation, waited?: number): void
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

  /** Starts on a slot that is free since `since`, and might have been since `earliest`. */
  function start(generation: Generation, since: number, earliest: number): void {
    const { arrived, waited } = generation.job
    // The slot may have become free after the request was read, when both happened in one turn of the event loop.
    const started = Math.max(since, arrived)
    if (waited > 0 || earliest < since) {
      const earliestStart = Math.max(earliest, arrived - waited)
      generation.delayed = started - earliestStart
      generation.inLine = earliestStart - (arrived - waited)
    }
    generation.started = started
    generation.due = started + offset(generation)
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
    const { job, due, delayed, inLine, planned, actual, parts } = generation
    const now = monotonicMs()
    planned.push(due)
    actual.push(now)
    ledger.wrote(generation.started!, due, now, delayed, inLine)
    const part = generation.part++
    if (part + 1 < parts) deadlines.move(generation, generation.started! + offset(generation))
    else deadlines.remove(generation)
    if (!job.send(part, parts)) generation.blocked++
    if (part + 1 === parts) finish(generation, 'complete', due, due - delayed)
  }

  function finish(
    generation: Generation,
    ended: 'complete' | 'disconnected',
    freed: number,
    freedEarliest: number,
  ): void {
    const { job, started, delayed, blocked, planned, actual } = generation
    const { requestId: id, arrived, waited, promptTokens, outputTokens } = job
    ledger.ended({
      id,
      arrived,
      waited,
      started,
      delayed,
      promptTokens,
      outputTokens,
      planned,
      actual,
      blocked,
      ended,
    })
    if (started === null) return
    const next = slots.release(freed, freedEarliest)
    if (next !== undefined) start(next, freed, freedEarliest)
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
        delayed: 0,
        inLine: 0,
        blocked: 0,
        planned: [],
        actual: [],
        due: Infinity,
        position: -1,
      }
      const vacancy = slots.take(generation)
      if (vacancy !== null) start(generation, vacancy.since, vacancy.earliest)
      drain()
      return generation
    },
    abandon(generation, waited = 0) {
      deadlines.remove(generation)
      slots.leave(generation)
      const now = monotonicMs()
      finish(generation, 'disconnected', now, now - waited)
      drain()
    },
    async close() {
      if (again !== null) clearImmediate(again)
      await alarm.close()
    },
  }
}
