import { SpecError } from '../../src/model/errors.ts'
import { checkSpec, type CheckedSpec, type SpecContext } from '../../src/spec/check.ts'

/** Options that are right, for tests that make one of them wrong. */
const RIGHT = {
  target: { url: 'http://host:8000/v1' },
  load: [{ rate: 10, duration: '30s' }],
}

/** A host of four cores with a common Linux's descriptors and ports. */
export const CONTEXT: SpecContext = {
  name: 'chat',
  spec: 'specs/chat.slo.ts',
  defaults: undefined,
  cores: 4,
  calibration: null,
  capacity: { descriptors: 1_048_576, ports: 28_232 },
}

/** The right options with changes, checked. */
export function checked(changes: object = {}, context: Partial<SpecContext> = {}): CheckedSpec {
  return checkSpec({ ...RIGHT, ...changes }, { ...CONTEXT, ...context })
}

/** Problems of the right options with changes, `path: message` each; none when they are right still. */
export function problems(changes: object, context: Partial<SpecContext> = {}): string[] {
  return problemsOf(() => checked(changes, context))
}

/** Problems that a check throws, `path: message` each. */
export function problemsOf(check: () => unknown): string[] {
  try {
    check()
  } catch (error) {
    if (error instanceof SpecError) return error.problems.map(({ path, message }) => `${path}: ${message}`)
    throw error
  }
  return []
}
