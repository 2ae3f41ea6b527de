import { parentPort, workerData } from 'node:worker_threads'
import { hostNow } from './clock.ts'
import { EARLY_MS, GENERATION, PENDING } from './metronome.ts'

/** Least time between two wakes, ms: bounds the cost of waking at high rates. */
const LEAST_GAP_MS = 0.1

const shared = workerData as Int32Array
const port = parentPort!

port.on('message', ({ due, generation }: { due: Float64Array; generation: number }) => beat(due, generation))
port.postMessage('ready')

/** Time after the last instant at which the loop is woken once more, ms: whatever went wrong, the schedule ends. */
const LAST_WAKE_MS = 5

/** Sleeps from due instant to due instant; ends when the generation changes. */
function beat(due: Float64Array, generation: number): void {
  let next = 0
  let last = Number.NEGATIVE_INFINITY
  while (next < due.length) {
    const wakeAt = Math.max(due[next]! - EARLY_MS, last + LEAST_GAP_MS)
    const wait = wakeAt - hostNow()
    if (wait > 0) Atomics.wait(shared, GENERATION, generation, wait)
    if (Atomics.load(shared, GENERATION) !== generation) return
    const now = hostNow()
    if (now < wakeAt) continue
    // While a wake is not served yet the loop will see these instants anyway: another message would only queue up.
    if (Atomics.compareExchange(shared, PENDING, 0, 1) === 0) port.postMessage(0)
    last = now
    while (next < due.length && due[next]! - EARLY_MS <= now) next++
  }
  if (due.length === 0) return
  Atomics.wait(shared, GENERATION, generation, Math.max(0, due.at(-1)! + LAST_WAKE_MS - hostNow()))
  if (Atomics.load(shared, GENERATION) === generation) port.postMessage(0)
}
