import { parentPort, workerData } from 'node:worker_threads'
import { EARLY_MS, GAP_MS, LONGEST_MS, toMicros, WORD } from './alarm.ts'
import { monotonicMs } from './clock.ts'

/**
 * The alarm's thread: sleeps until shortly before the deadline, sends one message, and starts again.
 *
 * Both sides write their own word before they read the other's (the thread ASLEEP_UNTIL before DEADLINE and UNSERVED,
 * main the reverse), and Atomics are sequentially consistent: at least one of the two sees the other's change, so no
 * deadline is slept through.
 */
const shared: Int32Array = workerData
const early = EARLY_MS * 1000
const gap = GAP_MS * 1000
const longest = LONGEST_MS * 1000

let quietUntil = toMicros(monotonicMs())
for (;;) {
  const signal = Atomics.load(shared, WORD.SIGNAL)
  const now = toMicros(monotonicMs())
  const deadline = Atomics.load(shared, WORD.DEADLINE)
  const unserved = Atomics.load(shared, WORD.UNSERVED)
  const untilDue = (deadline - early - now) | 0
  const untilLoud = (quietUntil - now) | 0
  const sleep = untilLoud > 0 ? Math.max(untilLoud, unserved ? 0 : untilDue) : unserved ? longest : untilDue
  if (sleep <= 0) {
    Atomics.store(shared, WORD.UNSERVED, 1)
    parentPort!.postMessage(0, [])
    quietUntil = (now + gap) | 0
    continue
  }
  Atomics.store(shared, WORD.ASLEEP_UNTIL, (now + sleep) | 0)
  const changed = Atomics.load(shared, WORD.DEADLINE) !== deadline || Atomics.load(shared, WORD.UNSERVED) !== unserved
  if (!changed) Atomics.wait(shared, WORD.SIGNAL, signal, sleep / 1000)
}
