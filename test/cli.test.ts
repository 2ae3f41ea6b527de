import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const CLI = fileURLToPath(new URL('../src/cli.ts', import.meta.url))
const REPORT = fileURLToPath(new URL('../fixtures/profiles/list.json', import.meta.url))
/** How the tables of that report begin. */
const SHOWN = /^FAIL +chat \(load\/chat\.slo\.ts\)/

interface Ended {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs the program to its end. */
function cli(...args: string[]): Promise<Ended> {
  return new Promise((resolve) => {
    const child: ChildProcess = execFile(process.execPath, [CLI, ...args], (_error, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr })
    })
  })
}

describe.concurrent('help', () => {
  test.each([[['help']], [['--help']], [['-h']], [['simulate', '--help']], [['show', '-h']], [['calibrate', '-h']]])(
    '%j prints what there is',
    async (args) => {
      const { code, stdout, stderr } = await cli(...args)
      expect(stdout).toMatch(/npx vitest-slo show FILE[^]*vitest-slo calibrate[^]*vitest-slo simulate[^]*--slots N/)
      expect(stdout).toContain('--seconds N       about how long it takes, 5 to 600 (default 10)')
      expect([code, stderr]).toEqual([0, ''])
    },
  )

  test('no command prints it too, and is a mistake', async () => {
    const { code, stdout } = await cli()
    expect(stdout).toMatch(/^vitest-slo: load tests/)
    expect(code).toBe(2)
  })
})

describe.concurrent('a command line that is wrong ends with code 2 and says why', () => {
  test.each<[string[], string]>([
    [['tune'], 'unknown command "tune"; there are show, calibrate and simulate'],
    [['calibrate', '--quick'], "Unknown option '--quick'"],
    [['calibrate', '5'], "Unexpected argument '5'"],
    [['calibrate', '--seconds', 'many'], '--seconds many: expected a number'],
    [['calibrate', '--seconds', '4.9'], '--seconds 4.9: expected 5 to 600'],
    [['calibrate', '--seconds=-5'], '--seconds -5: expected 5 to 600'],
    [['calibrate', '--seconds', '601'], '--seconds 601: expected 5 to 600'],
    [['show', '--json', 'chat.json'], "Unknown option '--json'"],
    [['simulate', '--ttfb', '1'], "Unknown option '--ttfb'"],
    [['simulate', '8000'], "Unexpected argument '8000'"],
    [['simulate', '--port'], "Option '--port <value>' argument missing"],
    [['simulate', '--ttft', 'soon'], '--ttft soon: expected a duration such as 20ms or 1.5s'],
    // parseDuration('') is nothing, and Number('') would be 0.
    [['simulate', '--ttft', ''], '--ttft : expected a duration such as 20ms or 1.5s'],
    [['simulate', '--itl', '5x'], '--itl 5x: expected a duration such as 20ms or 1.5s'],
    [['simulate', '--ttft', '25h'], 'ttftMs: is 90000000, expected a number of milliseconds from 0 to 86,400,000'],
    [['simulate', '--slots', 'many'], '--slots many: expected a number'],
    [['simulate', '--slots', ' '], '--slots  : expected a number'],
    [['simulate', '--slots', '0'], 'slots: is 0, expected a whole number from 1'],
    [['simulate', '--jitter', '1.5'], 'jitter: is 1.5, expected a number from 0 to 1'],
    [['simulate', '--seed', '0.5'], 'seed: is 0.5, expected a whole number from 0 to 4,294,967,295'],
    [['simulate', '--port', '70000'], 'port: is 70000, expected a whole number from 0 to 65,535'],
    [['simulate', '--host', ''], 'host: is "", expected a host name or address'],
  ])('%j', async (args, message) => {
    const { code, stdout, stderr } = await cli(...args)
    expect(stderr).toContain(message)
    expect(stderr).toMatch(/^vitest-slo: /)
    expect([code, stdout]).toEqual([2, ''])
  })

  test('all problems of a simulator at once', async () => {
    const { stderr } = await cli('simulate', '--slots=0', '--jitter=2', '--port=-1')
    expect(stderr).toMatch(/3 problems:\n {2}- slots: .*\n {2}- jitter: .*\n {2}- port: /)
  })
})

describe.concurrent('show', () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vitest-slo-cli-'))
    await writeFile(join(folder, 'broken.json'), '{ "version": 1, ')
    await writeFile(join(folder, 'newer.json'), '{ "version": 3 }')
    await writeFile(join(folder, 'other.json'), '{ "name": "vitest-slo" }')
  })
  afterAll(() => rm(folder, { recursive: true }))

  test('prints the tables of a report', async () => {
    const { code, stdout, stderr } = await cli('show', REPORT)
    expect(stdout).toMatch(SHOWN)
    expect([code, stderr]).toEqual([0, ''])
  })

  test('without a file says what it wants', async () => {
    const { code, stderr } = await cli('show')
    expect(stderr).toContain('show: name at least one report')
    expect(code).toBe(1)
  })

  test.each([
    ['missing.json', 'cannot be read (ENOENT'],
    ['.', 'cannot be read (EISDIR'],
    ['broken.json', 'is not JSON'],
    ['other.json', 'is not a report of vitest-slo'],
    ['newer.json', 'was written by a newer vitest-slo (report version 3; this one reads up to 2)'],
  ])('names what is wrong with %s, and shows the others', async (file, message) => {
    const path = join(folder, file)
    const { code, stdout, stderr } = await cli('show', path, REPORT)
    expect(stderr).toContain(`show: ${path}: ${message}`)
    expect(stdout).toMatch(SHOWN)
    expect(code).toBe(1)
  })
})

describe.concurrent('simulate', () => {
  test.each(['SIGINT', 'SIGTERM'] as const)('serves until %s, which is no failure', async (signal) => {
    const child = spawn(process.execPath, [CLI, 'simulate', '--ttft', '5', '--itl', '1ms', '--slots', '2'])
    const ended = once(child, 'close')
    try {
      const [line] = (await once(createInterface(child.stdout), 'line')) as [string]
      const url = /^simulator listens on (http:\S+\/v1) \(pid \d+\); stop it with Ctrl-C$/.exec(line)![1]!
      const reply = await fetch(`${url}/completions`, {
        method: 'POST',
        body: JSON.stringify({ prompt: 'one two three', max_tokens: 2 }),
      })
      expect(await reply.json()).toMatchObject({ usage: { prompt_tokens: 3, completion_tokens: 2 } })
      child.kill(signal)
      expect(await ended).toEqual([0, null])
      await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('a port that is taken is named, with code 1', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    try {
      const { code, stderr } = await cli('simulate', '--port', String(port))
      expect(stderr).toBe(
        `vitest-slo: The simulator did not start: port ${port} on 127.0.0.1 is in use by another process\n`,
      )
      expect(code).toBe(1)
    } finally {
      taken.close()
    }
  })
})
