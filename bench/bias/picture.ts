import { ONE_PROCESS } from './claim.ts'
import { FETCH_AS_TOLD, FETCH_FROM_DUE } from './clients/fetch-script.ts'
import { lineChart, type Panel, type Series } from './line-chart.ts'
import type { Row } from './row.ts'

/** Name of the script's second series, where no line above says what "the same" is. */
const SCRIPT_FROM_DUE = FETCH_FROM_DUE.replace('the same', 'fetch script')

/** The sweep as a picture: what each client adds to the mean and to the p99, over the load. */
export function pictureOf(rows: readonly Row[]): string {
  const sweep = rows.filter(({ level }) => level !== null)
  // vitest-slo first: a stable sort by whether it is another.
  const clients = [...new Set(sweep.map(({ client }) => client))].toSorted(
    (a, b) => Number(isScript(a)) - Number(isScript(b)),
  )
  const added = (of: (row: Row) => number | null): Series[] =>
    clients.map((client) => ({ ...lookOf(client, clients), points: pointsOf(sweep, client, of) }))
  const waits: Series[] = [
    {
      ...lookOf(ONE_PROCESS, clients),
      name: 'wait that 1 load process observed',
      mark: 'none',
      stroke: 'dotted',
      points: pointsOf(sweep, ONE_PROCESS, ({ observed }) => observed),
    },
    {
      name: 'wait by Pollaczek-Khinchine',
      colour: 'ink',
      mark: 'none',
      stroke: 'dashed',
      points: pointsOf(sweep, ONE_PROCESS, ({ modelled }) => modelled),
    },
  ]
  const panels: Panel[] = [
    { title: 'Added to the mean E2E, ms', series: [...added(({ addedMean }) => addedMean), ...waits] },
    { title: 'Added to the p99 of E2E, ms', series: added(({ addedP99 }) => addedP99) },
  ]
  return lineChart({
    title: 'What the client adds to the latency that it measures',
    description:
      'Two charts over the offered load, in shares of what one load process can do. The added latency of one process ' +
      'grows without bound towards 1, that of several stays low, and that of a script on fetch breaks away earlier.',
    xTitle: 'offered load / what one load process can do (its rho)',
    panels,
  })
}

function isScript(client: string): boolean {
  return client === FETCH_AS_TOLD || client === FETCH_FROM_DUE
}

function lookOf(client: string, clients: readonly string[]): Omit<Series, 'points'> {
  if (client === FETCH_AS_TOLD) return { name: client, colour: 'orange', mark: 'triangle', stroke: 'solid' }
  if (client === FETCH_FROM_DUE) return { name: SCRIPT_FROM_DUE, colour: 'red', mark: 'wedge', stroke: 'solid' }
  if (client === ONE_PROCESS) return { name: client, colour: 'blue', mark: 'circle', stroke: 'solid' }
  const several = clients.filter((name) => !isScript(name) && name !== ONE_PROCESS)
  return several.indexOf(client) === 0
    ? { name: client, colour: 'green', mark: 'square', stroke: 'solid' }
    : { name: client, colour: 'purple', mark: 'diamond', stroke: 'solid' }
}

function pointsOf(
  rows: readonly Row[],
  client: string,
  of: (row: Row) => number | null,
): (readonly [x: number, y: number])[] {
  return rows
    .filter((row) => row.client === client)
    .flatMap((row) => {
      const value = of(row)
      return value === null ? [] : [[row.level!, value] as const]
    })
    .toSorted(([a], [b]) => a - b)
}
