import type { Route } from '../client/format.ts'
import { API_NAMES, wireFormat } from '../client/formats.ts'

const STREAMED: Route = { model: null, stream: true }

/**
 * The full endpoint of an API: the URL itself when it ends as the API's endpoints do, else the API's path after it,
 * with its usual base (`/v1`) for a bare host. The query is kept; user info, fragment and trailing slashes are removed.
 * Of an API without a path of its own (`http`) it is the URL as given.
 */
export function endpointUrl(url: URL, api: string, route: Route = STREAMED): string {
  const endpoint = new URL(url)
  endpoint.username = ''
  endpoint.password = ''
  endpoint.hash = ''
  const format = wireFormat(api)
  const [path, query] = format.path(route).split('?') as [string, string | undefined]
  if (path === '') return endpoint.href
  const given = withoutSlashes(url.pathname)
  if (given.endsWith(ending(api, route.stream))) endpoint.pathname = given
  else endpoint.pathname = `${given === '' ? format.base : given}${path}`
  for (const [name, value] of new URLSearchParams(query)) {
    if (!endpoint.searchParams.has(name)) endpoint.searchParams.set(name, value)
  }
  return endpoint.href
}

/** The APIs whose endpoints end as a URL does; none for a base. */
export function endpointApis(url: URL, stream = true): readonly string[] {
  const path = withoutSlashes(url.pathname)
  const apis = API_NAMES.filter((api) => ending(api, stream) !== '' && path.endsWith(ending(api, stream)))
  // The longest ending: /chat/completions ends in /completions too.
  const longest = Math.max(...apis.map((api) => ending(api, stream).length))
  return apis.filter((api) => ending(api, stream).length === longest)
}

/** Whether a URL is an endpoint of this API, for streamed replies or for others. */
export function isEndpoint(url: URL, api: string, stream: boolean): boolean {
  return withoutSlashes(url.pathname).endsWith(ending(api, stream))
}

/** Whether a URL, which is the endpoint of a model, is that of this one. A model may be a resource's full name. */
export function isEndpointOf(url: URL, model: string): boolean {
  const name = model.slice(model.lastIndexOf('/') + 1).toWellFormed()
  const written = [encodeURI(name), encodeURIComponent(name)]
  return url.pathname.split('/').some((part) => written.some((name) => part === name || part.startsWith(`${name}:`)))
}

/** Whether the endpoints of an API have the model in their path. */
export function hasModelInPath(api: string, stream: boolean): boolean {
  const { path } = wireFormat(api)
  return path({ model: 'model', stream }) !== path({ model: null, stream })
}

/** How the path of every endpoint of an API ends. */
function ending(api: string, stream: boolean): string {
  return wireFormat(api).path({ model: null, stream }).split('?')[0]!
}

function withoutSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}
