import { expect, test, TestRunner } from 'vitest'
import * as config from '../../src/config.ts'
import * as index from '../../src/index.ts'
import runner from '../../src/runner.ts'
import reporter from '../../src/reporter.ts'
import { SloReporter } from '../../src/vitest/reporter.ts'

test('what specs import', () => {
  expect(Object.keys(index).toSorted()).toEqual([
    'InconclusiveError',
    'InvalidMeasurementError',
    'LoadError',
    'SpecError',
    'expect',
    'simulator',
    'slo',
    'sweep',
    'synthetic',
    'test',
  ])
})

test('what configurations import', () => {
  expect(Object.keys(config).toSorted()).toEqual(['slo', 'sloProject'])
})

test('a runner and a reporter for Vitest', () => {
  expect(runner.prototype).toBeInstanceOf(TestRunner)
  expect(reporter).toBe(SloReporter)
})

test('a project is named as its options say, and made by the plugin', () => {
  expect(config.sloProject()).toMatchObject({ test: { name: 'slo' }, plugins: [{ name: 'vitest-slo' }] })
  expect(config.sloProject({ name: 'load' })).toMatchObject({ test: { name: 'load' } })
})

test.each([
  ['sloProject', () => config.sloProject({ nmae: 'x', run: 'never' } as never)],
  ['slo', () => config.slo({ nmae: 'x', run: 'never' } as never)],
])('%s tells all problems of its options at once', (_, make) => {
  expect(make).toThrow(/^sloProject has 2 problems:$/m)
  expect(make).toThrow("\n  - nmae: is not an option; did you mean 'name'?")
  expect(make).toThrow("\n  - run: is 'never'")
})
