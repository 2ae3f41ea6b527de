import { fork } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { LoadError } from '../model/errors.ts'
import type { Ledger, Punctuality } from './ledger.ts'
import type { Notice, Order } from './messages.ts'
import { simulatorOptions } from './options.ts'
import type { SimulatorOptions } from './options.ts'

/** How the simulator's process ended. */
export interface SimulatorExit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
}

/** A simulator in a process of its own. Until it is closed it keeps this process alive; it ends when this one does. */
export interface RunningSimulator {
  /** The API's base, for example `http://127.0.0.1:40123/v1`. */
  readonly url: string
  readonly pid: number
  /** Resolves when the process has ended, for whatever reason; never rejects. */
  readonly exited: Promise<SimulatorExit>
  /**
   * Punctuality of the writes between two instants of the host's monotonic clock, ms, widened to whole 100 ms.
   *
   * @throws {LoadError} when the simulator has ended or does not answer within 5 s
   */
  writesBetween(fromMs: number, toMs: number): Promise<Punctuality>
  /**
   * What was really sent and when. Reading a full ledger stops the server for up to a second: not while it is measured.
   *
   * @throws {LoadError} when the simulator has ended or does not answer within 30 s
   */
  ledger(): Promise<Ledger>
  /**
   * Ends the process: asked to, then by SIGTERM, then by SIGKILL, a second each.
   *
   * @throws {LoadError} when it survives that
   */
  close(): Promise<void>
}

const START_MS = 10_000
const WRITES_MS = 5000
const LEDGER_MS = 30_000
const CLOSE_MS = 1000

/** Characters of the process's stderr that are kept, the newest, to explain its end. */
const KEPT_STDERR = 4096

/**
 * Starts a simulator and waits until it listens. `signal` ends it at any time.
 *
 * @throws {SpecError} for options that it does not take, all problems at once
 * @throws {LoadError} when it does not listen within 10 s, for example because the port is in use
 */
export async function startSimulator(
  options: Partial<SimulatorOptions>,
  signal?: AbortSignal,
): Promise<RunningSimulator> {
  const checked = simulatorOptions(options)
  signal?.throwIfAborted()
  const child = forkEntry(checked)
  const stderr = keepStderr(child)
  const exited = exitOf(child)
  const started = Promise.withResolvers<Notice>()
  const answers = new Map<number, (notice: Notice) => void>()
  child.on('message', (notice: Notice) => {
    if ('id' in notice) answers.get(notice.id)?.(notice)
    else started.resolve(notice)
  })

  const close = (): Promise<void> => endProcess(child, exited)
  const abort = (): void => void close().catch((error: LoadError) => process.emitWarning(error))
  signal?.addEventListener('abort', abort)
  void exited.then(() => signal?.removeEventListener('abort', abort))

  /** Settles with the promise, or rejects when the process ends or the time is over. */
  async function within<T>(ms: number, what: string, promise: Promise<T>): Promise<T> {
    const limit = timeout(ms)
    const ended = exited.then(({ code, signal: killer }) => {
      const how = killer === null ? `code ${code}` : killer
      throw new LoadError(`The simulator ended (${how}) before it could ${what}${stderr()}`)
    })
    const late = limit.over.then(() => {
      throw new LoadError(`The simulator did not ${what} within ${ms / 1000} s${stderr()}`)
    })
    return Promise.race([promise, ended, late]).finally(limit.clear)
  }

  let orders = 0
  async function ask<K extends 'writes' | 'ledger'>(
    ms: number,
    what: string,
    order: (id: number) => Extract<Order, { kind: K }>,
  ): Promise<Extract<Notice, { kind: K }>> {
    const id = ++orders
    // An answer carries its order's number, so it is of its kind.
    const { promise, resolve } = Promise.withResolvers<Extract<Notice, { kind: K }>>()
    answers.set(id, resolve as (notice: Notice) => void)
    // An order that cannot be sent has no answer: the process has ended, or the time will be over.
    if (child.connected) child.send(order(id), () => undefined)
    return within(ms, what, promise).finally(() => answers.delete(id))
  }

  try {
    const notice = await within(START_MS, 'start', started.promise)
    signal?.throwIfAborted()
    if (notice.kind === 'failed') throw new LoadError(`The simulator did not start: ${notice.message}`)
    if (notice.kind !== 'ready') throw new LoadError(`The simulator said ${notice.kind} before it was ready`)
    const host = checked.host.includes(':') ? `[${checked.host}]` : checked.host
    return {
      url: `http://${host}:${notice.port}/v1`,
      pid: notice.pid,
      exited,
      writesBetween: async (fromMs, toMs) =>
        (await ask<'writes'>(WRITES_MS, 'count its writes', (id) => ({ kind: 'writes', id, fromMs, toMs }))).writes,
      ledger: async () =>
        (await ask<'ledger'>(LEDGER_MS, 'hand over its ledger', (id) => ({ kind: 'ledger', id }))).ledger,
      close,
    }
  } catch (error) {
    await close()
    signal?.throwIfAborted()
    throw error
  }
}

function forkEntry(options: SimulatorOptions): ChildProcess {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fork(new URL(`./entry.${extension}`, import.meta.url), [JSON.stringify(options)], {
    execPath: process.execPath,
    execArgv: [],
    env: process.env,
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
}

/** Collects the end of the process's stderr; the function gives it as the tail of a message. */
function keepStderr(child: ChildProcess): () => string {
  let text = ''
  child.stderr?.setEncoding('utf8').on('data', (more: string) => {
    text = (text + more).slice(-KEPT_STDERR)
  })
  return () => (text === '' ? '' : `. Its stderr:\n${text.trimEnd()}`)
}

function exitOf(child: ChildProcess): Promise<SimulatorExit> {
  const { promise, resolve } = Promise.withResolvers<SimulatorExit>()
  // 'close' comes after the last of stderr; a process that could not even be started has none.
  child.once('close', (code, signal) => resolve({ code, signal }))
  child.once('error', () => {
    if (child.pid === undefined) resolve({ code: null, signal: null })
  })
  return promise
}

async function endProcess(child: ChildProcess, exited: Promise<SimulatorExit>): Promise<void> {
  const order: Order = { kind: 'close' }
  const means = [
    () => child.connected && child.send(order, () => undefined),
    () => child.kill('SIGTERM'),
    () => child.kill('SIGKILL'),
  ]
  for (const use of means) {
    use()
    const limit = timeout(CLOSE_MS)
    const gone = await Promise.race([exited.then(() => true), limit.over.then(() => false)]).finally(limit.clear)
    if (gone) return
  }
  throw new LoadError(`The simulator (process ${child.pid}) did not end, not even by SIGKILL`)
}

function timeout(ms: number): { readonly over: Promise<void>; readonly clear: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  return { over: promise, clear: () => clearTimeout(timer) }
}
