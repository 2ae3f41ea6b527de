import { startBenchProcess } from '../bench-process.ts'
import { PATH } from '../workload.ts'
import type { BenchClient } from './bench-client.ts'
import type { FetchScriptAnswer, FetchScriptOrder } from './fetch-script-process.ts'

export const FETCH_AS_TOLD = 'fetch script, from the call'
export const FETCH_FROM_DUE = 'the same, from the due instant'

/** A first script on `fetch`; tells its figures as it records them, and as they were for whoever waited. */
export async function startFetchScript(): Promise<BenchClient> {
  const script = await startBenchProcess(new URL('./fetch-script-process.ts', import.meta.url))
  return {
    async run(workload, server) {
      const order = { workload, url: server.url + PATH }
      const answer = await script.ask<FetchScriptOrder, FetchScriptAnswer>(order)
      const { fromCall, fromDue, ...figures } = answer
      const told = { ...figures, modelledMs: null, observedMs: null, voids: null, notes: [] }
      return [
        { ...told, client: FETCH_AS_TOLD, e2e: fromCall },
        { ...told, client: FETCH_FROM_DUE, e2e: fromDue, cpuUs: null },
      ]
    },
    close: () => script.close(),
  }
}
