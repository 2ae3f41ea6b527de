import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, expect, test, vi } from 'vitest'
import { CANARY_BYTES, openCanary } from '../../src/worker/canary.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { type Metronome, startMetronome } from '../../src/worker/metronome.ts'
import { block, nextTurn } from './event-loop.ts'

interface Heard {
  readonly written: number
  readonly at: number
}

describe('the reading end', () => {
  /** A canary whose writer is the test; its clock counts the reads. */
  async function written(stack: AsyncDisposableStack): Promise<{ writer: Socket; heard: Heard[] }> {
    const heard: Heard[] = []
    let reads = 0
    const connected: Promise<Socket>[] = []
    const canary = await openCanary(
      (port) => {
        const socket = connect({ port, host: '127.0.0.1', noDelay: true })
        connected.push(once(socket, 'connect').then(() => socket))
      },
      () => ++reads,
      (instant, at) => heard.push({ written: instant, at }),
    )
    stack.defer(() => canary.close())
    const writer = await connected[0]!
    stack.defer(() => void writer.destroy())
    return { writer, heard }
  }

  const INSTANTS = [0, 1, 2.5, 1e9 + 0.001, Math.PI]
  function bytesOf(instants: readonly number[]): Buffer {
    const bytes = Buffer.alloc(instants.length * CANARY_BYTES)
    for (const [i, instant] of instants.entries()) bytes.writeDoubleLE(instant, i * CANARY_BYTES)
    return bytes
  }

  test('takes several that come in one read, with one stamp', async () => {
    await using stack = new AsyncDisposableStack()
    const { writer, heard } = await written(stack)
    writer.write(bytesOf(INSTANTS))
    await vi.waitUntil(() => heard.length === INSTANTS.length)
    expect(heard).toEqual(INSTANTS.map((instant) => ({ written: instant, at: 1 })))
  })

  test.each(Array.from({ length: CANARY_BYTES - 1 }, (_, i) => i + 1))(
    'takes them cut %i bytes in: the instant is that of its last byte',
    async (cut) => {
      await using stack = new AsyncDisposableStack()
      const { writer, heard } = await written(stack)
      const bytes = bytesOf(INSTANTS)
      // Two and a part, then two more and the next part, then the rest.
      const pieces = [0, 2 * CANARY_BYTES + cut, 4 * CANARY_BYTES + cut, bytes.length]
      for (const [i, from] of pieces.slice(0, -1).entries()) {
        writer.write(bytes.subarray(from, pieces[i + 1]))
        await vi.waitUntil(() => heard.length === [2, 4, 5][i], { interval: 1 })
      }
      expect(heard.map((one) => one.written)).toEqual(INSTANTS)
      expect(heard.map((one) => one.at)).toEqual([1, 1, 2, 2, 3])
    },
  )

  test('takes them byte by byte', async () => {
    await using stack = new AsyncDisposableStack()
    const { writer, heard } = await written(stack)
    for (const byte of bytesOf(INSTANTS)) {
      writer.write(Buffer.of(byte))
      await nextTurn()
    }
    await vi.waitUntil(() => heard.length === INSTANTS.length)
    expect(heard.map((one) => one.written)).toEqual(INSTANTS)
  })

  test('a writer that resets the connection is no error', async () => {
    await using stack = new AsyncDisposableStack()
    const { writer, heard } = await written(stack)
    writer.write(bytesOf([7]))
    await vi.waitUntil(() => heard.length === 1)
    writer.resetAndDestroy()
    await once(writer, 'close')
    await nextTurn()
    expect(heard).toEqual([{ written: 7, at: 1 }])
  })
})

describe('canaries of the metronome', () => {
  /** A metronome whose canaries are heard. */
  async function sung(stack: AsyncDisposableStack): Promise<{ metronome: Metronome; heard: Heard[] }> {
    const heard: Heard[] = []
    const metronome = await startMetronome()
    const canary = await openCanary(
      (port) => metronome.sendCanaries(port),
      hostNow,
      (instant, at) => heard.push({ written: instant, at }),
    )
    stack.defer(async () => {
      await metronome.close()
      canary.close()
    })
    return { metronome, heard }
  }

  /** Resolves when so many more have been heard. */
  async function more(heard: readonly Heard[], count: number): Promise<readonly Heard[]> {
    const from = heard.length
    await vi.waitUntil(() => heard.length >= from + count, { interval: 5, timeout: 30_000 })
    return heard.slice(from)
  }

  test('come about a hundred a second at irregular instants, in order, and are read after they were written', async () => {
    await using stack = new AsyncDisposableStack()
    const { heard } = await sung(stack)
    const canaries = await more(heard, 200)
    const gaps = canaries.slice(1).map(({ written }, i) => written - canaries[i]!.written)
    // 199 gaps of 10 ms in the mean are 2 s, +- 0.14; a busy machine makes it longer.
    const seconds = gaps.reduce((sum, gap) => sum + gap, 0) / 1000
    expect(seconds).toBeGreaterThan(1)
    expect(seconds).toBeLessThan(30)
    expect(Math.min(...gaps)).toBeGreaterThan(0)
    expect(Math.max(...gaps)).toBeGreaterThan(4 * Math.min(...gaps))
    expect(canaries.filter(({ written, at }) => at < written)).toEqual([])
  }, 60_000)

  test('come while there is no schedule, while one runs, and after it was stopped', async () => {
    await using stack = new AsyncDisposableStack()
    const { metronome, heard } = await sung(stack)
    await more(heard, 10)
    let wakes = 0
    const start = hostNow()
    // Every 5 ms for a minute: far longer than this waits.
    metronome.start(
      Float64Array.from({ length: 12_000 }, (_, i) => start + 5 * i),
      () => {
        wakes++
        metronome.served()
      },
    )
    await more(heard, 20)
    expect(wakes).toBeGreaterThan(10)
    metronome.stop()
    await nextTurn()
    const stopped = wakes
    await more(heard, 20)
    expect(wakes).toBe(stopped)
  }, 60_000)

  test('wait as long as the loop stands still', async () => {
    await using stack = new AsyncDisposableStack()
    const { heard } = await sung(stack)
    await more(heard, 5)
    const from = heard.length
    // None in the first half of any of the three has a chance of one in ten million millions.
    for (let i = 0; i < 3; i++) {
      block(200)
      await more(heard, 1)
    }
    const waits = heard.slice(from).map(({ written, at }) => at - written)
    expect(Math.max(...waits)).toBeGreaterThan(100)
  }, 60_000)
})
