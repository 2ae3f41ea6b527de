import { PATH, requestBody, type Workload } from '../workload.ts'
import type { BenchClient, Told } from './bench-client.ts'
import { runCommand } from './command.ts'

/** oha with a rate and its default of 50 connections; its latencies are from the due instant (`--latency-correction`). */
export function oha(): BenchClient {
  return {
    async run(workload, server) {
      const help = (await runCommand('oha', ['--help'])).output
      const json = help.includes('--output-format') ? ['--output-format', 'json'] : ['--json']
      const { rate, seconds, tokens } = workload
      const load = ['-z', `${seconds}s`, '-q', String(Math.round(rate)), '--latency-correction', '--no-tui']
      const request = ['-m', 'POST', '-T', 'application/json', '-d', requestBody(tokens), server.url + PATH]
      const { output, cpuMs } = await runCommand('oha', [...json, ...load, ...request])
      return [ohaTold(output, workload, cpuMs)]
    },
    close: async () => undefined,
  }
}

interface OhaOutput {
  readonly summary?: { readonly average?: number | null }
  readonly latencyPercentiles?: { readonly p99?: number | null }
  readonly statusCodeDistribution?: Readonly<Record<string, number>>
  readonly errorDistribution?: Readonly<Record<string, number>>
}

/** What oha writes into `errorDistribution` of requests that the end of the time has cut off: no failures. */
const CUT_OFF = 'aborted due to deadline'

/**
 * What oha tells with `--output-format json`; its times are in seconds.
 *
 * @see https://github.com/hatoo/oha/blob/master/schema.json
 * @throws {Error} when the output has not the shape that this reads
 */
export function ohaTold(json: string, { seconds }: Workload, cpuMs: number | null): Told {
  const output = JSON.parse(json) as OhaOutput
  const { summary, latencyPercentiles, statusCodeDistribution, errorDistribution = {} } = output
  const mean = summary?.average
  const p99 = latencyPercentiles?.p99
  if (mean === undefined || p99 === undefined || statusCodeDistribution === undefined) {
    throw new Error(
      'oha gave no summary.average, latencyPercentiles.p99 or statusCodeDistribution: its shape has changed',
    )
  }
  const good = statusCodeDistribution['200'] ?? 0
  const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
  const errors = Object.entries(errorDistribution).filter(([message]) => message !== CUT_OFF)
  const failed = sum(Object.values(statusCodeDistribution)) - good + sum(errors.map(([, count]) => count))
  return {
    client: 'oha',
    achieved: good / seconds,
    onTime: null,
    // NaN comes as null.
    e2e: { meanMs: mean === null ? null : mean * 1000, p99Ms: p99 === null ? null : p99 * 1000 },
    rho: null,
    modelledMs: null,
    observedMs: null,
    cpuUs: cpuMs === null || good === 0 ? null : (cpuMs * 1000) / good,
    unanswered: good + failed === 0 ? 0 : failed / (good + failed),
    voids: null,
    notes: [],
  }
}
