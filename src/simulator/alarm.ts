import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { monotonicMs } from './clock.ts'

/**
 * How long before the instant set the alarm thread wakes, ms: about what the kernel's timer slack (0.05 ms) and the
 * message to the main thread take. A wake may therefore come this much early.
 */
export const EARLY_MS = 0.05

/** Shortest distance of two wakes, ms: one wake costs about 25 us of CPU, so 10,000 per second at most. */
export const GAP_MS = 0.1

/** Longest sleep, ms. Microseconds in 32 bits wrap after 71 minutes, and differences are sound up to half of that. */
export const LONGEST_MS = 600_000

/** Words of the memory that both threads share. Instants are in us, modulo 2^32. */
export const WORD = {
  /** Instant of the next wake; main writes. */
  DEADLINE: 0,
  /** Until when the thread sleeps; the thread writes. */
  ASLEEP_UNTIL: 1,
  /** Grows when the thread has to look at the deadline again; both wait and notify on it. */
  SIGNAL: 2,
  /** 1 from the thread's message until main has served it. */
  UNSERVED: 3,
} as const

/** An instant (ms) in the unit of the shared words. */
export function toMicros(ms: number): number {
  return (ms * 1000) | 0
}

/** Wakes the main loop with sub-millisecond precision, which its own timers (1 ms grain) cannot. */
export interface Alarm {
  /**
   * Wakes at this instant (ms, monotonic), or up to 0.05 ms before, or later when the machine is busy; replaces the
   * instant set before. Cheap: the thread is disturbed only when it would sleep too long. Wakes that nobody asked for
   * may come, so look at the clock.
   */
  set(instant: number): void
  close(): Promise<void>
}

/** Starts the alarm's thread, which sleeps without CPU while nothing is due. `wake` is called on the main thread. */
export async function createAlarm(wake: () => void): Promise<Alarm> {
  const shared = new Int32Array(new SharedArrayBuffer(4 * Object.keys(WORD).length))
  // Due at once: the thread's first message says that it runs.
  Atomics.store(shared, WORD.DEADLINE, toMicros(monotonicMs()))
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const thread = new Worker(new URL(`./alarm-thread.${extension}`, import.meta.url), {
    workerData: shared,
    execArgv: [],
  })
  await once(thread, 'message')

  let armed = NaN
  function serve(): void {
    armed = NaN
    wake()
    if (Number.isNaN(armed)) set(Infinity)
    Atomics.store(shared, WORD.UNSERVED, 0)
    rouse()
  }

  function set(instant: number): void {
    if (instant === armed) return
    armed = instant
    Atomics.store(shared, WORD.DEADLINE, toMicros(Math.min(instant, monotonicMs() + LONGEST_MS)))
    // The thread sends nothing before its last message is served, so a signal now would wake it in vain.
    if (Atomics.load(shared, WORD.UNSERVED) === 0) rouse()
  }

  function rouse(): void {
    const wakeAt = Atomics.load(shared, WORD.DEADLINE) - EARLY_MS * 1000
    if (((Atomics.load(shared, WORD.ASLEEP_UNTIL) - wakeAt) | 0) <= 0) return
    Atomics.add(shared, WORD.SIGNAL, 1)
    Atomics.notify(shared, WORD.SIGNAL)
  }

  thread.on('message', serve)
  serve()
  return {
    set,
    async close() {
      await thread.terminate()
    },
  }
}
