import { describe, expect, test } from 'vitest'
import { chatServer } from './chat-server.ts'
import { fixtureProject } from './fixture-project.ts'
import { oneRun } from './one-run.ts'

const run = oneRun('order', ['--project=slo', '--project=plain', '--allowOnly'])

/** The terminal's part on a failed suite or test. */
function shown(name: string): string {
  return run.output.split(/^ FAIL {2}/m).find((part) => part.startsWith(`${name}\n`)) ?? ''
}

test('body, hooks one after the other, target, load, tests, hooks', () => {
  expect(run.output.match(/^order: .*$/gm)).toEqual([
    'order: body',
    'order: first hook begins',
    'order: first hook ends',
    'order: second hook',
    'order: target',
    'order: first request',
    'order: first test',
    'order: second test',
    'order: after',
  ])
  expect(run.tests.get('order picked')?.status).toBe('passed')
})

describe('a spec with mistakes', () => {
  test.each([
    ["target.api: is 'openai'"],
    ["target.url: is 'not a url'"],
    ["target.apikey: is not an option; did you mean 'apiKey'?"],
    ['load[0].rate: is -1'],
    ["load[0].duration: is '30sec'"],
    ['load[1].concurrency: is 1.5'],
    ['load[2]: has neither rate nor concurrency'],
    ['load[2]: has neither duration nor requests'],
    ["objectives.ttfs: is not an option; did you mean 'ttft'?"],
    ["worker: is not an option; did you mean 'workers'?"],
  ])('is told %s', (problem) => {
    expect(shown('|slo| mistakes.slo.ts > mistakes')).toContain(`\n  - ${problem}`)
  })

  test('is told them at once, at its line', () => {
    const text = shown('|slo| mistakes.slo.ts > mistakes')
    expect(text).toMatch(/^SpecError: slo 'mistakes' \(mistakes\.slo\.ts\) has 10 problems:$/m)
    expect(text).toMatch(/^ ❯ mistakes\.slo\.ts:11:1$/m)
    expect(text).not.toContain('key-secret-4')
  })

  test('runs no hook and no test', () => {
    expect(run.output).not.toMatch(/^mistakes: /m)
    expect(run.tests.get('mistakes is not run')?.status).toBe('skipped')
  })

  test('does not matter when it is skipped', () => {
    expect(run.output).not.toContain("slo 'skipped mistakes'")
    expect(run.tests.get('skipped mistakes is not run')?.status).toBe('skipped')
  })
})

describe('what goes wrong before the load is told at its line', () => {
  test.each([
    ['hook fails', 'Error: the server did not start'],
    ['target fails', 'LoadError: target() failed'],
    ['target fails', 'Caused by: Error: no address'],
    ['target is none', 'SpecError: What target() gave has 2 problems:'],
    ['target is none', '  - target().url: is 5'],
    ['target is none', "  - target().modle: is not an option; did you mean 'model'?"],
  ])('%s: %s', (name, message) => {
    expect(shown(`|slo| broken.slo.ts > ${name}`)).toContain(`\n${message}`)
    expect(shown(`|slo| broken.slo.ts > ${name}`)).toMatch(/^ ❯ (?:\S+ )?broken\.slo\.ts:\d+:\d+\n +\d+\|/m)
    expect(run.tests.get(`${name} is not run`)?.status).toBe('skipped')
  })
})

describe('which loads are offered', () => {
  test.each([
    ['plain', 3],
    ['skip', 0],
    ['skipIf-true', 0],
    ['skipIf-false', 3],
    ['runIf-true', 3],
    ['runIf-false', 0],
    ['skipped-test', 0],
    ['planned-test', 0],
    ['only', 3],
    ['not-only', 0],
    ['twice-1', 0],
    ['twice-2', 0],
    ['mixed', 3],
    ['outer', 0],
    ['inner', 0],
    ['elsewhere', 0],
    ['broken-hook', 0],
  ])('%s: %d requests', (model, requests) => {
    expect(run.server.of(model), run.output).toHaveLength(requests)
  })

  test('a planned slo is listed', () => {
    expect(run.tests.get('todo is planned')?.status).toBe('todo')
  })
})

describe('what stands in the wrong place is told so', () => {
  test.each([
    ['|slo| misplaced.slo.ts > twice', 'SpecError: slo "twice" has 1 problem:\n  - name: 2 slo() of this file have it'],
    ['|slo| nested.slo.ts [ nested.slo.ts ]', 'Error: slo("inner") stands inside another slo()'],
    [
      '|plain| plain.spec.ts > elsewhere',
      "Error: slo() runs only in a project made by sloProject() or slo() from 'vitest-slo/config'",
    ],
  ])('%s, at the line of the slo', (name, message) => {
    expect(shown(name)).toContain(`\n${message}`)
    expect(shown(name)).toMatch(/^ ❯ (misplaced\.slo|nested\.slo|plain\.spec)\.ts:\d+:\d+\n +\d+\|/m)
  })

  test.each([
    [
      "mixed Vitest's own",
      `Error: "Vitest's own" is in an slo() but was made by Vitest's own test: import { test } from 'vitest-slo' instead`,
    ],
    ['outside', `Error: "outside" was made by vitest-slo's test but stands in no slo(): move it into the body of one`],
    [
      'outside, without figures',
      `Error: "outside, without figures" was made by vitest-slo's test but stands in no slo()`,
    ],
  ])('%s', (name, message) => {
    expect(run.tests.get(name)?.status).toBe('failed')
    expect(run.tests.get(name)?.failureMessages[0]).toContain(message)
  })

  test("Vitest's own test outside a body is nobody's business", () => {
    expect(run.tests.get("Vitest's own outside")?.status).toBe('passed')
    expect(run.tests.get('mixed ours')?.status).toBe('passed')
  })
})

describe('a name filter', () => {
  test('that picks one slo leaves the others alone, even from being checked', async () => {
    await using server = await chatServer()
    await using project = await fixtureProject('order')
    const { code, output } = await project.run(
      ['run', '--project=slo', '--allowOnly', '-t=picked', 'order', 'mistakes', 'modes'],
      {
        SERVER: server.url,
      },
    )
    expect(code, output).toBe(0)
    expect(output).toMatch(/^PASS +order \(order\.slo\.ts\), 1 assertion: 1 pass$/m)
    expect(output).not.toContain('order: second test')
    expect(output).not.toContain('no load was offered')
    expect(server.requests).toEqual([])
  })

  test('that picks no test offers no load, and the run says so', async () => {
    await using project = await fixtureProject('order')
    const { output } = await project.run(['run', '--project=slo', '-t=no such test', 'order.slo', 'mistakes'])
    expect(output).toContain('\nslo: no load was offered: no test of an slo() was selected\n')
    expect(output).not.toContain('order: first hook')
    expect(output).not.toContain('SpecError')
  })
})
