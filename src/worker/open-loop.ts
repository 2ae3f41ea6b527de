import { EARLY_MS, type Metronome } from './metronome.ts'

/**
 * How close the next instant must be for the loop to look again by itself, ms. The metronome leaves out instants that
 * are at most `EARLY_MS` away when it wakes the loop; half as much again covers what two threads' clocks differ by.
 */
const LOOK_AGAIN_MS = 1.5 * EARLY_MS

/** Requests sent in one turn of the loop before replies get their turn, so that a late client does not starve reads. */
const MOST_PER_TURN = 128

export interface OpenLoop {
  /** Instants at which this process's requests are due, host clock, ms, ascending. */
  readonly due: Float64Array
  readonly metronome: Metronome
  readonly now: () => number
  /** Offers request `i` of `due`. Never called before it is due. */
  readonly offer: (i: number) => void
  /** Hears the instant at which a turn of the event loop begins to offer, ms. */
  readonly onTurn: (at: number) => void
  readonly signal: AbortSignal
}

/** Offers every request at its instant, whatever the replies do. Resolves when all were offered, or on abort. */
export function runOpenLoop({ due, metronome, now, offer, onTurn, signal }: OpenLoop): Promise<void> {
  if (due.length === 0 || signal.aborted) return Promise.resolve()
  return new Promise((resolve) => {
    let next = 0
    let again = false
    const finish = () => {
      metronome.stop()
      signal.removeEventListener('abort', finish)
      next = due.length
      resolve()
    }
    const pump = () => {
      if (next >= due.length) return
      // Before the clock is read: an instant that becomes due after this reading gets a wake of its own.
      metronome.served()
      let left = MOST_PER_TURN
      let time = now()
      onTurn(time)
      while (next < due.length && left > 0) {
        if (due[next]! > time) {
          time = now()
          if (due[next]! > time) break
        }
        offer(next++)
        left--
      }
      if (next >= due.length) finish()
      else if (!again && (left === 0 || due[next]! - time <= LOOK_AGAIN_MS)) {
        again = true
        setImmediate(() => {
          again = false
          pump()
        })
      }
    }
    signal.addEventListener('abort', finish)
    metronome.start(due, pump)
  })
}
