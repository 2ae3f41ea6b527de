import { describe, expect, test } from 'vitest'
import { createSlots } from '../../src/simulator/slots.ts'

const EVER = { since: -Infinity, earliest: -Infinity }
const holders = Array.from({ length: 6 }, (_, number) => ({ number }))
const [a, b, c, d, e] = holders as [object, object, object, object, object]

describe('slots', () => {
  test('those who found no slot get it in the order in which they came', () => {
    const slots = createSlots(2)
    expect([a, b, c, d, e].map((holder) => slots.take(holder))).toEqual([EVER, EVER, null, null, null])
    expect([slots.release(1), slots.release(2), slots.release(3)]).toEqual([c, d, e])
  })

  test('slots that nobody waits for are free again, and the one that has been for longest is taken first', () => {
    const slots = createSlots(2)
    expect([slots.take(a), slots.take(b)]).toEqual([EVER, EVER])
    expect([slots.release(5), slots.release(6, 2)]).toEqual([undefined, undefined])
    expect([slots.take(c), slots.take(d), slots.take(e)]).toEqual([
      { since: 5, earliest: 5 },
      { since: 6, earliest: 2 },
      null,
    ])
  })

  test('who leaves the line is passed over, wherever it stood', () => {
    const slots = createSlots(1)
    for (const holder of [a, b, c, d, e]) slots.take(holder)
    expect([slots.leave(b), slots.leave(d), slots.leave(d), slots.leave(a)]).toEqual([true, true, false, false])
    expect([slots.release(1), slots.release(2), slots.release(3)]).toEqual([c, e, undefined])
    expect(slots.take(a)).toEqual({ since: 3, earliest: 3 })
  })

  test('no limit is no line', () => {
    const slots = createSlots(null)
    expect(holders.map((holder) => slots.take(holder))).toEqual(holders.map(() => EVER))
  })

  test('a long line keeps its order while it is shortened and people leave it', () => {
    const slots = createSlots<{ number: number }>(1)
    const many = Array.from({ length: 5000 }, (_, number) => ({ number }))
    slots.take({ number: -1 })
    for (const holder of many) slots.take(holder)
    const served: number[] = []
    for (let i = 0; i < 2500; i++) {
      served.push(slots.release(i)!.number)
      slots.leave(many[4999 - i]!)
    }
    expect(served).toEqual(many.slice(0, 2500).map(({ number }) => number))
    expect(slots.release(2500)).toBeUndefined()
  })
})
