import { expect, test } from 'vitest'
import { oneRun } from './one-run.ts'

// Against it: a configuration whose root asks for the opposite of all that a spec needs, and a command line that does too.
const run = oneRun('isolation', [
  '--project=slo',
  '--maxWorkers=4',
  '--fileParallelism',
  '--no-isolate',
  '--retry=2',
  '--sequence.concurrent',
  '--sequence.hooks=parallel',
])

test('all four loads were offered, never two at once', () => {
  const models = run.server.requests.map(({ model }) => model)
  const turns = models.filter((model, i) => model !== models[i - 1])
  expect(turns.toSorted(), run.output).toEqual(['four', 'one', 'three', 'two'])
  expect(models).toHaveLength(160)
})

test('hooks of a body run one after the other, as long as they need', () => {
  expect(run.tests.get('side by side one hooks ran one after the other')?.status, run.output).toBe('passed')
})

test('files share no process', () => {
  expect(run.tests.get('three has a process of its own')?.status, run.output).toBe('passed')
  expect(run.tests.get('four has a process of its own')?.status, run.output).toBe('passed')
})

test('a failed test is not tried again', () => {
  expect(run.code).toBe(1)
  expect(run.tests.get('side by side two fails')?.status).toBe('failed')
  expect(run.output.match(/^try \d+$/gm)).toEqual(['try 1'])
})

test("the root's files and setup are not taken over", () => {
  for (const text of ['setup ran', 'unit ran', 'in-source test ran']) expect(run.output).not.toContain(text)
  expect([...run.tests.keys()].toSorted()).toEqual([
    'four has a process of its own',
    'side by side one hooks ran one after the other',
    'side by side two fails',
    'three has a process of its own',
  ])
})
