import { seedOf } from '../arrivals/random.ts'
import { wireFormat } from '../client/formats.ts'
import { SpecError } from '../model/errors.ts'
import type { KnownCalibration } from '../model/calibration.ts'
import type { Plan } from '../model/plan.ts'
import type { Load } from '../model/step.ts'
import { maxInFlightOf, type HostCapacity } from './capacity.ts'
import { isRecord, options, type Refuse } from './fields.ts'
import { load } from './load.ts'
import { problemsOf } from './problems.ts'
import { INHERITED, SHARED } from './schema.ts'
import { shown } from './shown.ts'
import { targetSource, type TargetSource } from './source.ts'
import { type Sizing, sizingOf } from './workers.ts'

/** What a spec's options are checked against. */
export interface SpecContext {
  /** Name of the `slo`. */
  readonly name: string
  /** Path of the spec file relative to the project root, with forward slashes. */
  readonly spec: string
  /** The project's defaults: `CheckedProject.defaults`; undefined for none. */
  readonly defaults: unknown
  /** Cores of this machine; may be a fraction. */
  readonly cores: number
  /** What load processes of this machine cost. */
  readonly calibration: KnownCalibration
  readonly capacity: HostCapacity
}

/** A plan whose target is not known yet: `resolveTarget` and `planOf` make the plan of it. May hold secrets. */
export interface CheckedSpec extends Omit<Plan, 'target'> {
  readonly target: TargetSource
  /** How many load processes the load wants; `workers` is how many it gets. */
  readonly sizing: Sizing
}

/**
 * Checks the options of an `slo` against the contract and fills in what is left out, from the project's defaults
 * first: an option of the spec replaces the project's as a whole. The author's functions are not called here.
 *
 * @throws {SpecError} With all problems at once, each with its path. No message holds a key, a header's value, or user
 * info or query of a URL.
 */
export function checkSpec(given: unknown, context: SpecContext): CheckedSpec {
  const { name, spec, capacity } = context
  const subject = `slo '${name}' (${spec})`
  if (!isRecord(given)) {
    throw new SpecError(subject, [
      { path: 'options', message: `is ${shown(given)}, not an object; accepted: { target, load, ... }` },
    ])
  }
  const { merged, inherited } = overlay(given, isRecord(context.defaults) ? context.defaults : {})
  const schema = options({ target: targetSource, load, ...SHARED }, (read, refuse) => fits(read, refuse, context))
  const result = schema.safeParse(merged)
  if (!result.success) {
    const note = (option: string) => (inherited.has(option) ? ' (set in sloProject)' : '')
    throw new SpecError(subject, problemsOf(result.error, '', note))
  }
  const checked = result.data
  const sizing = sizingFor(checked, checked.load, context)
  const workers = checked.workers === 'auto' ? sizing.workers : checked.workers
  return {
    name,
    spec,
    seed: checked.seed ?? seedOf(`${spec}\n${name}`),
    target: checked.target,
    load: checked.load,
    arrivals: checked.arrivals,
    prompts: checked.prompts,
    objectives: checked.objectives,
    attainment: checked.attainment,
    workers,
    warmupMs: checked.warmup,
    settleMs: checked.settle,
    timeouts: checked.timeout,
    maxInFlight: checked.maxInFlight ?? maxInFlightOf(capacity, workers, checked.target.kind === 'simulator'),
    limits: checked.limits,
    sizing,
  }
}

/** The size of the pool that the options want. A target that is known only later is taken for one that streams. */
function sizingFor(
  { workers, target, prompts, maxInFlight }: Readonly<Record<string, unknown>>,
  load: Load,
  { cores, calibration }: SpecContext,
): Sizing {
  const address = isRecord(target) && isRecord(target['target']) ? target['target'] : {}
  const tokens = isRecord(prompts) && address['stream'] !== false ? Number(prompts['outputTokens'] ?? 0) : 0
  const most = typeof maxInFlight === 'number' ? maxInFlight : undefined
  return sizingOf({ auto: workers === 'auto', cores, calibration, load, tokens, maxInFlight: most })
}

/**
 * Tells which objectives the target's replies cannot have. One that does not apply counts as met, and here would for
 * every request.
 */
function fitsObjectives({ target, objectives }: Readonly<Record<string, unknown>>, refuse: Refuse): void {
  const address = isRecord(target) && isRecord(target['target']) ? target['target'] : {}
  const { api } = address
  if (typeof api !== 'string' || wireFormat(api).framing !== 'none' || !isRecord(objectives)) return
  for (const metric of Object.keys(objectives)) {
    if (metric !== 'e2e') refuse(['objectives', metric], `does not apply to replies of api '${api}'; accepted: e2e`)
  }
}

/** Tells where load processes, requests in flight and concurrency do not fit together. */
function fits(read: Readonly<Record<string, unknown>>, refuse: Refuse, context: SpecContext): void {
  fitsObjectives(read, refuse)
  const { workers, maxInFlight, load, target } = read
  const most = typeof maxInFlight === 'number' ? maxInFlight : undefined
  if (most === undefined && maxInFlight !== undefined) return
  const auto = workers === 'auto' && isLoad(load) ? sizingFor(read, load, context).workers : undefined
  const processes = typeof workers === 'number' ? workers : auto
  if (processes === undefined) return
  if (most !== undefined && most < processes) {
    refuse(['maxInFlight'], `is ${most}, fewer than the ${processes} workers; accepted: at least one for each of them`)
  }
  if (!isLoad(load) || load.kind !== 'list') return
  const simulated = isRecord(target) && target['kind'] === 'simulator'
  const limit = most ?? maxInFlightOf(context.capacity, processes, simulated)
  const why = most === undefined ? 'that descriptors and ports of this machine allow' : 'of maxInFlight'
  for (const [index, step] of load.steps.entries()) {
    if (step.kind === 'open' || step.concurrency <= limit) continue
    refuse(['load', index, 'concurrency'], `is ${step.concurrency}, above the ${limit} ${why}; accepted: at most that`)
  }
}

function isLoad(value: unknown): value is Load {
  return isRecord(value) && Array.isArray(value['steps'])
}

/** The spec's options over the project's, and the names of those that come from the project. */
function overlay(own: Readonly<Record<string, unknown>>, defaults: Readonly<Record<string, unknown>>) {
  const inherited = new Set(INHERITED.filter((name) => own[name] === undefined && defaults[name] !== undefined))
  const merged = { ...own, ...Object.fromEntries([...inherited].map((name) => [name, defaults[name]])) }
  return { merged, inherited }
}
