import { describe, expect, test } from 'vitest'
import { claimsOf, ONE_PROCESS, TWO_PROCESSES } from '../../bench/bias/claim.ts'
import { row } from './rows.ts'

describe('claimsOf', () => {
  test('compares one load process with two at rho 0.9 and 1.0', () => {
    const claims = claimsOf([
      row({ client: ONE_PROCESS, level: 0.9, addedMean: 4 }),
      row({ client: TWO_PROCESSES, level: 0.9, addedMean: 1 }),
      row({ client: ONE_PROCESS, level: 1, addedMean: 40 }),
      row({ client: TWO_PROCESSES, level: 1, addedMean: 3 }),
    ])
    expect(claims[0]).toContain('At rho 0.9 one load process adds 4.00 ms to the mean E2E, two add 1.00 ms')
    expect(claims[0]).toContain('75.0 % removed (at least 50 % wanted: met)')
    expect(claims[1]).toContain('92.5 % removed (at least 95 % wanted: missed)')
  })

  test('says what was not measured', () => {
    expect(claimsOf([row({ client: ONE_PROCESS, level: 0.9, addedMean: 4 })])).toEqual([
      'At rho 0.9: not measured.',
      'At rho 1.0: not measured.',
    ])
  })
})
