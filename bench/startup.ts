/**
 * Time a run costs beyond its load: from the command to the first request at the target, and from the last reply to
 * the verdict.
 *
 *   npm run build && npx node bench/startup.ts [runs]
 *
 * Runs real Vitest on fixtures/projects/startup, with the package as built in dist, against a server in this process.
 * The verdict is taken as the moment at which Vitest prints its summary of tests; the exit is told beside it.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises'
import net from 'node:net'
import { join } from 'node:path'
import { wireFormat } from '../src/client/formats.ts'
import { streamedReply } from '../src/worker/null-server.ts'
import { medianOf } from './offered-load.ts'

const ROOT = join(import.meta.dirname, '..')

/** Milliseconds of one run. */
export interface StartupFigures {
  readonly toFirstRequest: number
  readonly toVerdict: number
  readonly toExit: number
}

export async function startupOnce(): Promise<StartupFigures> {
  const base = join(ROOT, 'node_modules/.cache/vitest-slo-bench')
  await mkdir(base, { recursive: true })
  const project = await mkdtemp(join(base, 'startup-'))
  await cp(join(ROOT, 'fixtures/projects/startup'), project, { recursive: true })
  let first = 0
  let last = 0
  const reply = Buffer.concat(streamedReply(wireFormat('openai-chat'), 1))
  const server = net.createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => socket.destroy())
    socket.on('data', () => {
      first ||= performance.now()
      socket.write(reply)
      last = performance.now()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as net.AddressInfo
  try {
    const start = performance.now()
    const vitest = spawn('npx', ['vitest', 'run', '--project', 'slo'], {
      cwd: project,
      env: { ...process.env, SLO_URL: `http://127.0.0.1:${port}/v1`, NO_COLOR: '1' },
    })
    let output = ''
    let verdict = 0
    vitest.stdout.on('data', (text: Buffer) => {
      output += text.toString()
      if (/^ +Tests +\d/m.test(output)) verdict ||= performance.now()
    })
    vitest.stderr.on('data', (text: Buffer) => (output += text.toString()))
    const [code] = (await once(vitest, 'close')) as [number]
    if (code !== 0 || first === 0) throw new Error(`the run failed:\n${output}`)
    return { toFirstRequest: first - start, toVerdict: verdict - last, toExit: performance.now() - last }
  } finally {
    server.close()
    await rm(project, { recursive: true, force: true })
  }
}

if (import.meta.main) {
  const runs = Number(process.argv[2] ?? 5)
  const all: StartupFigures[] = []
  for (let run = 0; run < runs; run++) all.push(await startupOnce())
  const middle = (of: (figures: StartupFigures) => number) => Math.round(medianOf(all.map(of)))
  console.table({
    'command to first request, ms': middle((run) => run.toFirstRequest),
    'last reply to verdict, ms': middle((run) => run.toVerdict),
    'last reply to exit, ms': middle((run) => run.toExit),
  })
}
