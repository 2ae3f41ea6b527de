import { expect, test } from 'vitest'
import { clientLimitClause } from '../../src/analysis/client-bound.ts'
import type { Check } from '../../src/model/audit.ts'

const step = (...checks: readonly Check[]) => ({ voids: checks.map((check) => ({ check, message: '' })) })

test.each<[Check, boolean]>([
  ['rho', true],
  ['stall', true],
  ['in-flight', true],
  ['lost-requests', false],
  ['dead-process', false],
  ['client-failures', false],
  ['late-server', false],
])('a step void by %s ended at the client: %s', (check, bound) => {
  const clause = bound ? "; the client's own limit is about 1900 req/s" : ''
  expect(clientLimitClause([step(), step('lost-requests', check)], 1944)).toBe(clause)
})

test('a limit that is not known, or not met, is not told', () => {
  expect(clientLimitClause([step('rho')], null)).toBe('')
  expect(clientLimitClause([step(), step()], 1944)).toBe('')
})
