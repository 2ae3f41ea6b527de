/** autocannon in a process of its own, through its programming interface. */
import { performance } from 'node:perf_hooks'
import autocannon, { type Options, type Result } from 'autocannon'
import { answerOrders } from '../bench-process.ts'
import { type SampleSummary, summaryOf } from '../sample-summary.ts'
import { HEADERS, requestBody, type Workload } from '../workload.ts'

export interface AutocannonOrder {
  readonly workload: Workload
  readonly url: string
}

export interface AutocannonAnswer {
  readonly achieved: number
  readonly e2e: SampleSummary
  readonly rho: number
  readonly cpuUs: number
  /** Share of requests that ended in an error or another status than 2xx. */
  readonly unanswered: number
}

answerOrders(run)

async function run({ workload, url }: AutocannonOrder): Promise<AutocannonAnswer> {
  const { rate, seconds, tokens } = workload
  const samples: number[] = []
  const cpu = process.cpuUsage()
  const utilisation = performance.eventLoopUtilization()
  const request = { url, method: 'POST', headers: HEADERS, body: requestBody(tokens) } as const
  const options: Options = { ...request, duration: seconds, overallRate: rate }
  const result = await new Promise<Result>((resolve, reject) => {
    const instance = autocannon(options, (error, done) => (error ? reject(error) : resolve(done)))
    // Its own histogram has whole milliseconds, which would say nothing here.
    instance.on('response', (_client, _status, _bytes, ms) => samples.push(ms))
  })
  const { user, system } = process.cpuUsage(cpu)
  return {
    achieved: samples.length / result.duration,
    e2e: summaryOf(samples),
    rho: performance.eventLoopUtilization(utilisation).utilization,
    cpuUs: (user + system) / samples.length,
    unanswered: (result.errors + result.non2xx) / (samples.length + result.errors),
  }
}
