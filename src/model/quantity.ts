import { formatValue, type Unit } from './units.ts'

/**
 * One figure with what is needed to read it: immutable and JSON-safe.
 * Compare it with a matcher, or take `.value`; it has no `valueOf` on purpose, since a bare comparison would skip
 * the questions that make a verdict (enough samples? could the client have caused it? is it only a bound?).
 */
export interface Quantity<U extends Unit = Unit> {
  /** What was measured, for example `NTPOT` or `goodput ratio`. */
  readonly metric: string
  /** Which statistic of it, for example `p99`, `mean`; `value` for a plain figure. */
  readonly statistic: string
  /** Null when it does not exist (no sample): never 0 in its place. */
  readonly value: number | null
  readonly unit: U
  /** Number of requests (or samples) behind it. */
  readonly samples: number
  /** 95 % interval, in the unit. */
  readonly interval?: readonly [number | null, number | null]
  /** The value is only a bound on the figure. */
  readonly bound?: 'at-least' | 'at-most'
  /** Step it is of, for example `20 req/s`; absent for the merged figure. */
  readonly step?: string
  toString(): string
}

const evidence = new WeakMap<object, unknown>()

/** Makes an immutable quantity and keeps beside it, unseen by JSON and diffs, what a matcher needs to judge it. */
export function quantity<U extends Unit>(figure: Omit<Quantity<U>, 'toString'>, behind?: unknown): Quantity<U> {
  const made = Object.create(QUANTITY) as Quantity<U>
  for (const [key, value] of Object.entries(figure)) {
    if (value === undefined) continue
    Object.defineProperty(made, key, { value, enumerable: true })
  }
  Object.freeze(made)
  if (behind !== undefined) evidence.set(made, behind)
  return made
}

/** Whether a value is a quantity of this project, made in this process. */
export function isQuantity(value: unknown): value is Quantity {
  return typeof value === 'object' && value !== null && Object.prototype.isPrototypeOf.call(QUANTITY, value)
}

/** What was kept beside a quantity; undefined for one without. */
export function behindQuantity(value: Quantity): unknown {
  return evidence.get(value)
}

/** `p99 NTPOT 51.3 ms (95 % interval 47.9 to 56, n = 600) at 20 req/s`. */
function describe(this: Quantity): string {
  const name = this.statistic === 'value' ? this.metric : `${this.statistic} ${this.metric}`
  const bound = this.bound === undefined ? '' : this.bound === 'at-least' ? 'at least ' : 'at most '
  const value = this.value === null ? 'none' : bound + formatValue(this.value, this.unit)
  const interval = this.interval
    ? `95 % interval ${end(this.interval[0], this.unit)} to ${end(this.interval[1], this.unit)}, `
    : ''
  const at = this.step === undefined ? '' : ` at ${this.step}`
  return `${name} ${value} (${interval}n = ${this.samples})${at}`
}

function end(value: number | null, unit: Unit): string {
  return value === null ? 'no bound' : formatValue(value, unit)
}

const QUANTITY: object = Object.create(Object.prototype, {
  toString: { value: describe },
  [Symbol.toStringTag]: { value: 'Quantity' },
})
