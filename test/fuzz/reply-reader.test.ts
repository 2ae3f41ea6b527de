import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { wireFormat } from '../../src/client/formats.ts'
import type { Headers } from '../../src/client/reader.ts'
import { ReplyReader } from '../../src/client/reply-reader.ts'
import { ScratchTrace } from '../../src/client/trace.ts'
import type { Failure } from '../../src/model/request.ts'
import { CODINGS, compressed } from '../client/compressed.ts'
import { cut, cutsOf, grouped, rounded } from '../client/cuts.ts'
import { inPieces, readCompressed, readNext, readOf, readReply, sampleEvents } from '../client/read-reply.ts'
import type { Head, Read } from '../client/read-reply.ts'
import { TIMEOUT_MS, budget } from './budget.ts'
import { CORPUS, STREAMED } from './corpus.ts'
import { expectNone, failedBy, violations } from './invariants.ts'
import { mutate, mutation } from './mutation.ts'

const original = fc.constantFrom(...CORPUS)
const mutations = fc.array(mutation, { minLength: 1, maxLength: 4 })
const cuts = cutsOf(1_000_000, 20)
const status = fc.oneof(
  { weight: 12, arbitrary: fc.constant(200) },
  { weight: 1, arbitrary: fc.constantFrom(201, 204, 299, 300, 301, 400, 429, 500, 529, 999) },
)

/** Headers that take the place of the original's. */
const headers: fc.Arbitrary<Headers> = fc.oneof(
  { weight: 6, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.record(
      {
        'content-type': fc.constantFrom(
          'text/event-stream',
          'application/x-ndjson',
          'application/json; charset=utf-8',
          'text/html',
          '',
          ';',
          'x',
          ['text/event-stream', 'application/json'],
          [],
        ),
        'content-encoding': fc.constantFrom('identity', '', ' , ', 'nope', 'gzip, br', '__proto__', 'constructor', []),
        'retry-after': fc.constantFrom('', '-1', 'Wed, 21 Oct 2026 07:28:00 GMT', 'x'.repeat(5000), ['1', '2'], []),
      },
      { requiredKeys: [] },
    ),
  },
)

/** The reader of a format for all its replies: what one leaves behind in it would show in the next. */
class Used {
  readonly reader: ReplyReader
  readonly trace = new ScratchTrace()
  readonly #api: string
  readonly #clean: Buffer
  readonly #expected: Read

  constructor(api: string) {
    this.reader = new ReplyReader(wireFormat(api))
    this.#api = api
    this.#clean = Buffer.from(sampleEvents(api, 3).join(''))
    this.#expected = readReply(api, [this.#clean])
  }

  read(pieces: readonly Buffer[], head: Head): Read {
    return readNext(this.reader, this.trace, this.#api, pieces, head)
  }

  readCompressed(pieces: readonly Buffer[], head: Head): Promise<Read> {
    return readCompressed(this.reader, this.trace, this.#api, pieces, head)
  }

  expectClean(): void {
    expect(readNext(this.reader, this.trace, this.#api, [this.#clean])).toEqual(this.#expected)
  }
}

const USED: ReadonlyMap<string, Used> = new Map(STREAMED.map((api) => [api, new Used(api)]))

/** Kinds of failure that a fuzzed reply must have become now and then, or the fuzzing would prove little. */
const KINDS = ['none', 'http', 'bad-payload', 'truncated', 'stream-error', 'empty']

/** Where the pieces of a body end, of whatever length it is. */
function endsOf(body: Buffer, cuts: readonly number[]): number[] {
  return body.length === 0 ? [] : [...cuts.filter((end) => end < body.length), body.length]
}

test(
  'whatever a reply is, it is judged, by its bytes and not by their cuts, and the next one is read as ever',
  () => {
    const reply = fc.record({ original, mutations, cuts, status, headers })
    const seen = new Set<string>()
    const law = fc.property(reply, ({ original, mutations, cuts, status, headers }) => {
      const used = USED.get(original.api)!
      const body = mutate(original.body, mutations)
      const head = { status, headers: { ...original.headers, ...headers } }
      const ends = endsOf(body, cuts)
      try {
        const became = used.read(cut(body, ends), head)
        expectNone(violations(became), became)
        seen.add(became.failure?.kind ?? 'none')
        used.expectClean()
        if (body.length === 0 || body.length > 20_000) return
        expect(rounded(became)).toEqual(rounded(grouped(used.read(inPieces(body, 1), head), ends)))
      } catch (error) {
        throw failedBy(body, error)
      }
    })
    fc.assert(law, budget(3000, 0.4))
    expect([...seen]).toEqual(expect.arrayContaining(KINDS))
  },
  TIMEOUT_MS,
)

test(
  'so is one whose connection breaks anywhere, or that nobody waits for to its end',
  () => {
    const ending = fc.constantFrom('reset', 'closed', 'given up', 'aborted')
    const reply = fc.record({ original, mutations, cuts, status, ending })
    const law = fc.property(reply, ({ original, mutations, cuts, status, ending }) => {
      const used = USED.get(original.api)!
      const { reader, trace } = used
      const body = mutate(original.body, mutations)
      try {
        trace.begin(0, 0, 0, 0)
        reader.begin(trace)
        reader.head(status, original.headers)
        cut(body, endsOf(body, cuts)).forEach((piece, index) => reader.body(piece, index + 1, index + 1, 0))
        const failure = judged(reader, ending)
        reader.finish(128)
        if (failure !== 'none asked') expectNone(violations(readOf(trace, failure)), failure)
        used.expectClean()
      } catch (error) {
        throw failedBy(body, error)
      }
    })
    fc.assert(law, budget(1500, 0.1))
  },
  TIMEOUT_MS,
)

test(
  'so is a compressed one, whatever it was before, and whatever becomes of it after',
  async () => {
    const coding = fc.constantFrom(...CODINGS)
    const few = fc.array(mutation, { maxLength: 2 })
    const reply = fc.record({ original, coding, before: few, after: few, cuts, status })
    const seen = new Set<string>()
    const law = fc.asyncProperty(reply, async ({ original, coding, before, after, cuts, status }) => {
      const used = USED.get(original.api)!
      const body = mutate(Buffer.concat(await compressed(coding, [mutate(original.body, before)])), after)
      const head = { status, headers: { ...original.headers, 'content-encoding': coding.header } }
      try {
        const became = await used.readCompressed(cut(body, endsOf(body, cuts)), head)
        expectNone(violations(became), became)
        seen.add(became.failure?.kind ?? 'none')
        used.expectClean()
      } catch (error) {
        throw failedBy(body, error)
      }
    })
    await fc.assert(law, budget(400, 0.2))
    expect([...seen]).toEqual(expect.arrayContaining(KINDS))
  },
  TIMEOUT_MS,
)

test('a reader keeps nothing of a reply that is over', () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const used = USED.get('openai-chat')!
  const endless = Buffer.from(`data: ${'x'.repeat(1_000_000)}`)
  const memory = () => {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = memory()
  for (let reply = 0; reply < 100; reply++) used.read([endless], { headers: { 'content-type': 'text/event-stream' } })
  expect(memory() - before).toBeLessThan(10 * 2 ** 20)
})

function judged(reader: ReplyReader, ending: string): Failure | null | 'none asked' {
  if (ending === 'aborted' || (ending === 'given up' && !reader.done)) return 'none asked'
  if (ending === 'given up') return reader.end()
  const code = ending === 'reset' ? 'ECONNRESET' : 'UND_ERR_SOCKET'
  return reader.broken(Object.assign(new Error('it broke'), { code }), true)
}
