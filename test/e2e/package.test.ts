import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { environment } from './fixture-project.ts'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const run = promisify(execFile)

/** What a user writes. */
const FILES = {
  'package.json': JSON.stringify({ name: 'user', private: true, type: 'module' }),
  'vitest.config.ts': `import { defineConfig } from 'vitest/config'
import { sloProject } from 'vitest-slo/config'

export default defineConfig({
  test: {
    projects: [{ test: { name: 'unit', include: ['test/**/*.test.ts'] } }, sloProject({ workers: 1 })],
  },
})
`,
  // Delays so long that a busy machine keeps the embedded server within a tenth of them.
  'chat.slo.ts': `import { expect, type Quantity, type Report, simulator, slo, sweep, synthetic, test } from 'vitest-slo'

slo('chat', {
  target: simulator({ ttft: '3s', slots: 64 }),
  load: [{ rate: 20, requests: 10 }],
  prompts: synthetic({ inputTokens: 8, outputTokens: 4 }),
  objectives: { ttft: '1m' },
  limits: { rho: 1, busySeconds: 1, stall: '1m' },
  warmup: 0,
}, () => {
  test('p50 of the end-to-end time', ({ p50, at }) => {
    const quantity: Quantity<'ms'> = p50.e2e
    expect(quantity).toBeBelow('1m')
    expect(at(20).p50.ttft).toBeAtLeast(1000)
    // @ts-expect-error A rate is no limit for a time.
    expect(() => expect(p50.e2e).toBeBelow('1/s')).toThrow('accepted is a number of milliseconds')
  })
  test('goodput and errors', ({ goodput, errors, report }) => {
    expect(goodput.ratio).toBeAtLeast('50%')
    expect(errors.count).toBeAtMost(0)
    const written: Report = report
    expect(written.slo).toBe('chat')
  })
})

slo.skip('capacity', {
  target: { url: 'http://127.0.0.1:8000/v1', model: 'llama', apiKey: process.env['LLM_KEY'] },
  load: sweep({ from: 5, to: 80, count: 6, spacing: 'geometric', duration: '15s' }),
}, () => {
  test('carries 40 req/s', ({ saturation }) => { expect(saturation.rate).toBeAtLeast(40) })
})
`,
  'nodenext.json': tsconfig('nodenext', 'nodenext'),
  'bundler.json': tsconfig('esnext', 'bundler'),
}

function tsconfig(module: string, moduleResolution: string): string {
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, skipLibCheck: false }
  const compilerOptions = { target: 'es2023', types: ['node'], noEmit: true, module, moduleResolution, ...strict }
  return JSON.stringify({ compilerOptions, include: ['*.ts'] })
}

let folder: string
let shipped: string[]
/** The Node that runs this test comes first. */
const env = environment({ PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter) })
const at = () => ({ cwd: folder, env })

beforeAll(async () => {
  // Outside of the repository: its node_modules would be found from below it.
  folder = await mkdtemp(join(tmpdir(), 'vitest-slo-user-'))
  await mkdir(join(folder, 'test'))
  for (const [file, text] of Object.entries(FILES)) await writeFile(join(folder, file), text)
  // Without its scripts: a build now would pull dist from under other tests; npm test has built it.
  const packed = await run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], {
    cwd: ROOT,
    env,
  })
  const [{ filename, files }] = JSON.parse(packed.stdout) as [{ filename: string; files: { path: string }[] }]
  shipped = files.map(({ path }) => path)
  const wanted = ['vitest@^5', 'vite@8.3.8', 'typescript@^7', '@types/node@^24']
  await run('npm', ['install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`, ...wanted], at())
}, 180_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

test('the tarball has what is for users, and nothing else', async () => {
  const own = /^(?:dist\/.+\.(?:js|d\.ts)|README\.md|LICENSE|CHANGELOG\.md|docs\/.+\.(?:md|json|svg)|package\.json)$/
  expect(shipped.filter((path) => !own.test(path))).toEqual([])
  for (const path of ['package.json', 'LICENSE', 'docs/report.schema.json', 'dist/index.js', 'dist/index.d.ts']) {
    expect(shipped).toContain(path)
  }
})

test('no file of it names a source map or a module that is not there', async () => {
  const root = join(folder, 'node_modules/vitest-slo')
  const named: string[] = []
  for (const path of shipped) {
    const text = await readFile(join(root, path), 'utf8')
    const names = text.matchAll(/(?:sourceMappingURL=|from '(?=\.[^']*\.js'))([^'\s]+)/g)
    for (const [, name] of names) named.push(join(dirname(path), name!))
  }
  // Modules import each other, so this has found something to look for.
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter((path) => !shipped.includes(path))).toEqual([])
})

test('a spec runs against the embedded server, and its report can be shown', async () => {
  const { stdout } = await run('npx', ['vitest', 'run', '--project', 'slo'], at())
  expect(stdout).toContain('2 passed')
  expect(await readdir(join(folder, '.slo/chat.slo.ts'))).toEqual(['chat.json'])
  const shown = await run('npx', ['vitest-slo', 'show', '.slo/chat.slo.ts/chat.json'], at())
  expect(shown.stdout).toMatch(/^PASS +chat \(chat\.slo\.ts\)/)
  const report = JSON.parse(await readFile(join(folder, '.slo/chat.slo.ts/chat.json'), 'utf8')) as {
    versions: Record<string, string>
  }
  const { version } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as { version: string }
  expect(report.versions).toMatchObject({ 'vitest-slo': version })
})

test('the embedded server runs at a shell, until Ctrl-C', async () => {
  const child = spawn(join(folder, 'node_modules/.bin/vitest-slo'), ['simulate', '--ttft', '5ms', '--slots', '4'], at())
  const ended = once(child, 'close')
  try {
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
    const url = /http:\S+\/v1/.exec(line)![0]
    expect((await fetch(url.replace(/\/v1$/, '/health'))).status).toBe(200)
    const reply = await fetch(`${url}/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ messages: [{ role: 'user', content: 'one two' }], max_tokens: 3, stream: true }),
    })
    expect(await reply.text()).toMatch(/^data: \{[^]*data: \[DONE\]\n\n$/)
    child.kill('SIGINT')
    expect(await ended).toEqual([0, null])
  } finally {
    child.kill('SIGKILL')
  }
})

test.each(['nodenext', 'bundler'])('its types hold under %s, those of libraries checked too', async (resolution) => {
  const { stdout } = await run('npx', ['tsc', '-p', `${resolution}.json`], at())
  expect(stdout).toBe('')
})
