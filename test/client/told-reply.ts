import { Reply } from '../../src/client/format.ts'
import { wireFormat } from '../../src/client/formats.ts'

/** An event's data: text as it is, or fields as JSON. */
type Data = string | object

/** What a format makes of these events of one reply, whose types stand in their data. */
export function told(api: string, ...events: readonly Data[]) {
  const reply = new Reply()
  const counts = events.map((data) => wireFormat(api).event(reply, textOf(data), undefined))
  return { reply, counts }
}

/** What a format makes of a reply that came as one document. */
export function toldWhole(api: string, document: Data) {
  const reply = new Reply()
  return { reply, events: wireFormat(api).document(reply, textOf(document)) }
}

function textOf(data: Data): string {
  return typeof data === 'string' ? data : JSON.stringify(data)
}
