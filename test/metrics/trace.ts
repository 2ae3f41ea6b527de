import type { Trace } from '../../src/model/request.ts'

/** One read: its instant (ms), the content events it brought, and how long its bytes may have lain unread (ms; 0 unless given). */
export type Read = readonly [at: number, events: number, delay?: number]

/**
 * A streamed successful reply, scheduled and sent at 1000, with the given reads; N is the number of content events
 * and the server says so, unless the overrides say otherwise. The first read brings the first visible text.
 */
export function reply(reads: readonly Read[], overrides: Partial<Trace> = {}): Trace {
  const first = reads[0]?.[0] ?? Number.NaN
  const last = reads.at(-1)?.[0] ?? Number.NaN
  return {
    step: 0,
    index: 0,
    scheduled: 1000,
    sent: 1000,
    ended: Number.isNaN(last) ? 1000 : last,
    failure: null,
    streamed: true,
    firstToken: first,
    firstVisible: first,
    lastToken: last,
    outputTokens: reads.reduce((sum, [, events]) => sum + events, 0),
    inputTokens: 10,
    usage: true,
    reads: reads.length,
    // Longer than `reads`, as the scratch memory of a connection is: what lies beyond must not be looked at.
    readAt: Float64Array.from([...reads.map(([at]) => at), 7e9, 8e9]),
    readEvents: Float64Array.from([...reads.map(([, events]) => events), 99, 99]),
    readDelay: Float64Array.from([...reads.map(([, , delay]) => delay ?? 0), 5e9, 6e9]),
    firstVisibleDelay: reads[0]?.[2] ?? 0,
    ...overrides,
  }
}
