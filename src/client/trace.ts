import type { Failure, Trace } from '../model/request.ts'

/** A trace that is filled while its request is under way, handed over once, and filled again for another request. */
export class ScratchTrace implements Trace {
  step = 0
  index = 0
  scheduled = 0
  sent = 0
  ended = 0
  failure: Failure | null = null
  streamed = true
  firstToken = Number.NaN
  firstVisible = Number.NaN
  lastToken = Number.NaN
  outputTokens = 0
  inputTokens = 0
  usage = false
  reads = 0
  readAt = new Float64Array(16)
  readEvents = new Float64Array(16)
  readDelay = new Float64Array(16)
  firstVisibleDelay = 0
  /** Number of the socket read that the last element of the arrays stands for. */
  #read = -1

  begin(step: number, index: number, scheduled: number, sent: number): void {
    this.step = step
    this.index = index
    this.scheduled = scheduled
    this.sent = sent
    this.failure = null
    this.streamed = true
    this.firstToken = Number.NaN
    this.firstVisible = Number.NaN
    this.lastToken = Number.NaN
    this.outputTokens = 0
    this.inputTokens = 0
    this.usage = false
    this.reads = 0
    this.#read = -1
  }

  /** Adds content events that the socket read of that number has brought: stamped `at`, late by `delay` at most. */
  content(read: number, at: number, delay: number, events: number): void {
    if (read === this.#read) {
      this.readEvents[this.reads - 1]! += events
      return
    }
    if (this.reads === this.readAt.length) this.#grow()
    if (this.reads === 0) this.firstToken = at
    this.lastToken = at
    this.#read = read
    this.readAt[this.reads] = at
    this.readDelay[this.reads] = delay
    this.readEvents[this.reads++] = events
  }

  /** Lets the first read weigh more, by so many content events: for tokens that came before it and were never sent. */
  lead(events: number): void {
    if (this.reads > 0) this.readEvents[0]! += events
  }

  /** Notes visible text that the read stamped `at` has brought: the first counts. */
  visible(at: number, delay: number): void {
    if (!Number.isNaN(this.firstVisible)) return
    this.firstVisible = at
    this.firstVisibleDelay = delay
  }

  #grow(): void {
    this.readAt = doubled(this.readAt)
    this.readEvents = doubled(this.readEvents)
    this.readDelay = doubled(this.readDelay)
  }
}

function doubled(array: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(2 * array.length)
  longer.set(array)
  return longer
}
