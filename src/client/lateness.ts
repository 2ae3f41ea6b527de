/** What a process knows of its own lateness in reading, so that it is not taken for the server's. */
export interface Lateness {
  /**
   * A socket was read at `at`, ms: the longest time for which its bytes may have lain unread in this process, ms.
   * Called once for every read, in order.
   */
  read(at: number): number
  /** The longest such time of the last second, ms, without the place within a turn of the loop. */
  readonly recent: number
}

/** Of a process that takes itself to be always in time. */
export const NEVER_LATE: Lateness = { read: () => 0, recent: 0 }
