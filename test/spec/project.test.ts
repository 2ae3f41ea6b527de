import { describe, expect, test } from 'vitest'
import { checkProject } from '../../src/spec/project.ts'
import { simulator } from '../../src/spec/simulator.ts'
import { synthetic } from '../../src/spec/prompts.ts'
import { problemsOf } from './sample.ts'

test('without options, the defaults of the contract', () => {
  const expected = {
    name: 'slo',
    include: ['**/*.slo.?(c|m)[jt]s'],
    exclude: null,
    run: 'named',
    outputDir: '.slo',
    defaults: {},
  }
  expect(checkProject(undefined)).toEqual(expected)
  expect(checkProject({ name: undefined, settle: undefined })).toEqual(expected)
})

test('what is given; defaults of the specs stay as they were written', () => {
  const target = simulator({ ttft: '20ms' })
  const prompts = synthetic({ outputTokens: 8 })
  expect(
    checkProject({ name: 'load', exclude: ['old/**'], run: 'always', outputDir: 'out', target, prompts, settle: '5s' }),
  ).toMatchObject({
    name: 'load',
    exclude: ['old/**'],
    run: 'always',
    outputDir: 'out',
    defaults: { target, prompts, settle: '5s' },
  })
})

test('the defaults cross a process border', () => {
  const { defaults } = checkProject({ target: simulator(), objectives: { ttft: 500 }, name: 'load' })
  expect(structuredClone(defaults)).toEqual(defaults)
})

describe('an address that only the environment of a load run has', () => {
  test('is no problem yet', () => {
    expect(checkProject({ target: { url: undefined, model: 'm' } }).defaults).toEqual({
      target: { url: undefined, model: 'm' },
    })
  })

  test('hides no other problem', () => {
    expect(problemsOf(() => checkProject({ target: { url: undefined, model: 5 } }))).toEqual([
      'target.model: is 5, not text; accepted: the name of a model',
    ])
  })
})

describe('problems', () => {
  test.each([
    [
      5,
      'options: is 5, not an object; accepted: options name, include, exclude, run, outputDir, target, objectives, attainment, arrivals, seed, prompts, workers, warmup, settle, timeout, maxInFlight, limits',
    ],
    [{ name: '' }, "name: is '', empty; accepted: a name for --project"],
    [{ include: '**/*.slo.ts' }, "include: is '**/*.slo.ts', not a list; accepted: a list of globs"],
    [{ include: [] }, 'include: is an empty list; accepted: at least one glob'],
    [{ exclude: ['a', 5] }, 'exclude[1]: is 5, not text; accepted: a glob'],
    [{ run: 'allways' }, "run: is 'allways', not one of them; did you mean 'always'? accepted: 'named', 'always'"],
    [{ outputDir: 5 }, 'outputDir: is 5, not text; accepted: a folder'],
    [
      { target: () => ({ url: 'http://host/v1' }) },
      "target: is a function, which does not reach the specs' process; accepted: { url, ... } or simulator({...}) here, or the function in slo()",
    ],
    [{ seed: -1 }, 'seed: is -1, below 0; accepted: a seed: a whole number from 0 to 4294967295'],
  ])('%j', (given, message) => {
    expect(problemsOf(() => checkProject(given))).toEqual([message])
  })

  test('a load is no default', () => {
    const [problem] = problemsOf(() => checkProject({ load: [{ rate: 1, duration: '1s' }] }))
    expect(problem).toMatch(/^load: is not an option; accepted: /)
  })
})
