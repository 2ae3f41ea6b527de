import { wireFormat } from '../client/formats.ts'
import { isRecord, type Refuse } from './fields.ts'
import { basicAuthorization } from './headers.ts'

/** Tells which headers of a target several of its options give: that of the api's key, and the authorization. */
export function fitAuthorization(given: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  const { api, url, apiKey, headers } = given
  const ofKey = typeof api === 'string' ? keyHeaders(api) : ['authorization']
  const hasBasic = url instanceof URL && basicAuthorization(url) !== undefined
  for (const name of new Set([...ofKey, 'authorization'])) {
    const givers = [
      ...(typeof apiKey === 'string' && ofKey.includes(name) ? ['apiKey'] : []),
      ...(isRecord(headers) && headers[name] !== undefined ? [memberOf('headers', name)] : []),
      ...(hasBasic && name === 'authorization' ? ['user info in url'] : []),
    ]
    if (givers.length > 1) refuse([], `is given an authorization by ${givers.join(' and by ')}; accepted: one of them`)
  }
}

/** Names of the headers in which an api takes its key. */
function keyHeaders(api: string): readonly string[] {
  const { headers } = wireFormat(api)
  const without = headers(null)
  return Object.keys(headers('key')).filter((name) => without[name] === undefined)
}

function memberOf(object: string, name: string): string {
  return /^\w+$/.test(name) ? `${object}.${name}` : `${object}["${name}"]`
}
