import { expect, test } from 'vitest'
import { stepSummary } from '../../src/report/summary.ts'
import { SCENARIOS } from './scenarios.ts'

test('one row a slo; of a sweep the highest step that was carried', () => {
  expect(`\n${stepSummary(Object.values(SCENARIOS))}`).toMatchInlineSnapshot(`
    "
    ### Service level objectives

    | slo | verdict | offered | TTFT p99 | NTPOT p99 | errors | saturation |
    | --- | --- | ---: | ---: | ---: | ---: | ---: |
    | chat (load/chat.slo.ts) | pass | 15/s | 47.6 ms | 6.23 ms | 0 % | not reached up to 20/s |
    | chat (load/chat.slo.ts) | **fail** | 15/s | none | none | 1.67 % | - |
    | chat capacity (load/chat.slo.ts) | pass | 31.7/s | 87.5 ms at 31.7/s | 8.1 ms at 31.7/s | 0 % at 31.7/s | 46.8/s |
    | chat (load/chat.slo.ts) | pass | 27.7/s | 60.5 ms | 6.55 ms | 0 % | - |
    | chat (load/chat.slo.ts) | **inconclusive** | 10/s | none | none | 100 % | unknown |
    | chat (load/chat.slo.ts) | **invalid** | 294.3/s | 49.7 ms | 6.24 ms | 0 % | not reached up to 10/s |
    | chat (load/chat.slo.ts) | pass | 10/s | n/a | 6.24 ms | 0 % | - |
    | chat (load/chat.slo.ts) | **invalid** | 10/s | 49.7 ms | 6.24 ms | 0 % | - |
    "
  `)
})

test('a name cannot break the table or become markup', () => {
  const report = { ...SCENARIOS['passing']!, slo: 'a | b\n<script> `x` [y](z)' }
  const row = stepSummary([report]).split('\n')[4]!
  expect(row.split(' | ')).toHaveLength(7)
  expect(row).not.toMatch(/[<>`[\]]/)
})
