import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTurnClock } from '../../src/simulator/turn-clock.ts'
import type { TurnClock } from '../../src/simulator/turn-clock.ts'

/** An event loop that the test turns: reads first, then immediates, then timers, as in libuv. */
let now: number
let clock: TurnClock
let immediates: (() => void)[]
let beat: () => void
let beatDue: number

beforeEach(() => {
  now = 0
  immediates = []
  beatDue = 20
  vi.stubGlobal('setImmediate', (callback: () => void) => immediates.push(callback))
  vi.stubGlobal('setInterval', (callback: () => void) => {
    beat = callback
    return { unref: () => undefined }
  })
  clock = createTurnClock(() => now)
})
afterEach(() => vi.unstubAllGlobals())

/** A turn of the loop: what it reads, how long that takes, and the beat when it is due. */
function turn(read: () => void = () => undefined, ms = 0): void {
  read()
  now += ms
  for (const immediate of immediates.splice(0)) immediate()
  if (now < beatDue) return
  beatDue = now + 20
  beat()
}

/** Time passes in which the loop turns for its beats only. */
function idle(ms: number): void {
  for (const end = now + ms; now < end;) {
    now = Math.min(end, beatDue)
    turn()
  }
}

function waited(): number {
  return clock.waited(clock.arrival())
}

describe('arrival', () => {
  test('is the first instant of the turn, for all that it reads', () => {
    const seen: number[] = []
    const read = () => {
      seen.push(clock.arrival())
      now += 3
      seen.push(clock.arrival())
    }
    turn(read)
    now = 10
    turn(read)
    expect(seen).toEqual([0, 0, 10, 10])
  })
})

describe('what is read', () => {
  test('has not waited while the pulse beats in time', () => {
    idle(90)
    // The beat of 100 is overdue by exactly 5 ms.
    now = 105
    turn(() => expect(waited()).toBe(0))
  })

  test('after a standstill may have waited since the loop was last seen: at a beat', () => {
    idle(90)
    now = 480
    turn(() => expect([waited(), waited()]).toEqual([400, 400]))
  })

  test('after a standstill may have waited since the loop was last seen: at a read', () => {
    idle(90)
    turn(() => clock.arrival())
    now = 480
    turn(() => expect(waited()).toBe(390))
  })

  test('in the turn after that may have waited too: the first may have looked before it stood still', () => {
    idle(90)
    now = 480
    // Reading takes so long that the overdue beat finds the loop at work.
    turn(() => clock.arrival(), 4)
    turn(() => expect(waited()).toBe(404))
    turn(() => expect(waited()).toBe(0))
  })

  test('may have waited when the beat was the first to tell', () => {
    idle(90)
    now = 480
    turn()
    now += 1
    turn(() => expect(waited()).toBe(401))
    turn(() => expect(waited()).toBe(0))
  })

  test.each([
    ['a beat', () => undefined],
    ['a read', () => clock.arrival()],
  ])('two turns after %s told of the standstill has not waited, though nothing was read between', (_, tell) => {
    idle(90)
    now = 480
    turn(tell)
    turn()
    turn(() => expect(waited()).toBe(0))
  })

  test('after two standstills in a row may have waited since the first', () => {
    idle(90)
    now = 480
    turn()
    now = 580
    turn(() => expect(waited()).toBe(500))
  })

  test('may have waited for as long as the turn before took, in a loop of long turns', () => {
    for (let i = 0; i < 10; i++) turn(() => expect(waited()).toBe(i === 0 ? 0 : 30), 30)
  })

  test('has waited nothing worth telling when the loop was at work a moment ago, though no timer ran', () => {
    idle(20)
    beatDue = Infinity
    for (let i = 0; i < 20; i++) {
      now += 4
      turn(() => expect(waited()).toBe(0))
    }
  })

  test('counts what has not been looked at yet: the clock is asked between turns', () => {
    idle(90)
    expect(clock.waited(105)).toBe(0)
    expect(clock.waited(480)).toBe(400)
    // Asking changes nothing.
    expect(clock.waited(105)).toBe(0)
  })
})

describe('connections that stood in the backlog', () => {
  const over = vi.fn<() => void>()
  beforeEach(() => over.mockClear())
  const accept = (): number => clock.waitedInBacklog(over)

  test('have not waited without a standstill', () => {
    idle(100)
    turn(() => expect(accept()).toBe(0))
    turn()
    turn()
    expect(over).not.toHaveBeenCalled()
  })

  test('are accepted one a turn, and have waited as long as one is accepted in every turn', () => {
    idle(80)
    now = 480
    for (let i = 0; i < 50; i++) turn(() => expect(accept()).toBe(400 + i), 1)
    turn()
    turn(() => expect(accept()).toBe(0))
  })

  test('have waited too when the turn after the standstill read something else', () => {
    idle(80)
    now = 480
    turn(() => clock.arrival(), 1)
    turn(() => expect(accept()).toBe(401))
  })

  test('have not waited any more when as much time has passed as the standstill took', () => {
    idle(80)
    now = 120
    const waits: number[] = []
    for (let i = 0; i < 8; i++) turn(() => waits.push(accept()), 10)
    expect(waits).toEqual([40, 50, 60, 70, 80, 0, 0, 0])
  })

  test('brought what the next turn reads: then it is over', () => {
    idle(80)
    now = 480
    turn(() => accept())
    expect(over).not.toHaveBeenCalled()
    turn(() => expect(over).not.toHaveBeenCalled())
    expect(over).toHaveBeenCalledOnce()
  })
})
