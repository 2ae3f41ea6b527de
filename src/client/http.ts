import { bearer } from './authorization.ts'
import type { WireFormat } from './format.ts'

/**
 * Any plain HTTP endpoint: the author gives URL, method and body, and the status that is a success. Nothing of the body
 * is read but its end, so that there are no tokens and no latencies but E2E (`PlainReader`).
 */
export const http: WireFormat = {
  name: 'http',
  base: '',
  path: () => '',
  headers: bearer,
  framing: 'none',
  endsWithBody: true,
  oneTokenEvents: false,
  fields: () => ({}),
  event: () => 0,
  document: () => 0,
  sample: () => ({ before: [], token: 'word ', after: [] }),
}
