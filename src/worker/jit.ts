import { createClient } from '../client/client.ts'
import { wireFormat } from '../client/formats.ts'
import { type Lateness, NEVER_LATE } from '../client/lateness.ts'
import { Recording } from '../metrics/recording.ts'
import type { Plan } from '../model/plan.ts'
import { hostNow } from './clock.ts'
import { startNullServer, streamedReply } from './null-server.ts'

/** Most requests (chosen: what fits into the time that a run may take to start; compiling goes on for seconds after). */
const REQUESTS = 2000
const CONNECTIONS = 8
const TOKENS = 8

/**
 * Runs the client and the recording against a null server on loopback, so that their code is compiled and the
 * first requests at the target do not pay for all of it.
 * Bounded by a number of requests and by time; a failure here is none of the run's and is not reported.
 *
 * @param budgetMs longest time, ms
 * @param lateness of this process, whose code belongs to the hot path
 * @returns number of requests made
 */
export async function warmJit(plan: Plan, budgetMs: number, lateness: Lateness = NEVER_LATE): Promise<number> {
  const format = wireFormat(plan.target.api)
  const server = await startNullServer(streamedReply(format, TOKENS))
  const start = hostNow()
  const until = start + budgetMs
  const recording = new Recording({
    startMs: start,
    binMs: 100,
    bins: 10,
    objectives: plan.objectives,
    onTimeMs: plan.limits.onTimeMs,
  })
  let sent = 0
  let inFlight = 0
  let finish: () => void
  const finished = new Promise<void>((resolve) => (finish = resolve))
  const client = createClient({
    target: {
      ...plan.target,
      // The null server gives every request the same reply: no method may ask for one without a body.
      method: plan.target.body === null ? 'GET' : 'POST',
      status: null,
      url: `http://127.0.0.1:${server.port}/`,
      headers: {},
      stream: true,
    },
    prompts: plan.prompts,
    seed: plan.seed,
    timeouts: plan.timeouts,
    now: hostNow,
    lateness,
    onEnd(trace) {
      recording.record(trace)
      inFlight--
      if (sent < REQUESTS && hostNow() < until) next()
      else if (inFlight === 0) finish()
    },
  })
  const next = () => {
    inFlight++
    const now = hostNow()
    recording.arrive(now)
    client.send(-1, sent, sent++, now)
  }
  await client.open(CONNECTIONS)
  for (let i = 0; i < CONNECTIONS; i++) next()
  await finished
  recording.takeSecond()
  recording.toData()
  await client.close()
  await server.close()
  return sent
}
