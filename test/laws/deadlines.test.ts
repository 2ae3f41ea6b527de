import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createDeadlines } from '../../src/simulator/deadlines.ts'
import type { Deadline } from '../../src/simulator/deadlines.ts'

const due = fc.integer({ min: 0, max: 20 })
const operation = fc.oneof(
  fc.record({ kind: fc.constant('add' as const), due }),
  fc.record({ kind: fc.constant('move' as const), due, which: fc.nat() }),
  fc.record({ kind: fc.constant('remove' as const), which: fc.nat() }),
  fc.record({ kind: fc.constant('pop' as const) }),
)

test('the first deadline is the earliest of those that are in, after any operations', () => {
  const law = fc.property(fc.array(operation, { maxLength: 100 }), (operations) => {
    const deadlines = createDeadlines<Deadline>()
    const model = new Set<Deadline>()
    for (const step of operations) {
      const chosen = 'which' in step ? [...model][step.which % model.size] : deadlines.first()
      if (step.kind === 'add') {
        const entry = { due: step.due, position: -1 }
        deadlines.add(entry)
        model.add(entry)
      } else if (chosen === undefined) {
        expect(model.size).toBe(0)
      } else if (step.kind === 'move') {
        deadlines.move(chosen, step.due)
      } else {
        deadlines.remove(chosen)
        deadlines.remove(chosen)
        model.delete(chosen)
      }
      expect(deadlines.size).toBe(model.size)
      expect(deadlines.first()?.due).toBe(model.size === 0 ? undefined : Math.min(...[...model].map((e) => e.due)))
    }
  })
  fc.assert(law, { seed: 20261129, verbose: 1 })
})
