import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createInterface } from 'node:readline'
import { afterEach, expect, test } from 'vitest'
import { LoadError, SpecError } from '../../src/model/errors.ts'
import { monotonicMs } from '../../src/simulator/clock.ts'
import { startSimulator } from '../../src/simulator/launch.ts'
import type { RunningSimulator } from '../../src/simulator/launch.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'

const running: RunningSimulator[] = []

async function start(options: Partial<SimulatorOptions> = {}, signal?: AbortSignal): Promise<RunningSimulator> {
  const simulator = await startSimulator(options, signal)
  running.push(simulator)
  return simulator
}

afterEach(() => Promise.all(running.splice(0).map((simulator) => simulator.close())))

function ask(simulator: RunningSimulator, fields: object): Promise<string> {
  const body = JSON.stringify({ prompt: 'a b c', stream: true, ...fields })
  return fetch(`${simulator.url}/completions`, { method: 'POST', body }).then((reply) => reply.text())
}

test('serves in a process of its own, and says what it sent', async () => {
  const simulator = await start({ ttftMs: 2, itlMs: 1 })
  expect(simulator.pid).not.toBe(process.pid)
  const sent = monotonicMs()
  expect(await ask(simulator, { max_tokens: 4 })).toContain('[DONE]')
  const received = monotonicMs()

  const { requests } = await simulator.ledger()
  expect(requests).toHaveLength(1)
  const [{ arrived, started, planned, actual, promptTokens, outputTokens }] = requests as [(typeof requests)[0]]
  expect({ promptTokens, outputTokens, started }).toEqual({ promptTokens: 3, outputTokens: 4, started: arrived })
  expect(planned).toEqual([0, 1, 2, 3].map((k) => arrived + (2 + k)))
  // One clock for the host: the server's instants lie between those of this process.
  expect([sent, arrived, ...actual, received]).toEqual([sent, arrived, ...actual, received].sort((a, b) => a - b))
  expect(await simulator.writesBetween(sent, received)).toMatchObject({ writes: 4 })
  expect(await simulator.writesBetween(received + 1000, received + 2000)).toMatchObject({ writes: 0 })
})

test('closing ends the process; what is asked then says so', async () => {
  const simulator = await start()
  await simulator.close()
  expect(await simulator.exited).toEqual({ code: 0, signal: null })
  await expect(simulator.ledger()).rejects.toThrow('The simulator ended (code 0) before it could hand over its ledger')
  await simulator.close()
})

test('a port in use is a clear rejection', async () => {
  const port = Number(new URL((await start()).url).port)
  await expect(start({ port })).rejects.toThrow(
    new LoadError(`The simulator did not start: port ${port} on 127.0.0.1 is in use by another process`),
  )
})

test('an address of another machine is a clear rejection', async () => {
  await expect(start({ host: '192.0.2.1' })).rejects.toThrow('192.0.2.1 is no address of this machine')
})

test('options that it does not take are rejected before anything starts', async () => {
  await expect(start({ ttftMs: -1 })).rejects.toBeInstanceOf(SpecError)
})

test('a process that dies is told from one that was closed', async () => {
  const simulator = await start()
  const answer = simulator.ledger()
  process.kill(simulator.pid, 'SIGKILL')
  await Promise.allSettled([answer])
  expect(await simulator.exited).toEqual({ code: null, signal: 'SIGKILL' })
  await expect(simulator.writesBetween(0, 1)).rejects.toThrow('The simulator ended (SIGKILL)')
})

test('SIGTERM ends it', async () => {
  const simulator = await start()
  process.kill(simulator.pid, 'SIGTERM')
  expect((await simulator.exited).code).toBe(0)
})

test('the signal ends it: before the start, during the start, while it runs', async () => {
  const reason = new Error('enough')
  await expect(start({}, AbortSignal.abort(reason))).rejects.toBe(reason)
  const early = new AbortController()
  const starting = start({}, early.signal)
  early.abort(reason)
  await expect(starting).rejects.toBe(reason)
  const late = new AbortController()
  const simulator = await start({}, late.signal)
  late.abort(reason)
  expect(await simulator.exited).toEqual({ code: 0, signal: null })
})

test('it ends when its parent is killed', async () => {
  const launch = new URL('../../src/simulator/launch.ts', import.meta.url).href
  const program = `const { startSimulator } = await import(${JSON.stringify(launch)})
    console.log((await startSimulator({})).url)`
  const parent = spawn(process.execPath, ['--input-type=module', '--eval', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [url] = (await once(createInterface(parent.stdout), 'line')) as [string]
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
  await once(socket, 'connect')
  const cut = once(socket.resume(), 'close')
  parent.kill('SIGKILL')
  // The connection is cut by the end of the simulator's process, and by nothing else.
  await cut
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed')
})
