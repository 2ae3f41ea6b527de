import { type Fields, fieldsOf, isText, jsonOf, parseFields } from './fields.ts'
import { excerpt, type Reply } from './format.ts'

/**
 * The fields of an event, or of a reply that came as one document. Null where there is nothing to read: it is empty or
 * a keep-alive, or it is no JSON object or tells an error, which is noted as the reply's fault.
 *
 * @param type the event's type; `error` makes it one, whatever its fields are
 */
export function payloadOf(reply: Reply, text: string, type?: string): Fields | null {
  if (text === '' || type === 'ping') return null
  const fields = parseFields(text)
  if (type === 'error') reply.fail('stream-error', fields === null ? excerpt(text) : errorText(fields))
  else if (fields === null) reply.fail('bad-payload', `not a JSON object: ${excerpt(text)}`)
  else if (isError(fields)) reply.fail('stream-error', errorText(fields))
  else return fields
  return null
}

/**
 * The fields of a reply that came as one document and must have the field `name`. As `payloadOf`; without that field,
 * the document is something else under a good name.
 */
export function documentOf(reply: Reply, text: string, name: string): Fields | null {
  const fields = payloadOf(reply, text)
  if (fields === null || fields[name] !== undefined) return fields
  reply.fail('bad-payload', `reply without ${name}: ${excerpt(text)}`)
  return null
}

/** `{"error": ...}` of nearly all servers, `{"type": "error"}` of typed events, `{"object": "error"}` of older vLLM. */
function isError(fields: Fields): boolean {
  const error = fields['error']
  return (error !== undefined && error !== null) || fields['type'] === 'error' || fields['object'] === 'error'
}

function errorText(fields: Fields): string {
  const error = fields['error'] ?? fields
  const message = typeof error === 'string' ? error : fieldsOf(error)?.['message']
  return excerpt(isText(message) ? message : jsonOf(error)!)
}
