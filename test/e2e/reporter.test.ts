import { describe, expect, test } from 'vitest'
import { chatServer } from './chat-server.ts'
import { fixtureProject } from './fixture-project.ts'

describe('beside a reporter of the user', () => {
  test.for(['dot', 'junit'] as const)('%s: the plan, the steps and the tables are printed', async (reporter) => {
    await using server = await chatServer()
    await using project = await fixtureProject('named')
    const { code, output } = await project.run(['run', 'chat', `--reporter=${reporter}`], { SERVER: server.url })
    expect(code, output).toBe(0)
    const parts = [
      /^slo chat: 5 requests \(20 output tokens at most\) over /m,
      /^slo chat: 100 req\/s: offered 100\/s, .*, 0 errors$/m,
      /^PASS +chat \(chat\.slo\.ts\), 2 assertions: 2 pass$/m,
      /^ *step +offered +achieved +TTFT ms/m,
      /^report +\.slo\/chat\.slo\.ts\/chat\.json$/m,
    ].map((part) => output.search(part))
    expect(parts, output).not.toContain(-1)
    expect(parts).toEqual(parts.toSorted((a, b) => a - b))
  })
})
