import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { cpuMs } from '../cpu-time.ts'

/** Grain at which a command's CPU time is read while it runs, ms. */
const CPU_EVERY_MS = 50

export interface Finished {
  readonly output: string
  /** CPU time, ms, up to the last reading; null where the system does not tell. */
  readonly cpuMs: number | null
}

/** Whether the PATH has a program of that name. */
export async function isOnPath(name: string): Promise<boolean> {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const found = await Promise.allSettled(folders.map((folder) => access(join(folder, name), constants.X_OK)))
  return found.some(({ status }) => status === 'fulfilled')
}

/**
 * Runs a program to its end.
 *
 * @throws {Error} when it ends with another code than 0, with what it said
 */
export async function runCommand(
  name: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const child = spawn(name, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  let used: number | null = null
  const reading = setInterval(() => {
    void cpuMs(child.pid!).then((ms) => (used = ms ?? used))
  }, CPU_EVERY_MS)
  try {
    const [code] = (await once(child, 'close')) as [number | null]
    if (code !== 0) throw new Error(`${name} ended with code ${code}:\n${errors || output}`)
  } finally {
    clearInterval(reading)
  }
  return { output, cpuMs: used }
}
