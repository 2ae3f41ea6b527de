import { chai, expect as vitestExpect, type RunnerTestCase, TestRunner } from 'vitest'
import { comparisonText, negate } from '../analysis/comparison.ts'
import { judge, judgeNumber } from '../analysis/judge.ts'
import { InconclusiveError, InvalidMeasurementError } from '../model/errors.ts'
import { isQuantity, type Quantity } from '../model/quantity.ts'
import { ACCEPTED, type Limit, parseLimit, type Unit } from '../model/units.ts'
import type { Comparison, Judgement } from '../model/verdict.ts'
import { runAround } from './session.ts'

/** Limits that a matcher takes for what was received: in the figure's own unit, or text with a unit of its kind. */
type LimitOf<T> = unknown extends T ? Limit : T extends Quantity<infer U> ? Limit<U> : T extends number ? number : never

/** The matchers of figures. A limit is a number in the figure's unit, or text with a unit: `'40ms'`, `'1%'`, `'30/s'`. */
export interface SloMatchers<R, T> {
  /** The figure lies below the limit. */
  toBeBelow(limit: LimitOf<T>): R
  /** The figure is the limit or lies below it. */
  toBeAtMost(limit: LimitOf<T>): R
  /** The figure lies above the limit. */
  toBeAbove(limit: LimitOf<T>): R
  /** The figure is the limit or lies above it. */
  toBeAtLeast(limit: LimitOf<T>): R
  /** The figure lies between two limits, both included. */
  toBeBetween(low: LimitOf<T>, high: LimitOf<T>): R
}

declare module 'vitest' {
  interface Matchers<R, T> extends SloMatchers<R, T> {}
}

interface MatcherContext {
  readonly isNot?: boolean
  readonly assertion?: object
}

type Name = keyof SloMatchers<void, unknown>

/** Comparison of each matcher, of limits in the figure's unit. */
const COMPARISON: Readonly<Record<Name, (limits: readonly number[]) => Comparison>> = {
  toBeBelow: ([limit]) => ({ kind: 'below', limit: limit! }),
  toBeAtMost: ([limit]) => ({ kind: 'at-most', limit: limit! }),
  toBeAbove: ([limit]) => ({ kind: 'above', limit: limit! }),
  toBeAtLeast: ([limit]) => ({ kind: 'at-least', limit: limit! }),
  toBeBetween: ([low, high]) => ({ kind: 'between', low: low!, high: high! }),
}

const matchers = Object.fromEntries(
  (Object.keys(COMPARISON) as Name[]).map((name) => [
    name,
    function matcher(this: MatcherContext, received: unknown, ...given: unknown[]) {
      const negated = this.isNot === true
      const outermost = callerOf(this.assertion) ?? matcher
      const unit: Unit = isQuantity(received) ? received.unit : 'count'
      const stated = COMPARISON[name](limitsOf(name, received, unit, given, outermost))
      const asymmetric = this.assertion === undefined
      const comparison = negated && !asymmetric ? negate(stated) : stated
      const judgement = isQuantity(received) ? judge(received, comparison) : judgeNumber(Number(received), comparison)
      const { verdict, message } = judgement
      // An asymmetric one only answers a question: whether yes is good its surroundings know.
      const answered = asymmetric && (verdict === 'pass' || verdict === 'fail')
      if (answered) return { pass: verdict === 'pass', message: () => message }
      if (isQuantity(received)) keep(this.assertion, received, comparison, judgement)
      // Thrown, not returned: under `.not` a returned failure would turn green, and Vitest would name it a plain Error.
      if (verdict !== 'pass') throw thrownBy(outermost, errorOf(judgement))
      return { pass: !negated, message: () => message }
    },
  ]),
) as Record<
  Name,
  (this: MatcherContext, received: unknown, ...given: unknown[]) => { pass: boolean; message: () => string }
>

vitestExpect.extend(matchers)

/** Vitest's `expect` with the matchers of figures. */
export const expect = vitestExpect

function limitsOf(name: Name, received: unknown, unit: Unit, given: readonly unknown[], outermost: Function): number[] {
  const refuse = (message: string) => thrownBy(outermost, new TypeError(message))
  const call = `${name}(${given.map(show).join(', ')})`
  if (!isQuantity(received) && typeof received !== 'number') {
    throw refuse(`${name} judges a Quantity or a number, not ${show(received)}`)
  }
  const wanted = name === 'toBeBetween' ? 2 : 1
  const limits = given.slice(0, wanted).map((limit) => {
    const parsed = parseLimit(unit, limit)
    if (parsed !== undefined) return parsed
    const figure = isQuantity(received) ? `${nameOf(received)} is of unit ${unit}` : 'a number was received'
    throw refuse(`${call}: ${figure}; accepted is ${ACCEPTED[unit]}`)
  })
  if (limits.length < wanted) throw refuse(`${name} needs ${wanted} limit${wanted === 1 ? '' : 's'}`)
  if (wanted === 2 && limits[0]! > limits[1]!) throw refuse(`${call}: the first limit is above the second`)
  return limits
}

/** Keeps the verdict with its test and its run. */
function keep(
  assertion: object | undefined,
  figure: Quantity,
  comparison: Comparison,
  { verdict, message }: Judgement,
): void {
  const test = testOf(assertion) ?? TestRunner.getCurrentTest()
  const run = runAround(test)
  if (test === undefined || run === undefined) return
  const at = figure.step === undefined ? '' : ` at ${figure.step}`
  run.record(test.id, {
    test: test.fullTestName,
    figure: nameOf(figure) + at,
    expected: comparisonText(comparison, figure.unit),
    verdict,
    message,
  })
  test.meta.slo = { assertions: [...run.assertionsOf(test.id)] }
}

function callerOf(assertion: object | undefined): Function | undefined {
  return assertion === undefined ? undefined : (chai.util.flag(assertion, CALLER) as Function | undefined)
}

function testOf(assertion: object | undefined): RunnerTestCase | undefined {
  return assertion === undefined ? undefined : (chai.util.flag(assertion, 'vitest-test') as RunnerTestCase | undefined)
}

function nameOf({ statistic, metric }: Quantity): string {
  return statistic === 'value' ? metric : `${statistic} ${metric}`
}

function errorOf({ verdict, message }: Judgement): Error {
  if (verdict === 'fail') return new chai.AssertionError(message)
  return verdict === 'inconclusive' ? new InconclusiveError(message) : new InvalidMeasurementError(message)
}

/** Frames between an asymmetric matcher and the author's line, and then some: V8 keeps 10. */
const FRAMES = 50

/** The error with a stack that begins in the author's file. */
function thrownBy(outermost: Function, error: Error): Error {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = FRAMES
  Error.captureStackTrace(error, outermost)
  Error.stackTraceLimit = stackTraceLimit
  return error
}

function show(value: unknown): string {
  return typeof value === 'string' ? `"${value}"` : String(value)
}

/** Vitest's own comparisons, and what they are called for figures. */
const TWIN: Readonly<Record<string, Name>> = {
  toBeLessThan: 'toBeBelow',
  toBeLessThanOrEqual: 'toBeAtMost',
  toBeGreaterThan: 'toBeAbove',
  toBeGreaterThanOrEqual: 'toBeAtLeast',
}
/** Flag of an assertion that came through one of these: the function that the author called. */
const CALLER = 'vitest-slo-caller'
const EXACT = ['toBe', 'toEqual', 'toStrictEqual', 'toBeCloseTo'] as const

chai.use((_, utils) => {
  const prototype = chai.Assertion.prototype as unknown as Record<string, (...args: unknown[]) => unknown>
  for (const [name, twin] of Object.entries(TWIN)) {
    utils.overwriteMethod(prototype, name, (original: (...args: unknown[]) => unknown) => {
      return function compare(
        this: Chai.AssertionStatic & Record<Name, (limit: unknown) => unknown>,
        ...args: unknown[]
      ) {
        if (!isQuantity(utils.flag(this, 'object'))) return original.apply(this, args)
        utils.flag(this, CALLER, compare)
        return this[twin](args[0])
      }
    })
  }
  for (const name of EXACT) {
    utils.overwriteMethod(prototype, name, (original: (...args: unknown[]) => unknown) => {
      return function compare(this: object, ...args: unknown[]) {
        const received: unknown = utils.flag(this, 'object')
        if (isQuantity(received) && typeof args[0] === 'number') {
          const message =
            `${name}(${args[0]}) compares exactly, and ${received.toString()} is a measured figure: ` +
            'use toBeBelow, toBeAtMost, toBeAbove, toBeAtLeast or toBeBetween, or take its .value'
          throw thrownBy(compare, new TypeError(message))
        }
        return original.apply(this, args)
      }
    })
  }
})
