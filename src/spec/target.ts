import { LoadError, SpecError } from '../model/errors.ts'
import type { PublicTarget, Target } from '../model/plan.ts'
import { startSimulator, type RunningSimulator } from '../simulator/launch.ts'
import { endpointUrl } from './endpoint.ts'
import { problemsOf } from './problems.ts'
import { knownSource, type KnownSource, type TargetSource } from './source.ts'

/** Time that a target function has, ms, unless its caller says otherwise. */
const TARGET_TIMEOUT_MS = 60_000

/** A target that can be fired at, and the embedded server behind it, which its receiver must close. */
export interface ResolvedTarget {
  readonly target: Target
  /** Null for a server that is not ours. */
  readonly server: RunningSimulator | null
}

/**
 * The target of a checked spec: calls the author's function, if it is one, and starts the embedded server.
 *
 * @throws {SpecError} When what the function gave is no target; all problems at once.
 * @throws {LoadError} When the function failed (its error is the cause, as it is) or took longer than `timeoutMs`; when
 * the embedded server did not start.
 * @throws The signal's reason, when it is aborted.
 */
export async function resolveTarget(
  source: TargetSource,
  { signal, timeoutMs = TARGET_TIMEOUT_MS }: { readonly signal: AbortSignal; readonly timeoutMs?: number },
): Promise<ResolvedTarget> {
  const known = source.kind === 'function' ? await called(source.call, signal, timeoutMs) : source
  if (known.kind === 'url') return { target: known.target, server: null }
  const server = await startSimulator(known.options, signal)
  const target: Target = {
    api: 'openai-chat',
    method: 'POST',
    url: endpointUrl(new URL(server.url), 'openai-chat', { model: null, stream: true }),
    model: null,
    headers: {},
    body: {},
    stream: true,
    ignoreEos: false,
    status: null,
    embedded: true,
  }
  return { target, server }
}

/** What may be shown of a target: no header's value, no user info, no query. */
export function publicTarget({ api, url, model, headers, stream, embedded }: Target): PublicTarget {
  const { origin, pathname } = new URL(url)
  return { api, url: origin + pathname, model, headers: Object.keys(headers).sort(), stream, embedded }
}

async function called(call: () => unknown, signal: AbortSignal, timeoutMs: number): Promise<KnownSource> {
  const given = await bounded(call, signal, timeoutMs)
  const result = knownSource.safeParse(given)
  if (result.success) return result.data
  throw new SpecError('What target() gave', problemsOf(result.error, 'target()'))
}

/** The function's result, or an error when it fails, is too slow, or is no longer wanted. It cannot be stopped. */
async function bounded(call: () => unknown, signal: AbortSignal, timeoutMs: number): Promise<unknown> {
  const { promise, reject } = Promise.withResolvers<never>()
  const abort = () => reject(signal.reason)
  signal.throwIfAborted()
  const timer = setTimeout(() => {
    reject(new LoadError(`target() gave no target within ${timeoutMs} ms; start slow servers in a beforeAll hook`))
  }, timeoutMs)
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([promise, attempt(call)])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}

async function attempt(call: () => unknown): Promise<unknown> {
  try {
    return await call()
  } catch (cause) {
    throw new LoadError('target() failed', { cause })
  }
}
