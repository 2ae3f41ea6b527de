import { FAILURE_KINDS, type Failure } from '../../src/model/request.ts'
import type { Read } from '../client/read-reply.ts'

/** What is wrong with what became of a reply, whatever that reply was; empty when nothing is. */
export function violations(read: Read): string[] {
  const { failure, reads, firstToken, lastToken, outputTokens, inputTokens, usage } = read
  const stamps = reads.map(([stamp]) => stamp)
  const weights = reads.map(([, events]) => events)
  const sum = weights.reduce((total, events) => total + events, 0)
  const isStamp = (value: number, expected: number | undefined) => Object.is(value, expected ?? Number.NaN)
  const rules: [string, boolean][] = [
    ['counts are finite and not negative', [outputTokens, inputTokens].every(isCount)],
    ['every read that counts has brought something', weights.every((events) => events > 0 && Number.isFinite(events))],
    ['reads are in order', stamps.every((stamp, index) => index === 0 || stamp > stamps[index - 1]!)],
    ['without usage, the tokens of the reads are the tokens', usage || sum === outputTokens],
    ['the first token came with the first read', isStamp(firstToken, stamps[0])],
    ['the last token came with the last read', isStamp(lastToken, stamps.at(-1))],
    ['a success has tokens', failure !== null || (reads.length > 0 && outputTokens > 0)],
  ]
  return [...rules.filter(([, holds]) => !holds).map(([rule]) => rule), ...(failure === null ? [] : wrong(failure))]
}

/** What is wrong with a failure. */
export function wrong({ kind, message, status }: Failure): string[] {
  const rules: [string, boolean][] = [
    ['its kind is one of the known', FAILURE_KINDS.includes(kind)],
    ['it has a status if it is one', (kind === 'http') === (status !== undefined)],
    ['its message is one line', message !== '' && !/[\p{Cc}\u2028\u2029]/u.test(message)],
    ['no format has thrown', !message.includes('could not read the reply')],
    ['nothing of it is blamed on the client', kind !== 'client'],
  ]
  return rules.filter(([, holds]) => !holds).map(([rule]) => rule)
}

/** Throws with everything that is wrong. */
export function expectNone(wrongs: readonly string[], became: unknown): void {
  if (wrongs.length > 0) throw new Error(`broken: ${wrongs.join('; ')}\nbecame: ${JSON.stringify(became)}`)
}

/** Error of a check that a reply has failed; it shows the reply. */
export function failedBy(reply: Buffer, error: unknown): Error {
  const shown = JSON.stringify(reply.toString('latin1').slice(0, 4000))
  const what = error instanceof Error ? error.message : String(error)
  return new Error(`${what}\nof these ${reply.length} bytes, as latin1: ${shown}`, { cause: error })
}

function isCount(value: number): boolean {
  return Number.isFinite(value) && value >= 0
}
