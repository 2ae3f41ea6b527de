import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HEADERS, PATH, requestBody } from '../workload.ts'
import type { BenchClient, Told } from './bench-client.ts'
import { runCommand } from './command.ts'

const CONNECTIONS = 32

/** wrk, one thread, as fast as the server goes: the least CPU that a client can spend on a reply. It offers no rate. */
export function wrk(): BenchClient {
  return {
    async run({ seconds, tokens }, server) {
      const folder = await mkdtemp(join(tmpdir(), 'bias-wrk-'))
      try {
        const script = join(folder, 'load.lua')
        await writeFile(script, scriptFor(requestBody(tokens)))
        const load = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${Math.ceil(seconds)}s`]
        const { output, cpuMs } = await runCommand('wrk', [...load, '-s', script, server.url + PATH])
        return [wrkTold(output, cpuMs)]
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
    close: async () => undefined,
  }
}

/** JSON's strings are Lua's, as long as they are ASCII. */
function scriptFor(body: string): string {
  const headers = Object.entries(HEADERS).map(([name, value]) => `wrk.headers["${name}"] = "${value}"`)
  return ['wrk.method = "POST"', `wrk.body = ${JSON.stringify(body)}`, ...headers].join('\n')
}

/**
 * What wrk prints at its end: `12345 requests in 5.00s, 1.2MB read` and `Requests/sec:  2469.00`. Its latencies are
 * those of a server driven to its limit, and so left out.
 *
 * @throws {Error} when the text has not the shape that this reads
 */
export function wrkTold(text: string, cpuMs: number | null): Told {
  const count = /^\s*(\d+) requests in /m.exec(text)?.[1]
  const rate = /^Requests\/sec:\s+([\d.]+)/m.exec(text)?.[1]
  if (count === undefined || rate === undefined) throw new Error(`wrk has printed no rate:\n${text}`)
  const errors = /^\s*(Socket errors: .*|Non-2xx or 3xx responses: .*)$/m.exec(text)?.[1]
  return {
    client: 'wrk, as fast as it goes',
    achieved: Number(rate),
    onTime: null,
    e2e: { meanMs: null, p99Ms: null },
    rho: null,
    modelledMs: null,
    observedMs: null,
    cpuUs: cpuMs === null ? null : (cpuMs * 1000) / Number(count),
    unanswered: 0,
    voids: null,
    notes: errors === undefined ? [] : [`wrk: ${errors}`],
  }
}
