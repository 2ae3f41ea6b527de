/** Time between two beats of the loop's pulse, ms. */
const PULSE_MS = 20
/** Lateness of a beat up to which it says nothing, ms: timers have a grain of 1 ms, and loops a few of business. */
const GRAIN_MS = 5

/** When bytes were there, as far as a process can tell that learns of them only when it reads. All in ms. */
export interface TurnClock {
  /** Instant that counts as the arrival of what is read now: the first of this turn of the event loop. */
  arrival(): number
  /**
   * How long what this turn reads may have lain unread at `at`; 0 unless the loop has just stood still: then the time
   * since it was last seen at work before that.
   *
   * An upper limit, up to 25 ms above the length of the standstill, which is noticed by a beat of the loop's pulse that
   * is overdue by more than 5 ms: one of up to 25 ms may pass unseen, one of up to 5 ms always does. Who sent only
   * when it was over is taken for one who waited, since nobody can tell: so it is when the whole machine stood still.
   *
   * Costs 10 ns.
   */
  waited(at: number): number
  /**
   * The same for the first bytes of a connection that is accepted now. The loop accepts one a turn, so those of later
   * turns may have waited as well, as long as one comes in every turn. What the connection brought along is read in
   * the next turn; then `over` is called, unless the answer is 0.
   */
  waitedInBacklog(over: () => void): number
  close(): void
}

/**
 * Starts the clock and its pulse.
 *
 * What one turn finds in the sockets was there when the turn began: stamped one by one, the wait for the server itself
 * would be taken for the client's. It may have been there for longer when the process stood still (stopped, throttled,
 * without a core, collecting garbage), and only a timer that is overdue tells of that.
 */
export function createTurnClock(now: () => number): TurnClock {
  /** First instant of this turn, NaN before it. */
  let began = NaN
  /** When the loop was last seen at work, and when the next beat is due. */
  let seen = now()
  let beatDue = seen + PULSE_MS
  /** Since when what this turn reads may have lain unread, and what the next one reads; Infinity when it cannot. */
  let unreadSince = Infinity
  let nextUnreadSince = Infinity
  /** The same of the connections in the backlog, and until when that is believed. */
  let backlogSince = Infinity
  let backlogUntil = Infinity
  let accepted = false
  let ending = false

  /** Whether the loop stood still until `at`: a beat is overdue, and it was not seen at work since. */
  function stoodStill(at: number): boolean {
    return at - Math.max(beatDue, seen) > GRAIN_MS
  }

  function arrival(): number {
    if (Number.isNaN(began)) {
      began = now()
      if (stoodStill(began)) {
        unreadSince = Math.min(unreadSince, seen)
        // It may have begun after the loop had looked at its sockets: then this turn reads only what was there before.
        nextUnreadSince = seen
      }
      seen = began
      awaitEnd()
    }
    return began
  }

  function beat(): void {
    const at = now()
    // Timers run just before the loop looks at its sockets: it is the turn to come that finds what has waited.
    if (stoodStill(at)) {
      unreadSince = seen
      awaitEnd()
    }
    seen = at
    beatDue = at + PULSE_MS
  }

  /** Immediates run behind the reads and accepts of a turn, and keep the next one from waiting. */
  function awaitEnd(): void {
    if (ending) return
    ending = true
    setImmediate(end)
  }

  function end(): void {
    began = NaN
    unreadSince = nextUnreadSince
    nextUnreadSince = Infinity
    // Without an accept in this turn, the backlog is empty.
    if (!accepted) backlogSince = Infinity
    accepted = false
    ending = false
    if (unreadSince < Infinity || backlogSince < Infinity) awaitEnd()
  }

  const pulse = setInterval(beat, PULSE_MS).unref()
  return {
    arrival,
    waited(at) {
      const since = stoodStill(at) ? Math.min(unreadSince, seen) : unreadSince
      return Math.max(0, at - since)
    },
    waitedInBacklog(over) {
      const at = arrival()
      accepted = true
      if (unreadSince < backlogSince) {
        backlogSince = unreadSince
        // By then a server that is at most half busy has accepted what piled up.
        backlogUntil = at + (at - unreadSince)
      }
      if (at > backlogUntil) backlogSince = Infinity
      if (backlogSince === Infinity) return 0
      setImmediate(() => setImmediate(over))
      return at - backlogSince
    },
    close: () => clearInterval(pulse),
  }
}
