import type { ArrivalKind } from '../model/plan.ts'
import type { OpenStep } from '../model/step.ts'
import { constantSchedule } from './constant.ts'
import { poissonSchedule } from './poisson.ts'
import type { Random } from './random.ts'

/** When the requests of an open-loop step are due: a pure function of the step and of the random numbers. */
export type Schedule = (step: OpenStep, random: Random) => Float64Array

const SCHEDULES: Readonly<Record<ArrivalKind, Schedule>> = {
  constant: constantSchedule,
  poisson: poissonSchedule,
}

/**
 * Offsets of a step's arrivals from its start, in ms: `step.requests` of them, ascending, all in [0, durationMs).
 * Every load process computes the whole and takes its share, so that the number of processes changes nothing.
 */
export function schedule(step: OpenStep, kind: ArrivalKind, random: Random): Float64Array {
  return SCHEDULES[kind](step, random)
}
