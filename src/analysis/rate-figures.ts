import { SpecError } from '../model/errors.ts'
import type { RateFigure } from '../model/figures.ts'
import type { Profile, Saturation, StepProfile, Usable } from '../model/profile.ts'
import { type Quantity, quantity } from '../model/quantity.ts'
import type { BoundsEvidence, PlainEvidence, Scope } from './evidence.ts'
import { openSteps } from './saturation.ts'
import { isTipped } from './usable.ts'

/**
 * The saturation point as tests receive it.
 *
 * @throws SpecError for a load without open-loop steps.
 */
export function saturationFigure(profile: Profile, scope: Scope): RateFigure {
  const { saturation, steps } = profile
  if (saturation === null) throw openLoopOnly('saturation')
  const { rate, bound } = saturation
  return rateFigure('saturation', saturation, steps, scope, {
    least: rate === null || bound === 'at-most' ? 0 : rate,
    most: rate === null || bound === 'at-least' ? Number.POSITIVE_INFINITY : rate,
    client: false,
  })
}

/**
 * The usable rate as tests receive it: judged as at least the last step that reached the attainment and below the
 * first that missed it. Limits between the two are inconclusive; invalid, where the client's own part may be why a step
 * missed it.
 *
 * @throws SpecError without objectives, and for a load without open-loop steps.
 */
export function usableFigure(profile: Profile, scope: Scope): RateFigure {
  const { usable, steps, objectives, attainment } = profile
  if (!objectives) {
    const message =
      'the usable rate needs objectives, the limits that make a request good: give slo() the option objectives'
    throw new SpecError('usable', [{ path: 'objectives', message }])
  }
  if (usable === null) throw openLoopOnly('usable')
  const { lastSustained, firstSaturated } = usable
  const most = firstSaturated === null ? Number.POSITIVE_INFINITY : justBelow(firstSaturated)
  return rateFigure('usable', usable, steps, scope, {
    least: lastSustained ?? 0,
    most,
    client: openSteps(steps).some((step) => step.step.rate <= most && isTipped(step, attainment)),
  })
}

function rateFigure(
  name: string,
  found: Saturation | Usable,
  steps: readonly StepProfile[],
  scope: Scope,
  bounds: Pick<BoundsEvidence, 'least' | 'most' | 'client'>,
): RateFigure {
  const open = openSteps(steps)
  const valid = open.filter((step) => step.voids.length === 0)
  const samples = valid.reduce((sum, step) => sum + step.record.counts.planned, 0)
  const { rate, bound, lastSustained, firstSaturated, reached, reason } = found
  const interval = 'interval' in found && found.interval !== null ? { interval: found.interval } : {}
  const rateQuantity = quantity(
    {
      metric: `${name} rate`,
      statistic: 'value',
      value: rate,
      unit: '/s' as const,
      samples,
      ...(bound === null ? {} : { bound }),
      ...interval,
    },
    {
      kind: 'bounds',
      scope,
      ...bounds,
      reason,
      client: bounds.client || valid.length < open.length,
    } satisfies BoundsEvidence,
  )
  const declared = (which: string, value: number | null): Quantity<'/s'> =>
    quantity({ metric: `${name} ${which}`, statistic: 'value', value, unit: '/s' as const, samples }, {
      kind: 'plain',
      scope,
      value,
      reason,
    } satisfies PlainEvidence)
  return {
    rate: rateQuantity,
    lastSustained: declared('last sustained rate', lastSustained),
    firstSaturated: declared('first saturated rate', firstSaturated),
    reached,
    reason,
  }
}

/** A rate that missed is not usable itself. */
function justBelow(rate: number): number {
  return rate * (1 - 2 * Number.EPSILON)
}

function openLoopOnly(name: string): SpecError {
  const message = 'open loop only: a load of concurrency steps never offers more than is answered; give steps a rate'
  return new SpecError(name, [{ path: 'load', message }])
}
