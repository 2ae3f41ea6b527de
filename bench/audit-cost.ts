/**
 * What the client's audit costs for each event, ns: medians of many short loops, with the machine's own noise in them.
 *
 *   npx node bench/audit-cost.ts
 *
 * An event is a read, a token or a request. What they cost is the place in the turn and the bound of a read
 * (`LoopLateness`), and the second histograms beside those of the latencies. What is done once a second, or once a
 * canary, is told as a share of one core.
 */
import { performance } from 'node:perf_hooks'
import { LatencyHistogram } from '../src/metrics/histogram.ts'
import { hostNow } from '../src/worker/clock.ts'
import { GcWatch } from '../src/worker/gc-watch.ts'
import { LoopLateness } from '../src/worker/loop-lateness.ts'
import { LoopWatch } from '../src/worker/loop-watch.ts'

/** ns of one call: the median of 15 loops of so many. */
export function nsOf(calls: number, call: (i: number) => void): number {
  const loops: number[] = []
  for (let loop = 0; loop < 20; loop++) {
    const start = performance.now()
    for (let i = 0; i < calls; i++) call(i)
    // The first loops are compiled while they run.
    if (loop >= 5) loops.push(((performance.now() - start) * 1e6) / calls)
  }
  return loops.toSorted((a, b) => a - b)[loops.length >> 1]!
}

export interface AuditCost {
  /** Bound of one read. */
  readonly read: number
  /** What a token of a stream costs more in histograms, and what a request does. */
  readonly token: number
  readonly request: number
  /** What a 1-token request costs more, for each of its two events: the send and the read. */
  readonly ofRequest: number
  /** What is done every second, as a share of a core. */
  readonly second: number
}

export function auditCost(): AuditCost {
  const lateness = new LoopLateness(hostNow)
  const at = hostNow()
  const read = nsOf(200_000, (i) => lateness.read(at + (i & 15) * 0.01))
  const histogram = new LatencyHistogram()
  const record = nsOf(200_000, (i) => histogram.record(20 + (i & 255) / 50))
  const gc = new GcWatch()
  const recording = { canary: new LatencyHistogram(2) }
  const watch = new LoopWatch({ startAt: at, recording }, 0, { now: hostNow, lateness, gc })
  const lag = new LatencyHistogram(2)
  for (let i = 0; i < 1000; i++) lag.record(i / 100)
  const data = lag.toData()
  const second = nsOf(200, () => void watch.second(data))
  lateness.stop()
  gc.stop()
  // A gap of one token is recorded three times instead of twice; a reply has four more histograms.
  return { read, token: record, request: 4 * record, ofRequest: (read + 4 * record) / 2, second: second / 1e9 }
}

if (import.meta.main) {
  const { read, token, request, ofRequest, second } = auditCost()
  console.table({
    'read: place and bound, ns': Math.round(read),
    'token: one more histogram, ns': Math.round(token),
    'request: four more histograms, ns': Math.round(request),
    'streamed token in all, ns': Math.round(read + token),
    '1-token request in all, ns an event (a send and a read)': Math.round(ofRequest),
    'every second, share of a core': Number(second.toPrecision(2)),
  })
}
