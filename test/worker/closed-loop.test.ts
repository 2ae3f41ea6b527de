import { describe, expect, test } from 'vitest'
import { runClosedLoop } from '../../src/worker/closed-loop.ts'
import { hostNow } from '../../src/worker/clock.ts'

function start(options: { slots: number; requests?: number; until?: number | null; startAt?: number }) {
  const sent: { i: number; scheduled: number }[] = []
  const abort = new AbortController()
  const startAt = options.startAt ?? hostNow()
  let began: () => void
  const begun = new Promise<void>((resolve) => (began = resolve))
  const loop = runClosedLoop({
    slots: options.slots,
    requests: options.requests ?? Number.POSITIVE_INFINITY,
    startAt,
    until: options.until ?? null,
    now: hostNow,
    offer(i, scheduled) {
      sent.push({ i, scheduled })
      began()
    },
    signal: abort.signal,
  })
  return { sent, abort, startAt, begun, loop }
}

describe('a closed loop', () => {
  test('fills every slot at its start, never before', async () => {
    const startAt = hostNow() + 20
    const { sent, begun, abort } = start({ slots: 3, startAt })
    expect(sent).toEqual([])
    await begun
    expect(hostNow()).toBeGreaterThanOrEqual(startAt)
    expect(sent).toEqual([0, 1, 2].map((i) => ({ i, scheduled: startAt })))
    abort.abort()
  })

  test("schedules a slot's next request at the instant the slot became free", async () => {
    const { sent, begun, loop, startAt, abort } = start({ slots: 1 })
    await begun
    loop.ended(startAt + 5, true)
    expect(sent).toEqual([
      { i: 0, scheduled: startAt },
      { i: 1, scheduled: startAt + 5 },
    ])
    abort.abort()
  })

  test('ends when its number of requests has ended', async () => {
    const { sent, begun, loop } = start({ slots: 2, requests: 3 })
    await begun
    for (let i = 0; i < 3; i++) loop.ended(hostNow(), true)
    await loop.done
    expect(sent.map(({ i }) => i)).toEqual([0, 1, 2])
  })

  test('sends nothing after its end, and is done when the slots are empty', async () => {
    const { sent, begun, loop } = start({ slots: 2, until: hostNow() + 10_000 })
    await begun
    const late = hostNow() + 20_000
    loop.ended(late, true)
    loop.ended(late, true)
    await loop.done
    expect(sent.length).toBe(2)
  })

  test('without a slot has nothing to do', async () => {
    const { sent, loop } = start({ slots: 0, requests: 0 })
    await loop.done
    expect(sent).toEqual([])
  })

  test('pauses a slot whose request never reached the server', async () => {
    const { sent, begun, loop, startAt } = start({ slots: 1, requests: 2 })
    await begun
    loop.ended(startAt + 1, false)
    expect(sent.length).toBe(1)
    await expect.poll(() => sent.length, { timeout: 5000 }).toBe(2)
    expect(sent[1]!.scheduled).toBeGreaterThanOrEqual(startAt + 100)
    loop.ended(hostNow(), true)
    await loop.done
  })

  test('ends at once when it is aborted, even while a slot pauses', async () => {
    const { begun, loop, abort, startAt } = start({ slots: 1 })
    await begun
    loop.ended(startAt, false)
    abort.abort()
    await loop.done
  })
})
