import { SpecError } from '../model/errors.ts'
import type { StepFigures } from '../model/figures.ts'
import { trim } from '../model/units.ts'
import { declared } from './window.ts'

/** How far a declared value may be from the one asked for, as a share of it. */
const TOLERANCE = 0.005

/**
 * The step of a declared rate (`20`) or concurrency (`{ concurrency: 16 }`): the nearest within 0.5 %.
 *
 * @throws SpecError that lists the declared values where there is none, and the indices where there are several.
 */
export function findStep(
  steps: readonly StepFigures[],
  wanted: number | { readonly concurrency: number },
): StepFigures {
  const kind = typeof wanted === 'number' ? 'open' : 'closed'
  const value = typeof wanted === 'number' ? wanted : wanted.concurrency
  const call = kind === 'open' ? `at(${value})` : `at({ concurrency: ${value} })`
  const distance = (step: StepFigures) => Math.abs(declared(step.step) - value)
  const near = steps
    .filter((step) => step.step.kind === kind && distance(step) <= TOLERANCE * Math.abs(value))
    .toSorted((a, b) => distance(a) - distance(b))
  const [nearest, next] = near
  if (nearest === undefined) {
    const list = steps.map((step) => step.label).join(', ')
    throw new SpecError(call, [
      { path: call, message: `no step has this ${kind === 'open' ? 'rate' : 'concurrency'}; declared are: ${list}` },
    ])
  }
  if (next !== undefined && declared(next.step) === declared(nearest.step)) {
    const same = near.filter((step) => declared(step.step) === declared(nearest.step))
    const indices = same.map((step) => `steps[${step.index}]`).join(', ')
    throw new SpecError(call, [
      { path: call, message: `${same.length} steps have ${trim(declared(nearest.step))}: use ${indices}` },
    ])
  }
  return nearest
}
