import { expect, test } from 'vitest'
import type { Report } from '../../src/model/report.ts'
import { withoutHistograms } from '../../src/vitest/meta.ts'
import { SCENARIOS } from '../report/scenarios.ts'

test.each(Object.entries(SCENARIOS))('a report of kind "%s" travels without histograms and series', (_, report) => {
  const bare = (key: string, value: unknown) =>
    key === 'histogram' ? null : key === 'series' || key === 'seconds' ? [] : value
  const expected = JSON.parse(JSON.stringify(report, bare)) as Report
  expect(expected).not.toEqual(report)
  expect(withoutHistograms(report)).toEqual(expected)
})

test('the report itself keeps its histograms', () => {
  const report = SCENARIOS['failing']!
  const before = structuredClone(report)
  withoutHistograms(report)
  expect(report).toEqual(before)
})
