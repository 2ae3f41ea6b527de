import { describe, expect, test } from 'vitest'
import { createLedger } from '../../src/simulator/ledger.ts'
import type { LedgerRequest } from '../../src/simulator/ledger.ts'

function request(id: string, writes = 1): LedgerRequest {
  const instants: number[] = Array(writes).fill(0)
  const common = { arrived: 0, waited: 0, started: 0, delayed: 0, promptTokens: 1, outputTokens: writes, blocked: 0 }
  return { id, ...common, planned: instants, actual: instants, ended: 'complete' }
}

describe('requests', () => {
  test('the newest are kept, in the order in which they ended, and the others counted', () => {
    const ledger = createLedger(3)
    for (const id of ['a', 'b']) ledger.ended(request(id))
    expect(ledger.snapshot().requests.map(({ id }) => id)).toEqual(['a', 'b'])
    for (const id of ['c', 'd', 'e']) ledger.ended(request(id))
    const { requests, forgotten } = ledger.snapshot()
    expect(requests.map(({ id }) => id)).toEqual(['c', 'd', 'e'])
    expect(forgotten).toBe(2)
  })

  test('a ledger of none only counts', () => {
    const ledger = createLedger(0)
    ledger.ended(request('a'))
    expect(ledger.snapshot()).toMatchObject({ requests: [], forgotten: 1 })
  })

  test('long replies push out more than their number: 4,000,000 writes are kept', () => {
    const ledger = createLedger(100)
    for (const id of ['a', 'b', 'c']) ledger.ended(request(id, 1_500_000))
    expect(ledger.snapshot().requests.map(({ id }) => id)).toEqual(['b', 'c'])
  })
})

describe('late writes', () => {
  test.each([
    // started, planned, actual, late: later than 5 ms and later than 10 % of planned - started
    ['on time', 1000, 1020, 1020, 0],
    ['exactly 5 ms', 1000, 1020, 1025, 0],
    ['6 ms of 20 ms', 1000, 1020, 1026, 1],
    ['6 ms of 100 ms', 1000, 1100, 1106, 0],
    ['exactly 10 % of 100 ms', 1000, 1100, 1110, 0],
    ['11 ms of 100 ms', 1000, 1100, 1111, 1],
    ['6 ms where nothing was planned between', 1000, 1000, 1006, 1],
  ])('%s', (_, started, planned, actual, late) => {
    const ledger = createLedger(0)
    ledger.wrote(started, planned, actual)
    expect(ledger.writesBetween(0, 1e9)).toEqual({ writes: 1, late, worstMs: actual - planned })
  })
})

describe('late plans', () => {
  test.each([
    // Slot at 1000. Planned, actual, delayed, in line, late: by more than 5 ms and 10 % of (planned - 1000 + in line)
    ['on time after 20 ms in line', 1020, 1020, 0, 20, 0],
    ['begun exactly 5 ms late', 1020, 1020, 5, 0, 0],
    ['begun 6 ms late', 1020, 1020, 6, 0, 1],
    ['begun 3 ms late, and written another 3', 1020, 1023, 3, 0, 1],
    ['begun 8 ms late, of 100 ms', 1100, 1100, 8, 0, 0],
    ['begun 8 ms late, and written another 3, of 100 ms', 1100, 1103, 8, 0, 1],
    ['begun 6 ms late, of 20 ms and 40 in line', 1020, 1020, 6, 40, 0],
    ['begun 7 ms late, of 20 ms and 40 in line', 1020, 1020, 7, 40, 1],
    ['begun on time after 400 ms in line, written 6 ms late', 1020, 1026, 0, 400, 1],
    ['begun 1 ms late after 400 ms in line, written 6 ms late', 1020, 1026, 1, 400, 1],
  ])('%s', (_, planned, actual, delayed, inLine, late) => {
    const ledger = createLedger(0)
    ledger.wrote(1000, planned, actual, delayed, inLine)
    expect(ledger.writesBetween(0, 1e9)).toEqual({ writes: 1, late, worstMs: actual - planned + delayed })
  })
})

describe('writes of a time', () => {
  const DAY = 86_400_000

  test('bins of 100 ms that overlap it are summed whole', () => {
    const ledger = createLedger(0)
    // Bins 10, 10, 11, 12 of 100 ms.
    for (const [planned, actual] of [
      [1000, 1001],
      [1080, 1099],
      [1100, 1102],
      [1200, 1203],
    ] as const) {
      ledger.wrote(planned, planned, actual)
    }
    expect(ledger.writesBetween(1050, 1150)).toEqual({ writes: 3, late: 1, worstMs: 19 })
    expect(ledger.writesBetween(1100, 1199)).toEqual({ writes: 1, late: 0, worstMs: 2 })
    expect(ledger.writesBetween(1300, 9999)).toEqual({ writes: 0, late: 0, worstMs: 0 })
    expect(ledger.writesBetween(-5, Infinity).writes).toBe(4)
    expect(ledger.snapshot().total).toEqual({ writes: 4, late: 1, worstMs: 19 })
  })

  test('what is older than a day makes room, and the total does not forget it', () => {
    const ledger = createLedger(0)
    ledger.wrote(500, 500, 500)
    ledger.wrote(DAY + 500, DAY + 500, DAY + 500)
    expect(ledger.writesBetween(0, 2 * DAY).writes).toBe(1)
    expect(ledger.writesBetween(0, 1000).writes).toBe(0)
    expect(ledger.snapshot().total.writes).toBe(2)
  })
})
