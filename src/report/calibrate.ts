import { relative } from 'node:path'
import { type Calibration, type Fingerprint, type LoadCost, ratesAt } from '../model/calibration.ts'
import { DEFAULT_LIMITS } from '../model/plan.ts'
import { trim } from '../model/units.ts'
import { measureLoadCost } from '../pool/calibrate.ts'
import { keepCalibration } from '../pool/calibration-cache.ts'
import { SIZING_RHO } from '../model/plan.ts'
import { shortfallOf, sizingOf } from '../spec/workers.ts'
import { counted, digits, grouped } from './digits.ts'
import { demandText, estimated, processesText } from './sizing.ts'
import { arrange, type Column } from './table.ts'
import { wrap } from './text.ts'

/** What `calibrate` measures, for whom, and where it prints. */
export interface CalibrateIO {
  /** About how long it may take, s. */
  readonly seconds: number
  /** Folder in whose `node_modules`, or one above, the result is kept. */
  readonly folder: string
  readonly fingerprint: Fingerprint
  /** Width in columns. */
  readonly width: number
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/** Loads whose size the table tells, by rate and streamed tokens. */
const EXAMPLES = [
  { rate: 1000, tokens: 1 },
  { rate: 1000, tokens: 64 },
]

/**
 * Measures what one load process of this machine handles, prints it, and keeps it for `workers: 'auto'`.
 *
 * @returns exit code: 0, or 1 when it was measured but could not be kept
 * @throws LoadError when it could not be measured
 */
export async function calibrate(io: CalibrateIO): Promise<0 | 1> {
  const { seconds, folder, fingerprint, width, out, err } = io
  out(`measuring one load process against a null server, about ${trim(seconds)} s: leave the machine alone meanwhile\n`)
  const cost = await measureLoadCost(seconds)
  const calibration: Calibration = { ...cost, measuredAt: new Date().toISOString(), fingerprint }
  out(`\n${calibrationText(calibration, width)}\n`)
  try {
    const path = await keepCalibration(calibration, folder)
    out(`\nkept for workers: 'auto' in ${relative(folder, path)}\n`)
    return 0
  } catch (error) {
    err(`calibrate: ${error instanceof Error ? error.message : String(error)}\n`)
    return 1
  }
}

/** A calibration as a table: rates of one load process at rho 1 and 0.5, cost of an event; what `'auto'` makes of it. */
export function calibrationText(calibration: Calibration, width: number): string {
  const { limited, fingerprint } = calibration
  const { cpu, cores, platform, arch, node } = fingerprint
  const bound = (name: keyof LoadCost, sign: string) => (limited.includes(name) ? sign : '')
  const rates = (rho: number) => {
    const { requests, tokens } = ratesAt(rho, calibration)
    return [bound('requestMs', '>') + grouped(requests), bound('tokenMs', '>') + grouped(tokens)]
  }
  const microseconds = (name: keyof LoadCost) => bound(name, '<') + digits(calibration[name] * 1000)
  const lead: Column = { name: '', unit: '', cells: ['requests', 'tokens'] }
  const columns: Column[] = [
    { name: 'at rho 1', unit: '/s', cells: rates(1) },
    { name: `at rho ${SIZING_RHO}`, unit: '/s', cells: rates(SIZING_RHO) },
    { name: 'each', unit: 'us', cells: [microseconds('requestMs'), microseconds('tokenMs')] },
  ]
  const head = `one load process of this machine (${cpu}, ${counted(cores, 'core')}, ${platform} ${arch}, Node ${node})`
  const tables = arrange(lead, [columns], columns, width).map((table) => [...table.head, ...table.rows].join('\n'))
  const lines = [...notesOn(calibration), ...EXAMPLES.map((example) => exampleText(example, calibration))]
  return [wrap(head, width).join('\n'), ...tables, lines.flatMap((line) => wrap(line, width)).join('\n')].join('\n\n')
}

/** What the figures are not. */
function notesOn({ limited, fingerprint }: Calibration): string[] {
  const notes = ['a request has one token; a token is one more that comes by itself, beside its request']
  if (limited.length > 0) {
    notes.push('> and < are bounds: no sound step came near half busy, where costs are read')
  }
  if (fingerprint.cores < 3) {
    notes.push(
      `load process and null server shared ${counted(fingerprint.cores, 'core')}: with the server elsewhere it may handle more`,
    )
  }
  return notes
}

function exampleText({ rate, tokens }: (typeof EXAMPLES)[number], calibration: Calibration): string {
  const { cores } = calibration.fingerprint
  const step = { kind: 'open', rate, durationMs: 1000, requests: rate } as const
  const load = { kind: 'list', steps: [step] } as const
  const sizing = sizingOf({ auto: true, cores, calibration, load, tokens, maxInFlight: undefined })
  const demand = sizing.busiest!
  const made = counted(sizing.workers, 'load process', 'load processes')
  const offers = shortfallOf(sizing, sizing.workers, DEFAULT_LIMITS.rho)?.offers ?? null
  const few = offers === null ? '' : `, which is too few: this machine offers about ${estimated(offers)} req/s of it`
  return `${demandText(demand)} asks ${processesText(demand)}: workers: 'auto' makes ${made}${few}`
}
