import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { cpus, platform, release } from 'node:os'

/** One line on the machine and the versions of everything that ran; `commands` are those found on the PATH. */
export async function machineLine(commands: readonly string[]): Promise<string> {
  const all = cpus()
  const require = createRequire(import.meta.url)
  const version = (name: string) => `${name} ${(require(`${name}/package.json`) as { version: string }).version}`
  const found = await Promise.all(commands.map(commandVersion))
  return [
    `${all.length} x ${all[0]?.model.trim()}`,
    `${platform()} ${release()}`,
    `Node ${process.versions.node} (its fetch is undici ${process.versions['undici']})`,
    version('undici'),
    version('autocannon'),
    ...found,
  ].join(', ')
}

/** How to ask each for its version. */
const ASKED: Readonly<Record<string, string>> = { k6: 'version', oha: '--version', wrk: '--version' }

/** The name and the first thing that looks like a version; wrk ends with an error after telling it. */
async function commandVersion(name: string): Promise<string> {
  const child = spawn(name, [ASKED[name]!], { stdio: ['ignore', 'pipe', 'ignore'] })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more))
  await once(child, 'close')
  return `${name} ${/\d+\.\d+\.\d+/.exec(text)?.[0] ?? 'of unknown version'}`
}
