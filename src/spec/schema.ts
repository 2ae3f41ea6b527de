import { z } from 'zod'
import { OBJECTIVE_METRICS, type ObjectiveMetric, type Objectives } from '../model/metric.ts'
import { DEFAULT_LIMITS, type Limits, type SyntheticPrompts, type Timeouts } from '../model/plan.ts'
import {
  duration,
  field,
  integer,
  isRecord,
  oneKindOf,
  oneOf,
  options,
  seed,
  share,
  shareOrNone,
  wait,
  type Field,
} from './fields.ts'
import { shown } from './shown.ts'
import { MOST_WORKERS } from './workers.ts'

/** Most requests in flight that may be asked for (chosen: far beyond what one host's ports can hold). */
export const MOST_IN_FLIGHT = 1_000_000

/** Most tokens of a prompt or a reply (chosen: beyond the longest contexts there are). */
const MOST_TOKENS = 10_000_000

const objectives: Field<Objectives> = options(
  Object.fromEntries(OBJECTIVE_METRICS.map((metric) => [metric, duration.optional()])) as Record<
    ObjectiveMetric,
    z.ZodOptional<typeof duration>
  >,
).transform((given) => Object.fromEntries(Object.entries(given).filter(([, ms]) => ms !== undefined)) as Objectives)

const DEFAULT_PROMPTS: SyntheticPrompts = { kind: 'synthetic', inputTokens: 128, outputTokens: 64 }

const synthetic: Field<SyntheticPrompts> = options({
  kind: oneOf(['synthetic']),
  inputTokens: integer(1, MOST_TOKENS, 'tokens').default(DEFAULT_PROMPTS.inputTokens),
  outputTokens: integer(1, MOST_TOKENS, 'tokens').default(DEFAULT_PROMPTS.outputTokens),
})

const prompts: Field<SyntheticPrompts> = oneKindOf((given) =>
  isRecord(given) && given['kind'] === 'synthetic'
    ? synthetic
    : `is ${shown(given)}, not a source of prompts; accepted: synthetic({ inputTokens: 128, outputTokens: 64 })`,
)

const workers: Field<number | 'auto'> = field({
  read: (value) => (value === 'auto' || typeof value === 'number' ? value : undefined),
  kind: "neither 'auto' nor a number",
  refuse: (value) => {
    if (value === 'auto') return undefined
    if (!Number.isInteger(value)) return 'not a whole number'
    return value < 1 ? 'below 1' : value > MOST_WORKERS ? `above ${MOST_WORKERS}` : undefined
  },
  accepted: `'auto', or a whole number from 1 to ${MOST_WORKERS}`,
})

const DEFAULT_TIMEOUTS: Timeouts = { connectMs: 5000, firstByteMs: 60_000, idleMs: 60_000, totalMs: 600_000 }

const phases: Field<Timeouts> = options({
  connect: duration.default(DEFAULT_TIMEOUTS.connectMs),
  firstByte: duration.default(DEFAULT_TIMEOUTS.firstByteMs),
  idle: duration.default(DEFAULT_TIMEOUTS.idleMs),
  total: duration.default(DEFAULT_TIMEOUTS.totalMs),
}).transform(({ connect, firstByte, idle, total }) => ({
  connectMs: Math.min(connect, total),
  firstByteMs: Math.min(firstByte, total),
  idleMs: Math.min(idle, total),
  totalMs: total,
}))

const timeout: Field<Timeouts> = oneKindOf((given) => {
  if (isRecord(given)) return phases
  if (typeof given === 'number' || typeof given === 'string')
    return duration.transform((total) => phases.parse({ total }))
  return `is ${shown(given)}, not a timeout; accepted: a duration for the whole request, or { connect, firstByte, idle, total }`
})

const limits: Field<Limits> = options({
  rho: share.default(DEFAULT_LIMITS.rho),
  busySeconds: shareOrNone.default(DEFAULT_LIMITS.busySeconds),
  stall: duration.default(DEFAULT_LIMITS.stallMs),
  onTime: wait.default(DEFAULT_LIMITS.onTimeMs),
}).transform(({ rho, busySeconds, stall, onTime }) => ({ rho, busySeconds, stallMs: stall, onTimeMs: onTime }))

/** Options that specs and projects share, with the defaults of those that have one; `target` and `load` differ. */
export const SHARED = {
  objectives: objectives.default({}),
  attainment: share.default(0.99),
  arrivals: oneOf(['poisson', 'constant']).default('poisson'),
  seed: seed.optional(),
  prompts: prompts.default(DEFAULT_PROMPTS),
  workers: workers.default('auto'),
  warmup: wait.default(2000),
  settle: wait.default(30_000),
  timeout: timeout.default(DEFAULT_TIMEOUTS),
  maxInFlight: integer(1, MOST_IN_FLIGHT, 'requests in flight').optional(),
  limits: limits.default(DEFAULT_LIMITS),
}

/** Names of the options that a project may set for its specs. */
export const INHERITED: readonly string[] = ['target', ...Object.keys(SHARED)]
