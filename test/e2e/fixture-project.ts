import { type ChildProcess, spawn } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Report } from '../../src/model/report.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const VITEST = join(ROOT, 'node_modules/vitest/vitest.mjs')

/** A run of Vitest that has ended. */
export interface EndedRun {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  /** stdout and stderr as they came, without colour. */
  readonly output: string
}

/** A run of Vitest under way. */
export interface RunningVitest {
  readonly process: ChildProcess
  readonly ended: Promise<EndedRun>
  /** What it has printed so far. */
  output(): string
  /** Resolves when the output has this text; rejects when the run ends without it. */
  printed(text: string | RegExp): Promise<void>
}

/** A copy of a sample project of its own, removed with `await using`. It uses the package as built in dist. */
export interface FixtureProject extends AsyncDisposable {
  readonly path: string
  write(file: string, text: string): Promise<void>
  start(args: readonly string[], env?: Record<string, string>): RunningVitest
  run(args: readonly string[], env?: Record<string, string>): Promise<EndedRun>
  /** Starts it in a terminal of its own, made by `script` of util-linux: what is written to its stdin is typed. */
  startInTerminal(args: readonly string[], env?: Record<string, string>): RunningVitest
  /** Reports below the output folder, by path relative to it. */
  reports(outputDir?: string): Promise<Map<string, Report>>
}

/**
 * Copies `fixtures/projects/<name>` to a folder inside the repository, where `vitest` and `vitest-slo` resolve, and
 * lays `files` over it.
 */
export async function fixtureProject(name: string, files: Record<string, string> = {}): Promise<FixtureProject> {
  // Not below node_modules: Vite watches nothing there.
  const base = join(ROOT, '.vitest/e2e')
  await mkdir(base, { recursive: true })
  const path = await mkdtemp(join(base, `${name}-`))
  await cp(join(ROOT, 'fixtures/projects', name), path, { recursive: true })
  const write = async (file: string, text: string) => {
    await mkdir(dirname(join(path, file)), { recursive: true })
    await writeFile(join(path, file), text)
  }
  for (const [file, text] of Object.entries(files)) await write(file, text)
  const running = new Set<ChildProcess>()
  const begin = (command: string, args: readonly string[], env: Record<string, string> = {}): RunningVitest => {
    const child = spawn(command, args, { cwd: path, env: environment(env) })
    running.add(child)
    void once(child).then(() => running.delete(child))
    return follow(child)
  }
  const start: FixtureProject['start'] = (args, env) => begin(process.execPath, [VITEST, ...args], env)
  return {
    path,
    write,
    start,
    run: (args, env) => start(args, env).ended,
    startInTerminal(args, env) {
      const vitest = [process.execPath, VITEST, ...args].join(' ')
      return begin('script', ['-qec', `stty columns 120; exec ${vitest}`, '/dev/null'], { CI: '', ...env })
    },
    reports: (outputDir = '.slo') => readReports(join(path, outputDir)),
    async [Symbol.asyncDispose]() {
      for (const child of running) child.kill('SIGKILL')
      await rm(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}

/** The environment of a user's shell: without what Vitest has set for the process that runs these tests. */
export function environment(extra: Record<string, string>): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', CI: 'true', ...extra }
  for (const name of Object.keys(env))
    if (/^(VITEST|VITE_|TEST$|NODE_ENV$|DEV$|PROD$|MODE$|FORCE_COLOR$|GITHUB_)/.test(name)) delete env[name]
  return { ...env, ...extra }
}

export function follow(child: ChildProcess): RunningVitest {
  let output = ''
  const looking = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8')
    stream?.on('data', (text: string) => {
      output += text
      for (const look of looking) look()
    })
  }
  const ended = once(child).then(({ code, signal }) => ({ code, signal, output }))
  return {
    process: child,
    ended,
    output: () => output,
    printed(text) {
      const found = () => (typeof text === 'string' ? output.includes(text) : text.test(output))
      return new Promise((resolve, reject) => {
        const look = () => {
          if (!found()) return
          looking.delete(look)
          resolve()
        }
        looking.add(look)
        look()
        const missing = (): void => {
          if (!found()) reject(new Error(`the run ended without printing ${String(text)}:\n${output}`))
        }
        void ended.then(missing)
      })
    },
  }
}

function once(child: ChildProcess): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve) => {
    // 'close' and not 'exit': all output has come by then.
    child.once('close', (code, signal) => resolve({ code, signal }))
    child.once('error', () => resolve({ code: -1, signal: null }))
  })
}

async function readReports(folder: string): Promise<Map<string, Report>> {
  const found = new Map<string, Report>()
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries) {
    if (!entry.isFile() || !entry.name.endsWith('.json')) continue
    const path = join(entry.parentPath, entry.name)
    found.set(path.slice(folder.length + 1), JSON.parse(await readFile(path, 'utf8')) as Report)
  }
  return found
}
