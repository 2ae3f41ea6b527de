import { z } from 'zod'
import { API_NAMES, wireFormat } from '../client/formats.ts'
import { HTTP_METHODS, type Target } from '../model/plan.ts'
import type { SimulatorOptions } from '../simulator/options.ts'
import { fitApi, URL_ACCEPTED } from './api-options.ts'
import { fitAuthorization } from './authorization.ts'
import { endpointUrl } from './endpoint.ts'
import {
  delay,
  field,
  integer,
  isRecord,
  oneKindOf,
  oneOf,
  options,
  seed,
  shareOrNone,
  text,
  type Field,
} from './fields.ts'
import { apiKey, basicAuthorization, headers } from './headers.ts'
import { shown, shownUrl } from './shown.ts'

/** Where a spec's target comes from: an address, the embedded server, or the author's function. */
export type TargetSource = KnownSource | { readonly kind: 'function'; readonly call: () => unknown }

/** A source that needs no call of the author's function. */
export type KnownSource =
  | { readonly kind: 'url'; readonly target: Target }
  | { readonly kind: 'simulator'; readonly options: Partial<SimulatorOptions> }

/** The wire format of targets that name none. */
const DEFAULT_API = 'openai-chat'

const url: Field<URL> = z.transform((given: unknown, ctx) => {
  const url = typeof given === 'string' ? URL.parse(given) : null
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  const what =
    given === undefined
      ? 'is undefined: is the environment variable set?'
      : given === ''
        ? "is '', empty: is the environment variable set?"
        : `is ${shownUrl(given)}, not an http or https URL;`
  ctx.addIssue({ code: 'custom', message: `${what} accepted: ${URL_ACCEPTED}` })
  return z.NEVER
})

const body: Field<Readonly<Record<string, unknown>>> = z.transform((given: unknown, ctx) => {
  const read = jsonObject(given)
  if (typeof read !== 'string') return read
  ctx.addIssue({ code: 'custom', message: `${read}; accepted: an object of fields that JSON can carry` })
  return z.NEVER
})

const trueOrFalse: Field<boolean> = field({
  read: (value) => (typeof value === 'boolean' ? value : undefined),
  kind: 'neither true nor false',
  accepted: 'true or false',
})

const status: Field<readonly number[]> = field({
  read: (value) => (typeof value === 'number' ? [value] : Array.isArray(value) ? (value as unknown[]) : undefined),
  kind: 'neither a status nor a list of them',
  refuse: (list) => (list.length === 0 ? 'which holds no status' : list.every(isStatus) ? undefined : 'not a status'),
  accepted: 'a whole number from 200 to 599, such as 404, or a list of them',
}).transform((list) => list.filter(isStatus))

const address: Field<KnownSource> = options(
  {
    api: oneOf(API_NAMES).default(DEFAULT_API),
    url,
    model: text('the name of a model').optional(),
    apiKey: apiKey.optional(),
    headers: headers.default({}),
    body: body.optional(),
    stream: trueOrFalse.optional(),
    ignoreEos: trueOrFalse.optional(),
    method: oneOf(HTTP_METHODS).optional(),
    status: status.optional(),
  },
  (given, refuse) => {
    fitAuthorization(given, refuse)
    fitApi(given, refuse)
  },
).transform(({ api, url, model = null, apiKey = null, headers, body, ignoreEos = false, status = null, ...asked }) => {
  const format = wireFormat(api)
  const isPlain = format.framing === 'none'
  const stream = !isPlain && asked.stream !== false
  const basic = basicAuthorization(url)
  const target: Target = {
    api,
    method: asked.method ?? (isPlain && body === undefined ? 'GET' : 'POST'),
    url: endpointUrl(url, api, { model, stream }),
    model,
    headers: {
      ...format.headers(apiKey),
      ...(basic === undefined ? {} : { authorization: basic }),
      ...headers,
    },
    body: body ?? (isPlain ? null : {}),
    stream,
    ignoreEos,
    status,
    embedded: false,
  }
  return { kind: 'url', target }
})

const embedded: Field<KnownSource> = options({
  kind: oneOf(['simulator']),
  ttft: delay.optional(),
  itl: delay.optional(),
  slots: integer(1, 1_000_000, 'requests served at once').optional(),
  jitter: shareOrNone.optional(),
  seed: seed.optional(),
}).transform(({ ttft, itl, slots, jitter, seed }) => ({
  kind: 'simulator',
  options: {
    ...(ttft !== undefined && { ttftMs: ttft }),
    ...(itl !== undefined && { itlMs: itl }),
    ...(slots !== undefined && { slots }),
    ...(jitter !== undefined && { jitter }),
    ...(seed !== undefined && { seed }),
  },
}))

const ACCEPTED = "{ url: 'http://host:8000/v1', ... } or simulator({...})"

/** What a target function may give. */
export const knownSource: Field<KnownSource> = oneKindOf((given) => {
  if (given === undefined) return `is missing; accepted: ${ACCEPTED}`
  if (!isRecord(given)) return `is ${shownUrl(given)}, not a target; accepted: ${ACCEPTED}`
  if (typeof given['then'] === 'function')
    return `is a promise, not a target; accepted: ${ACCEPTED}, or the function itself`
  return given['kind'] === 'simulator' ? embedded : address
})

/** What a spec may give. */
export const targetSource = oneKindOf<TargetSource>((given) => {
  if (given === undefined)
    return `is missing, here and in sloProject; accepted: ${ACCEPTED}, or a function that gives one`
  return typeof given === 'function'
    ? z.transform((call: () => unknown): TargetSource => ({ kind: 'function', call }))
    : knownSource
})

/** The fields as JSON carries them, or why it would lose some. Messages hold no value of a field. */
function jsonObject(given: unknown): Readonly<Record<string, unknown>> | string {
  if (!isRecord(given)) return `is ${typeof given === 'string' ? 'text' : shown(given)}, not an object`
  let fault: string | undefined
  try {
    const text = JSON.stringify(given, (name, value: unknown) => {
      const lost = lostInJson(value)
      if (lost === undefined) return value
      fault ??= `has a field '${name}' that is ${lost}`
      return null
    })
    const read: unknown = JSON.parse(text)
    if (!isRecord(read)) fault ??= 'is not an object once it is JSON'
    else if (fault === undefined) return read
  } catch {
    // It refers to itself, is nested beyond the stack, or its own toJSON throws: told as a problem like any other.
    fault ??= 'cannot be written as JSON'
  }
  return fault
}

/** Whether a value is the status of a final response. */
function isStatus(value: unknown): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= 200 && value <= 599
}

function lostInJson(value: unknown): string | undefined {
  if (typeof value === 'bigint') return 'a bigint'
  if (typeof value === 'function' || typeof value === 'symbol') return shown(value)
  if (typeof value === 'number' && !Number.isFinite(value)) return shown(value)
  return value instanceof Map || value instanceof Set ? `a ${value.constructor.name}` : undefined
}
