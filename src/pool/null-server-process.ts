import { type ChildProcess, fork } from 'node:child_process'
import { wireFormat } from '../client/formats.ts'
import { LoadError } from '../model/errors.ts'
import type { NullReply, NullServerReady } from '../worker/null-server-entry.ts'

/** Longest wait until it listens, and until it has ended by itself, ms. */
const START_MS = 10_000
const END_MS = 1000
/** Characters of its stderr that are kept, the newest. */
const KEPT_STDERR = 2000

/** A null server in a process of its own, so that its work is not the load process's. It ends when this process does. */
export interface NullServerProcess {
  /** Endpoint of its API. */
  readonly url: string
  /** Resolves when the process has ended, to how it ended and the end of its stderr; never rejects. */
  readonly ended: Promise<string>
  /** Ends the process: asked to, then, after a second, by SIGKILL. */
  close(): Promise<void>
}

/**
 * Starts a null server that gives this reply to every request.
 *
 * @throws {LoadError} when it does not listen within 10 s
 */
export async function forkNullServer(reply: NullReply): Promise<NullServerProcess> {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  const child = fork(new URL(`../worker/null-server-entry.${extension}`, import.meta.url), [JSON.stringify(reply)], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  let stderr = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr = (stderr + text).slice(-KEPT_STDERR)))
  const ended = endOf(child).then((how) => (stderr === '' ? how : `${how}, its stderr:\n${stderr.trimEnd()}`))
  const close = async () => {
    // Any message ends it. One that cannot be sent is not needed: it has ended.
    if (child.connected) child.send('end', () => undefined)
    const kill = setTimeout(() => child.kill('SIGKILL'), END_MS)
    await ended
    clearTimeout(kill)
  }
  const ready = Promise.withResolvers<NullServerReady>()
  child.once('message', (message: NullServerReady) => ready.resolve(message))
  const late = setTimeout(
    () => ready.reject(new LoadError(`the null server did not listen within ${START_MS / 1000} s`)),
    START_MS,
  )
  void ended.then((how) => ready.reject(new LoadError(`the null server ended before it listened: ${how}`)))
  try {
    const { port } = await ready.promise
    const format = wireFormat(reply.api)
    const path = format.base + format.path({ model: null, stream: true })
    return { url: `http://127.0.0.1:${port}${path}`, ended, close }
  } catch (error) {
    await close()
    throw error
  } finally {
    clearTimeout(late)
  }
}

function endOf(child: ChildProcess): Promise<string> {
  const { promise, resolve } = Promise.withResolvers<string>()
  // 'close' comes after the last of stderr.
  child.once('close', (code, signal) => resolve(signal ?? `code ${code}`))
  child.once('error', (error) => {
    // One that could not even be started has no exit.
    if (child.pid === undefined) resolve(error.message)
  })
  return promise
}
