import type { Quantity } from '../model/quantity.ts'
import { formatValue, type Unit } from '../model/units.ts'
import type { Comparison, Judgement, Verdict } from '../model/verdict.ts'
import { comparisonText, meets, type Side, sidesOf } from './comparison.ts'
import { type Evidence, evidenceOf } from './evidence.ts'
import { type Span, spanOf } from './span.ts'
import { figureText } from './words.ts'

/** The verdict on one side, and why, where it is no plain pass or fail. */
interface Finding {
  readonly verdict: Verdict
  readonly why: string | null
}

/**
 * The verdict on a comparison of a figure, with the sentence that explains it.
 *
 * In this order: *invalid* where the run is broken or a step used is void; *inconclusive* where the figure says
 * nothing at all; *fail* where the limit is broken whatever the client's lateness did, by enough requests or by a
 * binomial test at 95 %; *invalid* where that lateness could have tipped it; *inconclusive* where there are too few
 * requests to pass; *pass*.
 */
export function judge(quantity: Quantity, comparison: Comparison): Judgement {
  const evidence = evidenceOf(quantity)
  const { verdict, why } = findingOf(evidence, comparison, quantity.unit)
  const measured = `${figureText(quantity, evidence)}, expected ${comparisonText(comparison, quantity.unit)}`
  const explained = why === null ? measured : `${measured}: ${why}`
  const { saturation } = evidence.scope
  const message = verdict === 'fail' && saturation !== null ? `${explained}; ${saturation}` : explained
  return { verdict, message }
}

/** The verdict on a comparison of a plain number: pass or fail. NaN fails every comparison. */
export function judgeNumber(value: number, comparison: Comparison): Judgement {
  const { sides, need } = sidesOf(comparison)
  const holds = need === 'all' ? sides.every((side) => meets(value, side)) : sides.some((side) => meets(value, side))
  return { verdict: holds ? 'pass' : 'fail', message: `${value}, expected ${comparisonText(comparison)}` }
}

/** The worst of several verdicts, as a report has it: invalid, fail, inconclusive, pass; pass when there is none. */
export function worstVerdict(verdicts: Iterable<Verdict>): Verdict {
  return firstOf(['invalid', 'fail', 'inconclusive', 'pass'], new Set(verdicts)) ?? 'pass'
}

function findingOf(evidence: Evidence, comparison: Comparison, unit: Unit): Finding {
  const { invalid, silent } = evidence.scope
  if (invalid.length > 0) {
    const more = invalid.length > 1 ? ` (and ${invalid.length - 1} more)` : ''
    return { verdict: 'invalid', why: `it cannot be used, ${invalid[0]}${more}` }
  }
  if (silent !== null) return { verdict: 'inconclusive', why: silent }
  const { sides, need } = sidesOf(comparison)
  const findings = sides.map((side) => sideFinding(spanOf(evidence, side), side, evidence, unit))
  // All sides are needed: the first of these decides. Any will do: a fail needs them all.
  const order: readonly Verdict[] =
    need === 'all' ? ['fail', 'invalid', 'inconclusive', 'pass'] : ['pass', 'invalid', 'inconclusive', 'fail']
  const verdict = firstOf(order, new Set(findings.map((finding) => finding.verdict))) ?? 'inconclusive'
  return findings.find((finding) => finding.verdict === verdict)!
}

function firstOf(order: readonly Verdict[], among: ReadonlySet<Verdict>): Verdict | undefined {
  return order.find((verdict) => among.has(verdict))
}

function sideFinding(span: Span | string, side: Side, evidence: Evidence, unit: Unit): Finding {
  if (typeof span === 'string') return { verdict: 'inconclusive', why: span }
  const { least, most, have, needed, refuted, inside } = span
  const enough = have >= needed
  const [mild, harsh] = side.direction === 'upper' ? [least, most] : [most, least]
  const tooFew = `${have} ${have === 1 ? 'request is' : 'requests are'} too few to tell, ${needed} are needed`
  if (!meets(mild, side)) {
    return enough || refuted
      ? { verdict: 'fail', why: failuresBelow(evidence, side) }
      : { verdict: 'inconclusive', why: tooFew }
  }
  if (!meets(harsh, side)) return { verdict: inside.verdict, why: insideText(span, evidence, unit) }
  return enough ? { verdict: 'pass', why: null } : { verdict: 'inconclusive', why: tooFew }
}

/** Why a limit inside the span decides nothing; of a latency, between what values the server's own lies. */
function insideText({ least, most, inside }: Span, evidence: Evidence, unit: Unit): string {
  const latency = evidence.kind === 'percentile' || evidence.kind === 'mean'
  if (!latency || !Number.isFinite(least) || !Number.isFinite(most)) return inside.reason
  return `the server's own is between ${formatValue(least, unit)} and ${formatValue(most, unit)}, ${inside.reason}`
}

/** A lower limit is not compared with the value that is shown: failures rank on the other side. */
function failuresBelow(evidence: Evidence, side: Side): string | null {
  if (side.direction === 'upper' || evidence.kind !== 'percentile' || evidence.seen.failures === 0) return null
  return 'for a lower limit a request without a reply ranks below every reply'
}
