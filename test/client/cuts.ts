import * as fc from 'fast-check'
import type { Read } from './read-reply.ts'

/** Where the pieces of that many bytes end, ascending, at most `most` of them and the last. No piece is empty. */
export function cutsOf(length: number, most = 40): fc.Arbitrary<number[]> {
  return fc
    .uniqueArray(fc.integer({ min: 1, max: Math.max(1, length - 1) }), { maxLength: most })
    .map((cuts) => [...cuts.filter((cut) => cut < length).sort((a, b) => a - b), length])
}

export function cut(bytes: Buffer, cuts: readonly number[]): Buffer[] {
  return cuts.map((end, index) => bytes.subarray(cuts[index - 1] ?? 0, end))
}

/**
 * What must become of a reply with those cuts, by what becomes of it in single bytes: the same, but that what a byte
 * has completed belongs to the read that brought that byte.
 */
export function grouped(bytewise: Read, cuts: readonly number[]): Read {
  const readOf = (byte: number) => (Number.isNaN(byte) ? byte : cuts.findIndex((end) => end >= byte) + 1)
  const reads = new Map<number, number>()
  for (const [byte, events] of bytewise.reads) reads.set(readOf(byte), (reads.get(readOf(byte)) ?? 0) + events)
  return {
    ...bytewise,
    reads: [...reads],
    firstToken: readOf(bytewise.firstToken),
    firstVisible: readOf(bytewise.firstVisible),
    lastToken: readOf(bytewise.lastToken),
  }
}

/** Weights that are no whole numbers may have been added up in another order. */
export function rounded(read: Read): Read {
  return { ...read, reads: read.reads.map(([number, events]) => [number, Number(events.toPrecision(9))] as const) }
}
