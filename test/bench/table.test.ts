import { describe, expect, test } from 'vitest'
import { ms, tableOf } from '../../bench/bias/table.ts'
import { row } from './rows.ts'

describe('tableOf', () => {
  test('pads every column to one width, words to the left and figures to the right', () => {
    const one = row({ client: 'a', offered: 5000, achieved: 4998.6, onTime: 0.9996, addedMean: 0.236, rho: 0.314 })
    const lines = tableOf([one, row({ client: 'another', addedMean: 1234.4, verdict: 'void (rho)' })]).split('\n')
    expect(new Set(lines.map((line) => line.length)).size).toBe(1)
    expect(lines[1]).toMatch(/^\| -+ \| -+ \| -+: \| .*-+ \|$/)
    const cells = lines.map((line) => line.split('|').map((cell) => cell.trim()))
    expect(cells[2]!.slice(1, 9)).toEqual(['rho 0.9', 'a', '5,000', '4,999', '100.0', '0.24', '', '0.31'])
    expect(cells[3]!.slice(6, 7)).toEqual(['1,234'])
    expect(cells[3]!.at(-2)).toBe('void (rho)')
  })
})

describe('ms', () => {
  test.for<[value: number | null, text: string]>([
    [null, ''],
    [0.0449, '0.04'],
    [9.99, '9.99'],
    [12.34, '12.3'],
    [-0.011, '-0.01'],
    [4567.8, '4,568'],
  ])('of %j is %j', ([value, text]) => expect(ms(value)).toBe(text))
})
