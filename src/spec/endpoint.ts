import { API_NAMES, formatPath } from '../client/formats.ts'

/**
 * The full endpoint of an API: the URL itself when it ends in the API's path, else that path after it, with `/v1` for
 * a bare host. The query is kept; user info, fragment and trailing slashes are removed.
 */
export function endpointUrl(url: URL, api: string): string {
  const endpoint = new URL(url)
  endpoint.username = ''
  endpoint.password = ''
  endpoint.hash = ''
  const base = withoutSlashes(url.pathname)
  endpoint.pathname = endpointApi(url) === api ? base : `${base === '' ? '/v1' : base}${formatPath(api)}`
  return endpoint.href
}

/** The API whose path a URL ends in; undefined for a base. */
export function endpointApi(url: URL): string | undefined {
  const path = withoutSlashes(url.pathname)
  // The longest path first: /chat/completions ends in /completions too.
  const apis = [...API_NAMES].sort((a, b) => formatPath(b).length - formatPath(a).length)
  return apis.find((api) => path.endsWith(formatPath(api)))
}

function withoutSlashes(path: string): string {
  return path.replace(/\/+$/, '')
}
