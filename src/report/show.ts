import { readReport } from './json.ts'
import { renderReports, type RenderedReport, type RenderOptions } from './terminal.ts'

/** Where `show` prints, and how. */
export interface ShowIO extends RenderOptions {
  readonly out: (text: string) => void
  readonly err: (text: string) => void
}

/**
 * Prints the tables of the reports in these files, the same that the run printed. A file that is no report gets a
 * line on `err` and does not keep the others from being shown.
 *
 * @returns exit code: 0 when every file was shown, else 1. Verdicts do not change it: the run had its own exit code.
 */
export async function show(paths: readonly string[], io: ShowIO): Promise<0 | 1> {
  if (paths.length === 0) {
    io.err('show: name at least one report, for example .slo/chat.slo.ts/chat.json\n')
    return 1
  }
  const read = await Promise.allSettled(paths.map(readReport))
  const shown: RenderedReport[] = []
  for (const [i, result] of read.entries()) {
    if (result.status === 'fulfilled') shown.push({ report: result.value, path: paths[i]! })
    else io.err(`show: ${result.reason instanceof Error ? result.reason.message : String(result.reason)}\n`)
  }
  if (shown.length > 0) io.out(`${renderReports(shown, io)}\n`)
  return shown.length === paths.length ? 0 : 1
}
