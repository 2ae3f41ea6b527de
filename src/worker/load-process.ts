import { closedShare, shareOf } from '../arrivals/shares.ts'
import { seededRandom } from '../arrivals/random.ts'
import { schedule } from '../arrivals/schedule.ts'
import { createClient, type Client } from '../client/client.ts'
import type { SecondCounts } from '../metrics/second.ts'
import type { OpenStep } from '../model/step.ts'
import type { FailureKind, Trace } from '../model/request.ts'
import { runClosedLoop } from './closed-loop.ts'
import { hostNow } from './clock.ts'
import { type Instruments, LoopWatch } from './loop-watch.ts'
import { CHANNEL, type Message, type Segment, type Setup } from './messages.ts'
import type { Metronome } from './metronome.ts'
import { runOpenLoop } from './open-loop.ts'
import { beginStep, resultOf, type RunningStep } from './running-step.ts'
import { tickSeconds } from './second-ticker.ts'
import { until } from './until.ts'

/** Failures before the server was reached. */
const UNREACHED: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'refused',
  'connect',
  'dns',
  'tls',
  'timeout-connect',
  'client',
])

type Body<M> = M extends unknown ? Omit<M, 'channel' | 'worker' | 'sequence'> : never

/** One load process's share of a plan: offers its part of every step, records it, and watches itself. */
export class LoadProcess {
  readonly #setup: Setup
  readonly #post: (message: Message) => void
  readonly #client: Client
  readonly #metronome: Metronome
  readonly #instruments: Instruments
  readonly #steps = new Map<number, RunningStep>()
  /** When this process's requests of an open step are due, from the step's start, ms; of the segment that is next. */
  readonly #offsets = new Map<number, Float64Array>()
  #abort = new AbortController()
  #sequence = 0
  #outstanding = 0
  #events = 0
  #onIdle: (() => void) | null = null

  constructor(setup: Setup, metronome: Metronome, instruments: Instruments, post: (message: Message) => void) {
    const { plan } = setup
    this.#setup = setup
    this.#post = post
    this.#metronome = metronome
    this.#instruments = instruments
    this.#client = createClient({
      target: plan.target,
      prompts: plan.prompts,
      seed: plan.seed,
      timeouts: plan.timeouts,
      now: hostNow,
      lateness: instruments.lateness,
      onEnd: (trace) => this.#ended(trace),
    })
  }

  /** Sends one message, numbered. */
  post(body: Body<Message>): void {
    this.#post({ ...body, channel: CHANNEL, worker: this.#setup.worker, sequence: this.#sequence++ } as Message)
  }

  /**
   * Makes ready for a segment: computes its schedule, which takes half a second for three million requests and must
   * not stop a loop that offers load, and opens connections ahead until `connections` are open.
   */
  async prepare(segment: Segment, connections: number): Promise<void> {
    this.#offsets.clear()
    for (const { index, step } of segment.steps)
      if (step.kind === 'open') this.#offsets.set(index, this.#share(index, step))
    const { failure } = await this.#client.open(connections)
    this.post({ kind: 'prepared', connections: this.#client.connections, failure })
  }

  #share(index: number, step: OpenStep): Float64Array {
    const { plan, worker, workers } = this.#setup
    const all = schedule(step, plan.arrivals, seededRandom(plan.seed, index + 1))
    const { first, stride, count } = shareOf(all.length, worker, workers)
    return Float64Array.from({ length: count }, (_, i) => all[first + i * stride]!)
  }

  /** Offers the segment's steps from `startAt` on (host clock, ms), drains, and posts what was recorded. */
  async run(segment: Segment, startAt: number): Promise<void> {
    for (const { index, step } of segment.steps) {
      if (step.kind === 'open' && !this.#offsets.has(index)) throw new Error(`step ${index} was not prepared`)
    }
    this.#abort = new AbortController()
    this.#steps.clear()
    this.#instruments.lateness.forget()
    for (const at of segment.steps) {
      const running = beginStep(this.#setup.plan, at, startAt + at.atMs)
      this.#steps.set(at.index, running)
      const watch = new LoopWatch(running, this.#eventCount(), this.#instruments)
      const endSeconds = this.#postSeconds(running, watch)
      await this.#offer(running)
      watch.offered(this.#eventCount())
      if (at === segment.steps.at(-1)) await this.#drain(segment.settleMs)
      endSeconds()
      running.audit = watch.finish(this.#setup.worker, running.mostInFlight)
    }
    const results = [...this.#steps.values()].map(resultOf)
    this.post({ kind: 'drained', segment: segment.number, results })
  }

  /** Stops offering and aborts what is in flight: `run` then ends at once, with what there is. */
  stop(): void {
    this.#abort.abort()
    this.#client.abort()
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.close(), this.#metronome.close()])
    this.#instruments.lateness.stop()
    this.#instruments.gc.stop()
  }

  /** Offers one step; resolves when its time is over, or its number of requests reached. */
  async #offer(running: RunningStep): Promise<void> {
    const { step } = running.at
    const signal = this.#abort.signal
    await (step.kind === 'open' ? this.#offerOpen(running, step) : this.#offerClosed(running))
    if (running.endAt !== null) await until(running.endAt, signal)
    running.offeredUntil = signal.aborted ? hostNow() : (running.endAt ?? hostNow())
  }

  async #offerOpen(running: RunningStep, step: OpenStep): Promise<void> {
    const { plan, worker, workers } = this.#setup
    const { index, firstPrompt } = running.at
    const { recording, startAt } = running
    const due = this.#offsets.get(index)!
    const { first, stride } = shareOf(step.requests, worker, workers)
    // In place, in a plain loop: a few ms for millions, right before the first is due.
    for (let i = 0; i < due.length; i++) due[i]! += startAt
    const mostInFlight = Math.max(1, Math.floor(plan.maxInFlight / workers))
    await runOpenLoop({
      due,
      metronome: this.#metronome,
      now: hostNow,
      signal: this.#abort.signal,
      onTurn: (at) => this.#instruments.lateness.work(at),
      offer: (i) => {
        const scheduled = due[i]!
        recording.arrive(scheduled)
        if (this.#outstanding >= mostInFlight) return recording.unsent(scheduled)
        const of = first + i * stride
        this.#send(running, of, firstPrompt + of, scheduled)
      },
    })
  }

  async #offerClosed(running: RunningStep): Promise<void> {
    const { step, firstPrompt } = running.at
    if (step.kind !== 'closed') return
    const { worker, workers } = this.#setup
    const { slots, requests } = closedShare(step, worker, workers)
    running.closed = runClosedLoop({
      slots,
      requests: requests.count,
      startAt: running.startAt,
      until: running.endAt,
      now: hostNow,
      signal: this.#abort.signal,
      offer: (i, scheduled) => {
        running.recording.arrive(scheduled)
        const of = requests.first + i * requests.stride
        this.#send(running, of, firstPrompt + of, scheduled)
      },
    })
    // Where time ends the step, what is still in flight then belongs to the drain.
    if (running.endAt === null) await running.closed.done
  }

  #send(running: RunningStep, index: number, prompt: number, scheduled: number): void {
    this.#outstanding++
    this.#events++
    if (this.#outstanding > running.mostInFlight) running.mostInFlight = this.#outstanding
    this.#client.send(running.at.index, index, prompt, scheduled)
  }

  #ended(trace: Trace): void {
    this.#outstanding--
    const running = this.#steps.get(trace.step)
    if (running === undefined) throw new Error(`a request of step ${trace.step} ended after its segment`)
    running.recording.record(trace)
    running.closed?.ended(trace.ended, trace.failure === null || !UNREACHED.has(trace.failure.kind))
    if (this.#outstanding === 0) this.#onIdle?.()
  }

  /** Waits until nothing is in flight, at most `settleMs`; then aborts the rest, which counts as aborted. */
  async #drain(settleMs: number): Promise<void> {
    const { signal } = this.#abort
    if (this.#outstanding > 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, settleMs)
        this.#onIdle = () => {
          clearTimeout(timer)
          resolve()
        }
        signal.addEventListener('abort', this.#onIdle, { once: true })
      })
      this.#onIdle = null
    }
    if (this.#outstanding === 0) return
    const idle = new Promise<void>((resolve) => (this.#onIdle = resolve))
    this.#client.abort()
    await idle
    this.#onIdle = null
  }

  #eventCount(): number {
    return this.#events + this.#client.reads
  }

  /** Posts what each second brings; returns the end, which posts the rest. */
  #postSeconds({ recording, startAt, at }: RunningStep, watch: LoopWatch): () => void {
    const { worker } = this.#setup
    const post = (second: number, rhoOf: (counts: SecondCounts) => number) => {
      const counts = recording.takeSecond()
      const delta = { ...counts, worker, sequence: second, second, rho: rhoOf(counts) }
      this.post({ kind: 'second', step: at.index, delta })
    }
    const end = tickSeconds(startAt, (second) => post(second, ({ sendLag }) => watch.second(sendLag)))
    return () => post(end(), () => watch.rest())
  }
}
