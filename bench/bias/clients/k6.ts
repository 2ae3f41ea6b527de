import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HEADERS, PATH, requestBody, type Workload } from '../workload.ts'
import type { BenchClient, Told } from './bench-client.ts'
import { runCommand } from './command.ts'

/** Virtual users: as many requests can be in flight; beyond them k6 drops arrivals, and says so. */
const VIRTUAL_USERS = 500

/** The summary's shape before k6 1.5, which later ones still give; and no report of usage to its makers. */
const ENVIRONMENT = { K6_NEW_MACHINE_READABLE_SUMMARY: 'false', K6_NO_USAGE_REPORT: 'true' }

/** k6 with its open model, `constant-arrival-rate`. */
export function k6(): BenchClient {
  return {
    async run(workload, server) {
      const folder = await mkdtemp(join(tmpdir(), 'bias-k6-'))
      try {
        const [script, summary] = [join(folder, 'load.js'), join(folder, 'summary.json')]
        await writeFile(script, scriptFor(workload, server.url + PATH, summary))
        const { cpuMs } = await runCommand('k6', ['run', '--quiet', script], ENVIRONMENT)
        return [k6Told(await readFile(summary, 'utf8'), workload, cpuMs)]
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: async () => undefined,
  }
}

function scriptFor({ rate, seconds, tokens }: Workload, url: string, summary: string): string {
  const options = {
    scenarios: {
      bias: {
        executor: 'constant-arrival-rate',
        rate: Math.round(rate),
        timeUnit: '1s',
        duration: `${seconds}s`,
        preAllocatedVUs: VIRTUAL_USERS,
        maxVUs: VIRTUAL_USERS,
      },
    },
    summaryTrendStats: ['avg', 'med', 'p(99)', 'max'],
  }
  const request = `${JSON.stringify(url)}, ${JSON.stringify(requestBody(tokens))}, { headers: ${JSON.stringify(HEADERS)} }`
  return [
    "import http from 'k6/http'",
    `export const options = ${JSON.stringify(options)}`,
    `export default function () { http.post(${request}) }`,
    `export function handleSummary(data) { return { ${JSON.stringify(summary)}: JSON.stringify(data) } }`,
  ].join('\n')
}

interface K6Summary {
  readonly metrics?: Readonly<Record<string, { readonly values?: Readonly<Record<string, number>> } | undefined>>
}

/**
 * What k6 tells, from the object that it gives to `handleSummary`: `http_req_duration` is from the first byte sent to
 * the last one read, ms, without the wait for a virtual user.
 *
 * @see https://grafana.com/docs/k6/latest/results-output/end-of-test/custom-summary/
 * @throws {Error} when the object has not the shape that this reads
 */
export function k6Told(json: string, { rate, seconds }: Workload, cpuMs: number | null): Told {
  const { metrics } = JSON.parse(json) as K6Summary
  const value = (metric: string, name: string) => metrics?.[metric]?.values?.[name]
  const count = value('http_reqs', 'count')
  const meanMs = value('http_req_duration', 'avg')
  const p99Ms = value('http_req_duration', 'p(99)')
  if (count === undefined || meanMs === undefined || p99Ms === undefined) {
    throw new Error('the summary of k6 has no http_reqs.count, http_req_duration.avg or p(99): its shape has changed')
  }
  // Absent when there was none.
  const dropped = value('dropped_iterations', 'count') ?? 0
  const failed = (value('http_req_failed', 'rate') ?? 0) * count
  return {
    client: 'k6',
    achieved: count / seconds,
    onTime: null,
    e2e: { meanMs, p99Ms },
    rho: null,
    modelledMs: null,
    observedMs: null,
    cpuUs: cpuMs === null ? null : (cpuMs * 1000) / count,
    unanswered: (dropped + failed) / (rate * seconds),
    voids: null,
    notes: dropped > 0 ? [`k6: ${dropped} arrivals dropped`] : [],
  }
}
