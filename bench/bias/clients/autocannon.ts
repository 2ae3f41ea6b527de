import { startBenchProcess } from '../bench-process.ts'
import { PATH } from '../workload.ts'
import type { AutocannonAnswer, AutocannonOrder } from './autocannon-process.ts'
import type { BenchClient } from './bench-client.ts'

/** autocannon with `overallRate` and its default of 10 connections. */
export async function startAutocannon(): Promise<BenchClient> {
  const cannon = await startBenchProcess(new URL('./autocannon-process.ts', import.meta.url))
  return {
    async run(workload, server) {
      const order = { workload, url: server.url + PATH }
      const answer = await cannon.ask<AutocannonOrder, AutocannonAnswer>(order)
      const unknown = { onTime: null, modelledMs: null, observedMs: null, voids: null }
      return [{ client: 'autocannon', ...answer, ...unknown, notes: [] }]
    },
    close: () => cannon.close(),
  }
}
