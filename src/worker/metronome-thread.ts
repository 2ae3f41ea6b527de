import { connect, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { CANARY_BYTES } from './canary.ts'
import { hostNow } from './clock.ts'
import { EARLY_MS, GENERATION, type Order, PENDING } from './metronome.ts'

/** Least time between two wakes, ms: bounds the cost of waking at high rates. */
const LEAST_GAP_MS = 0.1
/** Time after the last instant at which the loop is woken once more, ms: whatever went wrong, the schedule ends. */
const LAST_WAKE_MS = 5
/** Mean time between two canaries, ms: 100 a second see the worst 1 % of a second, and cost the loop 0.2 % of it. */
const CANARY_MS = 10

const shared = workerData as Int32Array
const port = parentPort!

let due: Float64Array = new Float64Array(0)
let next = 0
let generation = 0
let lastWake = Number.NEGATIVE_INFINITY
/** When the loop is woken once more after the last instant. */
let finalWake = Number.POSITIVE_INFINITY
let canary: Socket | null = null
let canaryAt = Number.POSITIVE_INFINITY
let again: NodeJS.Immediate | undefined
const stamp = Buffer.alloc(CANARY_BYTES)

port.on('message', (order: Order) => {
  if (order.kind === 'canary') openCanary(order.port)
  else {
    due = order.due
    generation = order.generation
    next = 0
    lastWake = Number.NEGATIVE_INFINITY
    finalWake = due.length === 0 ? Number.POSITIVE_INFINITY : due.at(-1)! + LAST_WAKE_MS
  }
  beat()
})
port.postMessage('ready')

/**
 * Sleeps until the next request is due or the next canary, whichever comes first, and does it. Returns when there is
 * nothing to wait for, when the generation has changed (the order that says why is in the queue), and after each
 * canary, so that this thread's own loop gets its turn.
 */
function beat(): void {
  clearImmediate(again)
  for (;;) {
    if (Atomics.load(shared, GENERATION) !== generation) return
    const wakeAt = next < due.length ? Math.max(due[next]! - EARLY_MS, lastWake + LEAST_GAP_MS) : finalWake
    const until = Math.min(wakeAt, canaryAt)
    if (until === Number.POSITIVE_INFINITY) return
    const wait = until - hostNow()
    if (wait > 0) Atomics.wait(shared, GENERATION, generation, wait)
    if (Atomics.load(shared, GENERATION) !== generation) return
    const now = hostNow()
    if (now >= wakeAt) wake(now)
    if (now >= canaryAt) {
      writeCanary(now)
      again = setImmediate(beat)
      return
    }
  }
}

function wake(now: number): void {
  if (next >= due.length) {
    finalWake = Number.POSITIVE_INFINITY
    port.postMessage(0)
    return
  }
  // While a wake is not served yet the loop will see these instants anyway: another message would only queue up.
  if (Atomics.compareExchange(shared, PENDING, 0, 1) === 0) port.postMessage(0)
  lastWake = now
  while (next < due.length && due[next]! - EARLY_MS <= now) next++
}

/** Poisson instants: what they wait is what any instant would have waited (PASTA). */
function writeCanary(now: number): void {
  canaryAt = now - CANARY_MS * Math.log(1 - Math.random())
  stamp.writeDoubleLE(hostNow())
  canary!.write(Buffer.from(stamp))
}

/** An error here has no listener: it ends the load process, which is then named. Without canaries nothing is proved. */
function openCanary(loopbackPort: number): void {
  const socket = connect({ host: '127.0.0.1', port: loopbackPort, noDelay: true })
  socket.on('connect', () => {
    canary = socket
    canaryAt = hostNow()
    beat()
  })
  socket.unref()
}
