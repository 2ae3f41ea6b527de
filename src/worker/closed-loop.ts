/** Pause of a slot after a request that never reached the server, ms: a server that is down is not hammered. */
export const UNREACHED_PAUSE_MS = 100

export interface ClosedLoop {
  /** Requests kept in flight by this process. */
  readonly slots: number
  /** Requests this process sends in all; infinite when `until` ends the loop. */
  readonly requests: number
  /** Start, and end of offering (null when `requests` ends the loop), host clock, ms. */
  readonly startAt: number
  readonly until: number | null
  readonly now: () => number
  /** Sends request `i`, whose slot became free at `scheduled`. */
  readonly offer: (i: number, scheduled: number) => void
  readonly signal: AbortSignal
}

/** A running closed loop: told of every end, it sends the next request of that slot. */
export interface RunningClosedLoop {
  /** A request ended at `ended`; `reached` says whether the server was reached at all. */
  ended(ended: number, reached: boolean): void
  /** Resolves when nothing more will be offered: count reached, time over and every slot empty, or aborted. */
  readonly done: Promise<void>
}

/** Keeps `slots` requests in flight. A slot's next request is scheduled at the instant the slot became free. */
export function runClosedLoop(loop: ClosedLoop): RunningClosedLoop {
  let next = 0
  let busy = 0
  let finish: () => void
  const pauses = new Set<NodeJS.Timeout>()
  const done = new Promise<void>((resolve) => {
    finish = () => {
      clearTimeout(starter)
      for (const pause of pauses) clearTimeout(pause)
      loop.signal.removeEventListener('abort', finish)
      resolve()
    }
  })
  const exhausted = (at: number) =>
    loop.signal.aborted || next >= loop.requests || (loop.until !== null && at >= loop.until)
  const fill = (scheduled: number) => {
    if (exhausted(Math.max(scheduled, loop.now()))) {
      if (busy === 0) finish()
      return
    }
    busy++
    loop.offer(next++, scheduled)
  }
  const begin = () => {
    if (loop.signal.aborted) return
    // Timers have a grain of 1 ms and may fire early: nothing is sent before it is due.
    if (loop.now() < loop.startAt) return void setImmediate(begin)
    for (let slot = 0; slot < loop.slots; slot++) fill(loop.startAt)
    if (busy === 0) finish()
  }
  const starter = setTimeout(begin, Math.max(0, loop.startAt - loop.now()))
  loop.signal.addEventListener('abort', finish!)
  if (loop.signal.aborted) finish!()
  return {
    done,
    ended(ended, reached) {
      busy--
      if (reached || exhausted(ended)) return fill(ended)
      const pause = setTimeout(() => {
        pauses.delete(pause)
        busy--
        fill(loop.now())
      }, UNREACHED_PAUSE_MS)
      // The slot counts as taken while it pauses, so that the loop does not end under it.
      busy++
      pauses.add(pause)
    },
  }
}
