import { z } from 'zod'
import { ACCEPTED, parseDuration, parseRate, parseRatio } from '../model/units.ts'
import { nearestName } from './nearest.ts'
import { shown } from './shown.ts'

/** Reads one option out of whatever was given, or tells what is wrong with it. */
export type Field<T> = z.ZodType<T, unknown>

/** Tells a problem of an object's options together; the path starts at the object. */
export type Refuse = (path: readonly (string | number)[], message: string) => void

/** How one value is read. */
interface Reading<T> {
  /** The value in the unit used inside; undefined when it is of another kind. */
  readonly read: (value: unknown) => T | undefined
  /** What a value of another kind is: `not a duration`. */
  readonly kind: string
  /** Why a value of the right kind is refused, for example `not above 0`; undefined when it is not. */
  readonly refuse?: (value: T) => string | undefined
  readonly accepted: string
  /** How the value is shown in messages. */
  readonly show?: (value: unknown) => string
}

/** A field of one value, whose problems read `is 0, not above 0; accepted: ...`. */
export function field<T>({ read, kind, refuse, accepted, show = shown }: Reading<T>): Field<T> {
  return z.transform((given: unknown, ctx) => {
    const value = read(given)
    const why = value === undefined ? kind : refuse?.(value)
    if (value !== undefined && why === undefined) return value
    const what = given === undefined ? 'is missing' : `is ${show(given)}, ${why}`
    ctx.addIssue({ code: 'custom', message: `${what}; accepted: ${accepted}` })
    return z.NEVER
  })
}

/**
 * An object of named options. Unknown names are told with the name that was likely meant. `together` tells what is
 * wrong with several options at once; it sees those that could not be read as some object that is of no use.
 */
export function options<S extends Readonly<Record<string, z.ZodType>>>(
  shape: S,
  together?: (given: Readonly<Record<string, unknown>>, refuse: Refuse) => void,
) {
  // `kind` is the mark of our own functions, and no option of the author's.
  const names = Object.keys(shape).filter((name) => name !== 'kind')
  const error = ({ input }: { readonly input?: unknown }) =>
    `${input === undefined ? 'is missing' : `is ${shown(input)}, not an object`}; accepted: options ${names.join(', ')}`
  return z.looseObject(shape, { error }).superRefine(
    (value, ctx) => {
      const refuse: Refuse = (path, message) => ctx.addIssue({ code: 'custom', path: [...path], message })
      for (const name of Object.keys(value)) if (!Object.hasOwn(shape, name)) refuse([name], unknownName(name, names))
      together?.(value, refuse)
    },
    // Runs although single options were refused, so that all problems are told at once.
    { when: ({ value }) => isRecord(value) },
  )
}

/**
 * A value of one of several kinds: `choose` looks at the kind and names the schema, so that a problem is told of the
 * kind that was meant, or says why it is none of them.
 */
export function oneKindOf<T>(choose: (given: unknown) => z.ZodType<T> | string): Field<T> {
  return z.transform((given: unknown, ctx) => {
    const schema = choose(given)
    if (typeof schema === 'string') {
      ctx.addIssue({ code: 'custom', message: schema })
      return z.NEVER
    }
    const result = schema.safeParse(given)
    if (result.success) return result.data
    for (const { path, message } of result.error.issues) ctx.addIssue({ code: 'custom', path, message })
    return z.NEVER
  })
}

/** `'poisson'` or `'constant'`: one of a few texts. */
export function oneOf<const N extends string>(names: readonly N[]): Field<N> {
  const accepted = `accepted: ${names.map((name) => `'${name}'`).join(', ')}`
  return z.transform((given: unknown, ctx) => {
    const found = names.find((name) => name === given)
    if (found !== undefined) return found
    const near = typeof given === 'string' ? nearestName(given, names) : undefined
    const what = given === undefined ? 'is missing' : `is ${shown(given)}, not one of them`
    ctx.addIssue({ code: 'custom', message: `${what}; ${meant(near)}${accepted}` })
    return z.NEVER
  })
}

/** Longest duration of an option, ms: seven days. Node's timers end at 24.8 days, beyond which they fire at once. */
export const LONGEST_MS = 7 * 24 * 3_600_000

/** A duration above 0, in ms. */
export const duration = durationFrom('above 0', (ms) => ms > 0)

/** A duration of 0 or more, in ms. */
export const wait = durationFrom('of 0 or more', (ms) => ms >= 0)

/** A delay of the embedded server, in ms: 0 to a day. */
export const delay = durationFrom('of 0 or more', (ms) => ms >= 0, 24)

function durationFrom(range: string, within: (ms: number) => boolean, hours = LONGEST_MS / 3_600_000): Field<number> {
  return field({
    read: parseDuration,
    kind: 'not a duration',
    refuse: (ms) => (within(ms) ? (ms > hours * 3_600_000 ? `longer than '${hours}h'` : undefined) : `not ${range}`),
    accepted: `a duration ${range}: ${ACCEPTED.ms}`,
  })
}

/** Highest arrival rate of a step, per second (chosen: a hundred times what one core offers). */
const HIGHEST_RATE = 1_000_000

/** An arrival rate above 0, per second. */
export const rate = field({
  read: parseRate,
  kind: 'not a rate',
  refuse: (value) => (value > 0 ? (value > HIGHEST_RATE ? `above ${HIGHEST_RATE}/s` : undefined) : 'not above 0'),
  accepted: `a rate above 0: ${ACCEPTED['/s']}`,
})

/** A share of one above 0. */
export const share = field({
  read: parseRatio,
  kind: 'not a share',
  refuse: (value) => (value > 0 ? (value > 1 ? 'above 1' : undefined) : 'not above 0'),
  accepted: "a share above 0 and at most 1, such as 0.99 or '99%'",
})

/** A share of one, or none. */
export const shareOrNone = field({
  read: parseRatio,
  kind: 'not a share',
  refuse: (value) => (value >= 0 ? (value > 1 ? 'above 1' : undefined) : 'below 0'),
  accepted: "a share from 0 to 1, such as 0.1 or '10%'",
})

/** A whole number within bounds, both included. */
export function integer(least: number, most: number, what: string): Field<number> {
  return field({
    read: (value) => (typeof value === 'number' ? value : undefined),
    kind: 'not a number',
    refuse: (value) => {
      if (!Number.isInteger(value)) return 'not a whole number'
      return value < least ? `below ${least}` : value > most ? `above ${most}` : undefined
    },
    accepted: `${what}: a whole number from ${least} to ${most}`,
  })
}

/** An unsigned 32-bit seed. */
export const seed = integer(0, 2 ** 32 - 1, 'a seed')

/** Text that is not empty. */
export function text(what: string): Field<string> {
  return field({
    read: (value) => (typeof value === 'string' ? value : undefined),
    kind: 'not text',
    refuse: (value) => (value.trim() === '' ? 'empty' : undefined),
    accepted: what,
  })
}

/** Whether a value is an object with options, and not a list. */
export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function unknownName(name: string, names: readonly string[]): string {
  return `is not an option; ${meant(nearestName(name, names))}accepted: ${names.join(', ')}`
}

function meant(name: string | undefined): string {
  return name === undefined ? '' : `did you mean '${name}'? `
}
