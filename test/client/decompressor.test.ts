import { constants, createZstdCompress, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { Decompressor } from '../../src/client/decompressor.ts'
import { CODINGS, compressed } from './compressed.ts'

const TEXTS = ['data: one\n\n', 'data: two \u{1F600}\n\n', 'data: three\n\n']
const GZIP = CODINGS[0]!

interface Got {
  text: string
  /** Read, stamp and delay of each piece of output. */
  readonly stamps: [read: number, at: number, delay: number][]
  bytes: number
}

/** A decompressor, what it gives, and when it has given all. `most` is how many bytes are wanted. */
function decompressor(coding: string, most = Number.POSITIVE_INFINITY) {
  const got: Got = { text: '', stamps: [], bytes: 0 }
  const under = Decompressor.of(coding, (bytes, ...stamp) => {
    got.text += Buffer.from(bytes).toString('latin1')
    got.stamps.push(stamp)
    got.bytes += bytes.length
    return got.bytes < most
  })!
  const drained = (whole = true) => new Promise<void>((resolve) => under.drain(whole, resolve))
  return { under, got, drained }
}

/** Pushes the pieces, each as a read of its own: number from 1, ten times that as stamp, half of it as delay. */
function push(under: Decompressor, pieces: readonly Uint8Array[]): void {
  pieces.forEach((piece, index) => under.push(piece, index + 1, (index + 1) * 10, (index + 1) / 2))
}

describe.each(CODINGS)('$name', (coding) => {
  const header = coding.header.toLowerCase()

  test('what a read completes comes with its number, stamp and delay, however many reads wait', async () => {
    const { under, got, drained } = decompressor(header)
    push(under, await compressed(coding, TEXTS))
    await drained()
    expect(Buffer.from(got.text, 'latin1').toString()).toBe(TEXTS.join(''))
    expect(got.stamps).toEqual([
      [1, 10, 0.5],
      [2, 20, 1],
      [3, 30, 1.5],
    ])
    expect(under.failure).toBeNull()
  })

  test('a text is complete with the last of its bytes, cut into single ones', async () => {
    const pieces = await compressed(coding, TEXTS)
    const { under, got, drained } = decompressor(header)
    push(under, inBytes(Buffer.concat(pieces)))
    await drained()
    expect(Buffer.from(got.text, 'latin1').toString()).toBe(TEXTS.join(''))
    const ends = [0, 1, 2].map((index) => Buffer.concat(pieces.slice(0, index + 1)).length)
    const last = ends.map((end) => Math.max(...got.stamps.map(([read]) => read).filter((read) => read <= end)))
    // What flushing adds behind a text may stand behind its last byte.
    expect(ends.every((end, index) => end - last[index]! < 8)).toBe(true)
  })

  test('the pieces of one read are one', async () => {
    const { under, got, drained } = decompressor(header)
    for (const piece of inBytes(Buffer.concat(await compressed(coding, TEXTS)))) under.push(piece, 7, 70, 1)
    await drained()
    expect(got.stamps).toEqual([[7, 70, 1]])
  })

  test('a body without its end is truncated, but what there is of it is read', async () => {
    const { under, got, drained } = decompressor(header)
    push(under, (await compressed(coding, TEXTS)).slice(0, 2))
    await drained(false)
    expect([got.text, under.failure]).toEqual([latin1(TEXTS.slice(0, 2)), null])
    await drained()
    expect([got.text, under.failure?.kind]).toEqual([latin1(TEXTS.slice(0, 2)), 'truncated'])
  })

  test('what is no such body cannot be decompressed', async () => {
    const { under, got, drained } = decompressor(header)
    push(under, [Buffer.from('hello, '), Buffer.from('this is plain text'), Buffer.alloc(100)])
    await drained()
    expect([got.text, under.failure?.kind]).toEqual(['', 'bad-payload'])
    expect(under.failure?.message).toMatch(/^body cannot be decompressed: ./)
  })

  test('nor can what is broken in its middle, after which nothing is read', async () => {
    const [first, , third, end] = await compressed(coding, TEXTS)
    const { under, got, drained } = decompressor(header)
    push(under, [first!, Buffer.from('hello, this is plain text'), third!, end!])
    await drained()
    expect([got.text, under.failure?.kind]).toEqual([TEXTS[0], 'bad-payload'])
  })

  test('a bomb is decompressed no further than it is wanted', async () => {
    const [bomb] = await compressed(coding, [Buffer.alloc(32 * 2 ** 20)])
    const { under, got, drained } = decompressor(header, 2 ** 20)
    push(under, inPieces(bomb!, 1000))
    await drained()
    expect(under.failure).toBeNull()
    // What the stream had ready is the most that can come on top.
    expect(got.bytes).toBeLessThan(2 ** 20 + 2 ** 18)
  })
})

test('other codings are not known', () => {
  const none = () => true
  expect(['compress', 'gzip, br', '', 'toString'].map((coding) => Decompressor.of(coding, none))).toEqual(
    Array.from({ length: 4 }, () => null),
  )
})

test('gzip may come in several members, and what stands behind the end of deflate and br is not read', async () => {
  const { under, got, drained } = decompressor('gzip')
  push(under, [gzipSync('one '), gzipSync('two')])
  await drained()
  expect([got.text, under.failure]).toEqual(['one two', null])
  for (const coding of CODINGS.filter(({ header }) => header === 'deflate' || header === 'br')) {
    const behind = decompressor(coding.header)
    push(behind.under, [...(await compressed(coding, TEXTS)), Buffer.from('rubbish'), Buffer.from('more')])
    await behind.drained()
    expect([behind.got.text, behind.under.failure]).toEqual([latin1(TEXTS), null])
  }
})

test('zstd must do with the window that the web allows', async () => {
  const { ZSTD_c_windowLog, ZSTD_e_flush } = constants
  const wide = {
    ...GZIP,
    flush: ZSTD_e_flush,
    create: () => createZstdCompress({ params: { [ZSTD_c_windowLog]: 24 } }),
  }
  const { under, drained } = decompressor('zstd')
  push(under, await compressed(wide, [Buffer.alloc(2 ** 24 + 1)]))
  await drained()
  expect(under.failure).toMatchObject({ kind: 'bad-payload', message: expect.stringContaining('memory') })
})

test('what comes faster than it can be decompressed is not heaped up', async () => {
  const { under, got, drained } = decompressor('gzip')
  const piece = Buffer.alloc(2 ** 20)
  for (let read = 1; read <= 17; read++) under.push(piece, read, read, 0)
  await drained()
  expect([got.bytes, under.failure?.kind]).toEqual([0, 'client'])
})

describe('drain', () => {
  test('is told at once where all is read, and where nothing came', async () => {
    const told: string[] = []
    const { under, drained } = decompressor('gzip')
    under.drain(true, () => told.push('nothing came'))
    push(under, [gzipSync('x')])
    await drained()
    under.drain(true, () => told.push('all is read'))
    expect(told).toEqual(['nothing came', 'all is read'])
  })

  test('is told once, later where something waits', async () => {
    const told: number[] = []
    const { under, got } = decompressor('gzip')
    push(under, [gzipSync('x')])
    const { promise, resolve } = Promise.withResolvers<void>()
    under.drain(true, () => {
      told.push(got.bytes)
      // Whatever the stream still has to say.
      setImmediate(resolve)
    })
    expect(told).toEqual([])
    await promise
    expect(told).toEqual([1])
  })

  test('is never told after close, and nothing more is given', async () => {
    const { under, got } = decompressor('gzip')
    const other = decompressor('gzip')
    push(under, [gzipSync('x')])
    push(other.under, [gzipSync('x')])
    under.drain(true, () => expect.unreachable())
    under.close()
    await other.drained()
    expect([got.bytes, other.got.bytes]).toEqual([0, 1])
  })
})

function inBytes(bytes: Buffer): Buffer[] {
  return inPieces(bytes, 1)
}

function inPieces(bytes: Buffer, length: number): Buffer[] {
  return Array.from({ length: Math.ceil(bytes.length / length) }, (_, i) =>
    bytes.subarray(i * length, (i + 1) * length),
  )
}

function latin1(texts: readonly string[]): string {
  return Buffer.from(texts.join('')).toString('latin1')
}
