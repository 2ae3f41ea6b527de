import { describe, expect, test } from 'vitest'
import { mayMeetObjectives, meetsObjectives } from '../../src/metrics/objectives.ts'
import { reply } from './trace.ts'

// TTFT 50, E2E 90, N 2, NTPOT 45, TPOT 40; no visible text. Sent 10 late; the reads lay unread for up to 3 and 5.
const trace = reply(
  [
    [1050, 1, 3],
    [1090, 1, 5],
  ],
  { sent: 1010, firstVisible: Number.NaN, firstVisibleDelay: 0 },
)

describe('objectives as seen, and with the client off', () => {
  test.each([
    { name: 'no objective', objectives: {}, meets: true, mayMeet: true },
    { name: 'at the limit', objectives: { ttft: 50 }, meets: true, mayMeet: true },
    // 50 - 10 - 3 = 37.
    { name: 'TTFT above by the client alone', objectives: { ttft: 37 }, meets: false, mayMeet: true },
    { name: 'TTFT above in any case', objectives: { ttft: 36.9 }, meets: false, mayMeet: false },
    // A difference of two reads: 40 less (3 + 5) / 1; the send lag is not in it.
    { name: 'TPOT above by late reads alone', objectives: { tpot: 32 }, meets: false, mayMeet: true },
    { name: 'TPOT above in any case', objectives: { tpot: 31.9 }, meets: false, mayMeet: false },
    // 90 - 10 - 5 = 75, over two tokens 37.5.
    { name: 'E2E above by the client alone', objectives: { e2e: 75 }, meets: false, mayMeet: true },
    { name: 'E2E above in any case', objectives: { e2e: 74.9 }, meets: false, mayMeet: false },
    { name: 'NTPOT above by the client alone', objectives: { ntpot: 37.5 }, meets: false, mayMeet: true },
    { name: 'NTPOT above in any case', objectives: { ntpot: 37.4 }, meets: false, mayMeet: false },
    { name: 'one of two above', objectives: { ttft: 100, e2e: 10 }, meets: false, mayMeet: false },
    { name: 'not applicable', objectives: { ttfo: 1 }, meets: true, mayMeet: true },
  ])('$name', ({ objectives, meets, mayMeet }) => {
    expect([meetsObjectives(trace, objectives), mayMeetObjectives(trace, objectives)]).toEqual([meets, mayMeet])
  })

  test.each([
    // 80 - 10 - 4 = 66.
    { ttfo: 66, mayMeet: true },
    { ttfo: 65.9, mayMeet: false },
  ])('text after 80, less the client 66, within $ttfo: $mayMeet', ({ ttfo, mayMeet }) => {
    const visible = { ...trace, firstVisible: 1080, firstVisibleDelay: 4 }
    expect([meetsObjectives(visible, { ttfo }), mayMeetObjectives(visible, { ttfo })]).toEqual([false, mayMeet])
  })

  test('a reply without tokens or a stream meets what does not apply to it', () => {
    const plain = reply([[1200, 1, 9]], { streamed: false, outputTokens: 0, usage: false })
    const objectives = { ttft: 1, ttfo: 1, tpot: 1, ntpot: 1 }
    expect([meetsObjectives(plain, objectives), mayMeetObjectives(plain, objectives)]).toEqual([true, true])
    expect([meetsObjectives(plain, { e2e: 191 }), mayMeetObjectives(plain, { e2e: 191 })]).toEqual([false, true])
  })
})
