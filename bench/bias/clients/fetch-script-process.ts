/**
 * The load test that most people write first: global `fetch`, `for await` over the body, one `setTimeout` for each
 * request, all in one process. It is kinder than many: its arrivals do not drift, since every timer is set from the
 * start (a script that sleeps between two requests is late by a millisecond for each of them).
 */
import { performance } from 'node:perf_hooks'
import { answerOrders } from '../bench-process.ts'
import { spin } from '../busy-work.ts'
import { type SampleSummary, summaryOf } from '../sample-summary.ts'
import { dueOffsets, HEADERS, requestBody, type Workload } from '../workload.ts'

export interface FetchScriptOrder {
  readonly workload: Workload
  readonly url: string
}

export interface FetchScriptAnswer {
  readonly achieved: number
  readonly onTime: number
  /** From the call of `fetch`: what such a script tells. */
  readonly fromCall: SampleSummary
  /** From the instant at which the request was due. */
  readonly fromDue: SampleSummary
  readonly rho: number
  readonly cpuUs: number
  /** Share of requests without a complete reply. */
  readonly unanswered: number
}

const ON_TIME_MS = 5
const START_IN_MS = 50
/** Longest wait for replies after the last request was due, ms. */
const PATIENCE_MS = 5000

answerOrders(run)

async function run({ workload, url }: FetchScriptOrder): Promise<FetchScriptAnswer> {
  const body = requestBody(workload.tokens)
  const offsets = dueOffsets(workload)
  const durationMs = workload.seconds * 1000
  const fromCall: number[] = []
  const fromDue: number[] = []
  let onTime = 0
  const ends: number[] = []
  let failed = 0
  const cpu = process.cpuUsage()
  const start = performance.now() + START_IN_MS
  const utilisation = performance.eventLoopUtilization()
  let rho = 0
  const patience = new AbortController()
  const giveUp = setTimeout(() => patience.abort(), START_IN_MS + durationMs + PATIENCE_MS)

  async function ask(due: number): Promise<void> {
    const called = performance.now()
    if (called - due <= ON_TIME_MS) onTime++
    try {
      const { signal } = patience
      const response = await fetch(url, { method: 'POST', headers: HEADERS, body, signal })
      const last = await lastToken(response, workload.workMs)
      fromCall.push(last - called)
      fromDue.push(last - due)
      ends.push(last - start)
    } catch {
      // Counted, and told with the results.
      failed++
    }
  }

  async function offered(): Promise<void> {
    await after(START_IN_MS + durationMs)
    rho = performance.eventLoopUtilization(utilisation).utilization
  }

  await Promise.all([
    ...Array.from(offsets, async (offset) => {
      // Timers count whole milliseconds, and would fire early.
      await after(Math.ceil(START_IN_MS + offset))
      await ask(start + offset)
    }),
    offered(),
  ])
  clearTimeout(giveUp)
  const { user, system } = process.cpuUsage(cpu)
  return {
    achieved: rateUntil(durationMs, ends),
    onTime: onTime / offsets.length,
    fromCall: summaryOf(fromCall),
    fromDue: summaryOf(fromDue),
    rho,
    cpuUs: (user + system) / fromCall.length,
    unanswered: failed / offsets.length,
  }
}

/** Replies per second from the first reply to the end of the offering: before it, none can have come. */
function rateUntil(durationMs: number, ends: readonly number[]): number {
  const inTime = ends.filter((end) => end <= durationMs)
  const first = inTime.reduce((least, end) => Math.min(least, end), durationMs)
  return inTime.length === 0 ? 0 : (inTime.length * 1000) / (durationMs - first)
}

function after(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

interface Chunk {
  readonly choices: readonly { readonly delta?: { readonly content?: string } }[]
}

/** Reads a streamed reply; gives the instant at which its last token was read. Work comes after the stamp. */
async function lastToken(response: Response, workMs: number): Promise<number> {
  const decoder = new TextDecoder()
  let rest = ''
  let last = Number.NaN
  for await (const bytes of response.body!) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      if (!line.startsWith('data: {')) continue
      const chunk = JSON.parse(line.slice('data: '.length)) as Chunk
      if (!chunk.choices[0]?.delta?.content) continue
      last = performance.now()
      if (workMs > 0) spin(workMs)
    }
  }
  if (Number.isNaN(last)) throw new Error(`status ${response.status}, no token`)
  return last
}
