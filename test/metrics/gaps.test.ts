import { expect, test } from 'vitest'
import { eachGap } from '../../src/metrics/gaps.ts'
import type { Trace } from '../../src/model/request.ts'
import { type Read, reply } from './trace.ts'

/** What a sink was told, in order: its method and the arguments. */
type Told = readonly [name: 'token' | 'chunk' | 'tokens', ...values: (number | boolean)[]]

function gapsOf(trace: Trace): Told[] {
  const told: Told[] = []
  eachGap(trace, {
    token: (...values) => told.push(['token', ...values]),
    chunk: (...values) => told.push(['chunk', ...values]),
    tokens: (...values) => told.push(['tokens', ...values]),
  })
  return told
}

const four: readonly Read[] = [
  [1050, 1],
  [1070, 1],
  [1100, 1],
  [1110, 1],
]

// Gaps, tokens and delays done by hand from the reads.
test.each<[string, Trace, Told[]]>([
  ['one read has none', reply([[1050, 3, 1]]), []],
  ['a reply that does not stream has none', reply(four, { streamed: false }), []],
  [
    'a token a read: one sample for both metrics, late by what both reads are',
    reply([
      [1050, 1, 0.1],
      [1070, 1, 0.2],
      [1100, 1, 4],
      [1140, 1, 0.5],
    ]),
    [
      ['token', 20, expect.closeTo(0.3, 12)],
      ['token', 30, expect.closeTo(4.2, 12)],
      ['token', 40, 4.5],
    ],
  ],
  [
    // The first read brings 2 of 6. The gap of 30 is shared by 3, the one of 10 by 1.
    'several tokens a read: one sample of ICL, as many of ITL as tokens',
    reply([
      [1050, 2, 0.5],
      [1080, 3, 1],
      [1090, 1, 0.25],
    ]),
    [
      ['chunk', 30, 1.5],
      ['tokens', 30, 3, 1.5, false],
      ['token', 10, 1.25],
    ],
  ],
  [
    'a read late by more than 1 ms may have merged tokens; what the read before was late by does not matter',
    reply([
      [1050, 1, 30],
      [1080, 2, 1.01],
      [1090, 2, 0.5],
    ]),
    [
      ['chunk', 30, 31.01],
      ['tokens', 30, 2, 31.01, true],
      ['chunk', 10, 1.51],
      ['tokens', 10, 2, 1.51, false],
    ],
  ],
  [
    // Usage says 10 tokens in 4 events: by 1, 2, 3, 4 events round(2.5) = 3, 5, round(7.5) = 8, 10 tokens had come.
    'usage larger than events',
    reply(four, { outputTokens: 10 }),
    [
      ['chunk', 20, 0],
      ['tokens', 20, 2, 0, false],
      ['chunk', 30, 0],
      ['tokens', 30, 3, 0, false],
      ['chunk', 10, 0],
      ['tokens', 10, 2, 0, false],
    ],
  ],
  [
    // Two tokens in 4 events: 1 (at least, not 0.5), 1, round(1.5) = 2, 2 had come. The second read brought no whole
    // token, so the third's gap is from the first read: 50, late by 1 + 4. The last brought none.
    'usage smaller than events: a read without a whole token passes its gap on',
    reply(
      [
        [1050, 1, 1],
        [1070, 1, 2],
        [1100, 1, 4],
        [1110, 1, 8],
      ],
      { outputTokens: 2 },
    ),
    [
      ['chunk', 20, 3],
      ['chunk', 30, 6],
      ['tokens', 50, 1, 5, true],
      ['chunk', 10, 12],
    ],
  ],
])('%s', (_, trace, told) => {
  expect(gapsOf(trace)).toEqual(told)
})
