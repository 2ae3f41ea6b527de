import { expect, test } from 'vitest'
import { arrange } from '../../src/report/table.ts'

const lead = { name: 'step', unit: '/s', cells: ['5', '10'] }
const rate = { name: 'offered', unit: '/s', cells: ['5.01', '9.98'] }
const lag = { name: 'lag', unit: 'ms', cells: ['0.40', '12.1'] }

function lines(width: number): string[] {
  return arrange(lead, [[rate], [lag]], [rate, lag], width).flatMap((table, i) => [
    ...(i === 0 ? [] : ['']),
    ...table.head,
    ...table.rows,
  ])
}

test('columns are right-aligned, with two spaces between them', () => {
  expect(lines(19)).toEqual([
    'step  offered   lag', //
    '  /s       /s    ms',
    '   5     5.01  0.40',
    '  10     9.98  12.1',
  ])
})

test('with one space where two do not fit', () => {
  expect(lines(18)[0]).toBe('step offered  lag')
})

test('as blocks below each other, each behind the lead column, where one table does not fit', () => {
  expect(lines(15)).toEqual([
    'step  offered', //
    '  /s       /s',
    '   5     5.01',
    '  10     9.98',
    '',
    'step   lag',
    '  /s    ms',
    '   5  0.40',
    '  10  12.1',
  ])
})

test('cut where no arrangement fits, and the cut shows', () => {
  expect(lines(10)[0]).toBe('step off..')
})

test('a line of units without units is left out', () => {
  const bare = { name: 'step', unit: '', cells: ['c=4'] }
  expect(arrange(bare, [], [{ name: 'errors', unit: '', cells: ['0%'] }], 80)[0]!.head).toEqual(['step  errors'])
})
