import { z } from 'zod'
import { sweepRates } from '../arrivals/sweep.ts'
import type { Load, OpenStep, Step } from '../model/step.ts'
import {
  duration,
  integer,
  isRecord,
  LONGEST_MS,
  oneKindOf,
  oneOf,
  options,
  rate,
  type Field,
  type Refuse,
} from './fields.ts'
import { shown, shownDuration } from './shown.ts'

/** Most requests of one step (chosen: their scheduled instants take 400 MB). */
const MOST_REQUESTS = 50_000_000

/** Most steps of a sweep (chosen: more is surely a slip of the pen). */
const MOST_STEPS = 1000

/** Highest concurrency of a step (chosen: beyond what one host's ports can hold). */
const MOST_CONCURRENT = 100_000

const step: Field<Step> = options(
  {
    rate: rate.optional(),
    concurrency: integer(1, MOST_CONCURRENT, 'requests in flight').optional(),
    duration: duration.optional(),
    requests: integer(1, MOST_REQUESTS, 'a number of requests').optional(),
  },
  (given, refuse) => {
    exactlyOne(given, refuse, 'rate', 'concurrency', 'rate (open loop), concurrency (closed loop)')
    exactlyOne(given, refuse, 'duration', 'requests', 'duration, requests')
    const { rate, concurrency, duration, requests } = given
    if (typeof rate !== 'number' || concurrency !== undefined) return
    if (typeof duration === 'number' && requests === undefined) {
      const fault = requestsFault(rate, duration)
      if (fault !== undefined) refuse(['duration'], fault)
    }
    if (typeof requests === 'number' && duration === undefined && (requests / rate) * 1000 > LONGEST_MS) {
      refuse(['requests'], `is ${requests}, which at ${rate}/s takes longer than '168h'; accepted: fewer requests`)
    }
  },
).transform(({ rate, concurrency, duration, requests }): Step => {
  if (rate === undefined) {
    return { kind: 'closed', concurrency: concurrency!, durationMs: duration ?? null, requests: requests ?? null }
  }
  return requests === undefined
    ? openStep(rate, duration!)
    : { kind: 'open', rate, durationMs: (requests / rate) * 1000, requests }
})

const list: Field<Load> = z
  .array(step)
  .min(1, { error: 'is an empty list; accepted: at least one step' })
  .transform((steps) => ({ kind: 'list', steps }))

const sweep: Field<Load> = options(
  {
    kind: oneOf(['sweep']),
    from: rate,
    to: rate,
    count: integer(1, MOST_STEPS, 'a number of steps'),
    spacing: oneOf(['linear', 'geometric']),
    duration,
  },
  ({ from, to, count, duration }, refuse) => {
    if (typeof from !== 'number') return
    if (typeof to === 'number' && from < to && count === 1) {
      refuse(['count'], `is 1, which leaves out the last rate (to: ${to}/s); accepted: 2 or more, or from and to alike`)
    }
    if (typeof to === 'number' && from > to) {
      refuse(['from'], `is ${from}/s, above the last rate (to: ${to}/s); accepted: from at most to`)
    }
    if (typeof duration !== 'number') return
    const fault = requestsFault(from, duration) ?? (typeof to === 'number' ? requestsFault(to, duration) : undefined)
    if (fault !== undefined) refuse(['duration'], fault)
  },
).transform(({ duration, ...range }) => ({
  kind: 'sweep',
  steps: sweepRates(range).map((rate) => openStep(rate, duration)),
}))

const ACCEPTED = "a list of steps such as [{ rate: 10, duration: '30s' }], or sweep({...})"

/** A list of steps, or a sweep. */
export const load: Field<Load> = oneKindOf((given) => {
  if (given === undefined) return `is missing; accepted: ${ACCEPTED}`
  if (Array.isArray(given)) return list
  if (isRecord(given) && given['kind'] === 'sweep') return sweep
  return `is ${shown(given)}, not a load; accepted: ${ACCEPTED}`
})

function openStep(rate: number, durationMs: number): OpenStep {
  return { kind: 'open', rate, durationMs, requests: Math.round((rate * durationMs) / 1000) }
}

/** Why rate x duration is no number of requests that can be offered; undefined when it is one. */
function requestsFault(rate: number, durationMs: number): string | undefined {
  const { requests } = openStep(rate, durationMs)
  if (requests > MOST_REQUESTS) {
    return `is ${shownDuration(durationMs)}, in which ${rate}/s gives ${requests} requests; accepted: at most ${MOST_REQUESTS} a step`
  }
  if (requests > 0) return undefined
  const shortest = shortestMs(rate)
  const accepted = shortest > LONGEST_MS ? 'a higher rate' : `${shownDuration(shortest)} or more`
  return `is ${shownDuration(durationMs)}, in which ${rate}/s gives no request (rate x duration rounds to 0); accepted: ${accepted}`
}

/**
 * The shortest duration in which a rate gives one request, ms, rounded up to four digits: half of the rate's gap,
 * since rate x duration is rounded.
 */
function shortestMs(rate: number): number {
  const exact = 500 / rate
  const digits = 10 ** (3 - Math.floor(Math.log10(exact)))
  return Math.ceil(exact * digits) / digits
}

function exactlyOne(
  given: Readonly<Record<string, unknown>>,
  refuse: Refuse,
  a: string,
  b: string,
  accepted: string,
): void {
  const hasA = given[a] !== undefined
  const hasB = given[b] !== undefined
  if (hasA === hasB)
    refuse([], `has ${hasA ? `both ${a} and ${b}` : `neither ${a} nor ${b}`}; accepted: one of ${accepted}`)
}
