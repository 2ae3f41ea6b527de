/**
 * CPU that the client costs in each wire format, against openai-chat.
 *
 *   npx node bench/format-cpu.ts [api,api,...] [seconds per measurement] [alternations]
 *
 * Without names, all formats that have tokens. The formats take turns, each against a server that sends its own sample
 * reply; the median of each is compared. What is wanted: at most 1.3 x openai-chat's CPU per token event, when every
 * token is a read of its own. Compare figures of one run only.
 */
import { API_NAMES, wireFormat } from '../src/client/formats.ts'
import { LOADS, type Load, type Measured, measureOnce, row, startServer } from './client-cpu.ts'

const BASE = 'openai-chat'
const WANTED = 1.3

if (import.meta.main) {
  const [names, seconds = '3', alternations = '5'] = process.argv.slice(2)
  const all = API_NAMES.filter((api) => wireFormat(api).framing !== 'none')
  await compareFormats(names === undefined ? all : names.split(','), Number(seconds), Number(alternations))
}

/** A format's CPU as a ratio to openai-chat's, by load. */
export interface FormatRatio {
  readonly api: string
  readonly load: string
  readonly perRequest: number
  readonly perToken: number
}

export async function compareFormats(
  apis: readonly string[],
  seconds: number,
  alternations: number,
): Promise<FormatRatio[]> {
  const compared = [BASE, ...apis.filter((api) => api !== BASE)]
  const ratios: FormatRatio[] = []
  for (const load of LOADS) {
    const runs = await measureInTurn(compared, load, seconds, alternations)
    const base = row(runs.get(BASE)!)
    const rows = compared.map((api) => {
      const figures = row(runs.get(api)!)
      const [perRequest, perToken] = [
        figures['us/request'] / base['us/request'],
        figures['us/token'] / base['us/token'],
      ]
      ratios.push({ api, load: load.name, perRequest, perToken })
      const met = load.gapMs === 0 || perToken <= WANTED ? '' : `above ${WANTED}`
      return [api, { ...figures, 'x openai-chat': Number(perToken.toFixed(2)), '': met }] as const
    })
    console.log(`\n${load.name}`)
    console.table(Object.fromEntries(rows))
  }
  return ratios
}

async function measureInTurn(
  apis: readonly string[],
  load: Load,
  seconds: number,
  alternations: number,
): Promise<ReadonlyMap<string, Measured[]>> {
  const runs = new Map<string, Measured[]>(apis.map((api) => [api, []]))
  for (let turn = 0; turn < alternations; turn++) {
    for (const api of apis) {
      // One server at a time: idle ones would still take the caches.
      const server = await startServer(load, api)
      runs.get(api)!.push(await measureOnce('client', load, api, server.port, seconds))
      server.stop()
    }
  }
  return runs
}
