import { API_NAMES, wireFormat } from '../client/formats.ts'
import { endpointApis, hasModelInPath, isEndpoint, isEndpointOf } from './endpoint.ts'
import { isRecord, type Refuse } from './fields.ts'
import { shown } from './shown.ts'

/** What `target.url` may be. */
export const URL_ACCEPTED = "the API's base, such as 'http://host:8000/v1', or its full endpoint"

/** Options of a target that only a plain HTTP endpoint has, that only a language model has, and that both have. */
const PLAIN_ONLY = ['method', 'status'] as const
const MODEL_ONLY = ['model', 'stream', 'ignoreEos'] as const
const BOTH = ['api', 'url', 'apiKey', 'headers', 'body'] as const

/**
 * Tells which options of a target do not fit its api. It sees the options as they were given and read; those that
 * could not be read as some object that is of no use.
 */
export function fitApi(given: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  const { api } = given
  if (typeof api !== 'string') return
  const isPlain = wireFormat(api).framing === 'none'
  const accepted = `accepted: ${[...BOTH, ...(isPlain ? PLAIN_ONLY : MODEL_ONLY)].join(', ')}`
  for (const name of isPlain ? MODEL_ONLY : PLAIN_ONLY) {
    if (given[name] !== undefined) refuse([name], `does not apply to api '${api}'; ${accepted}`)
  }
  if (isPlain) fitPlain(given, refuse)
  else fitModel(api, given, refuse)
}

function fitPlain({ method, body }: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  if (isRecord(body) && (method === 'GET' || method === 'HEAD')) {
    refuse(['body'], `is given, and method ${method} sends none; accepted: a method that sends one, such as 'POST'`)
  }
}

function fitModel(api: string, given: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  const { url, model, body, ignoreEos } = given
  const stream = given['stream'] !== false
  if (isRecord(body) && Object.hasOwn(body, 'stream')) {
    const accepted = 'accepted: an object of fields that JSON can carry'
    refuse(['body'], `has a field 'stream', which target.stream sets; ${accepted}`)
  }
  if (ignoreEos === true && wireFormat(api).ignoreEos === undefined) {
    const others = API_NAMES.filter((name) => wireFormat(name).ignoreEos !== undefined).join(', ')
    refuse(['ignoreEos'], `is true, and servers of api '${api}' know no such thing; accepted: false, or api ${others}`)
  }
  if (!(url instanceof URL)) return
  const isFull = isEndpoint(url, api, stream)
  if (hasModelInPath(api, stream) && !isFull && model === undefined) {
    const accepted = 'accepted: the name of a model, or the full endpoint as url'
    refuse(['model'], `is missing, and api '${api}' has it in its path; ${accepted}`)
  }
  if (hasModelInPath(api, stream) && isFull && typeof model === 'string' && !isEndpointOf(url, model)) {
    const accepted = `accepted: the model of url, or the API's base as url`
    refuse(['model'], `is ${shown(model)}, and url is the endpoint of another; ${accepted}`)
  }
  const named = endpointApis(url, stream)
  if (!isFull && isEndpoint(url, api, !stream)) {
    const [is, accepted] = stream ? ['replies that do not stream', 'false'] : ['streamed replies', 'true']
    refuse(
      ['url'],
      `is the endpoint of ${is}, and stream is ${stream}; accepted: stream ${accepted}, or ${URL_ACCEPTED}`,
    )
  } else if (named.length > 0 && !named.includes(api)) {
    const owner = named.map((name) => `'${name}'`).join(' or ')
    const accepted = `accepted: an endpoint of that api, or ${URL_ACCEPTED}`
    refuse(['url'], `is the endpoint of api ${owner}, and api is '${api}'; ${accepted}`)
  }
}
