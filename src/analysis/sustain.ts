import type { StepRun, Sustain, Window } from '../model/profile.ts'
import { formatValue } from '../model/units.ts'
import { growthOf, type Growth } from './backlog.ts'
import { refutes } from './confidence.ts'
import { isLate, onTimeShare } from './punctuality.ts'
import { startupRefuted } from './startup.ts'
import { p95Of } from './window.ts'
import { failuresOf } from './counts.ts'

/** Growth per arrival below which a backlog is steady: how precisely a rate is told. */
const PRECISION = 0.05
/** Growth per arrival from which a significant growth matters. */
const MATERIAL = 0.02
/** Window that a step needs, in p95 of its E2E. */
const WINDOW_PER_E2E = 2

/**
 * Whether the server carried an open-loop step.
 *
 * - *saturated*: the backlog (in flight plus due but unsent) grows significantly (lower 95 % bound above 0) and
 *   materially (by more than 2 % of the arrivals), or the share of requests without a successful reply is
 *   significantly above 1 - attainment: a server that sheds load has no growing backlog;
 * - *stable*: the upper 95 % bound of the growth is below 5 % of the arrivals;
 * - *undecided*: neither, or fewer than 99 % of the requests were sent on time, so that the backlog may be the
 *   client's own, or the window is shorter than 2 x p95 of the step's E2E, in which a backlog grows because
 *   the server began empty. The reason says how long the step must be.
 *
 * @param settles whether replies were waited for after the step; if not (`settle: 0`), what was cut off there is no
 * failure of the server's.
 * @param unloadedMs mean E2E of the lowest step, ms; 0 when unknown. See `growthOf` for it and for when not to trust this.
 */
export function sustainOf(
  run: StepRun,
  window: Window,
  unloadedMs: number,
  attainment: number,
  settles: boolean,
): Sustain {
  const { bins, record } = run
  const growth = growthOf(bins, window, unloadedMs)
  const say = (state: Sustain['state'], reason: string): Sustain => ({
    state,
    growth: growth?.perArrival ?? null,
    growthLow: growth?.low ?? null,
    growthHigh: growth?.high ?? null,
    reason,
  })

  const { planned } = record.counts
  const failures = failuresOf(record.counts) - (settles ? 0 : record.counts.aborted)
  if (failures > 0 && refutes(failures, planned, 1 - attainment)) {
    const missing = `${share(failures / planned)} of the requests (${failures} of ${planned})`
    return say('saturated', `${missing} got no successful reply, more than ${share(1 - attainment)}`)
  }
  if (growth === null) return say('undecided', noGrowth(run, window))

  if (isLate(record)) {
    const late = `only ${share(onTimeShare(record) ?? 0)} of the requests were sent on time, 99 % must be`
    return say('undecided', `${late}: its backlog may be the client's own`)
  }
  const grows = growth.low > 0 && growth.perArrival > MATERIAL
  const needed = neededMs(run, window)
  if (
    grows &&
    (needed === null || startupRefuted(bins, record.latency.e2e, Math.max(window.fromMs, run.durationMs / 2)))
  ) {
    return say(
      'saturated',
      `the backlog grew by ${share(growth.perArrival)} of the arrivals (at least ${share(growth.low)})`,
    )
  }
  if (needed !== null) {
    return say('undecided', `too short against its E2E to tell: it must be at least ${formatSeconds(needed)} long`)
  }
  if (!grows && growth.high < PRECISION) {
    return say('stable', `the backlog grew by at most ${share(Math.max(0, growth.high))} of the arrivals`)
  }
  return say('undecided', tooNoisy(growth, window))
}

/** Length that a step must have, ms, where its window is shorter than 2 x p95 E2E; null where it is long enough. */
function neededMs(run: StepRun, window: Window): number | null {
  const p95 = p95Of(run.record.latency.e2e)
  const least = WINDOW_PER_E2E * (p95 ?? 0)
  if (window.toMs - window.fromMs >= least) return null
  // A ramp that is half the step now grows with the step; another stays as it is.
  const half = window.fromMs >= run.durationMs / 2 - run.bins.widthMs
  return half ? 2 * least : window.fromMs + least
}

function noGrowth(run: StepRun, window: Window): string {
  if (window.arrivals === 0) return 'no request arrived after the ramp'
  return `too short to tell: it must be at least ${formatSeconds((run.bins.widthMs * 10 * run.durationMs) / (window.toMs - window.fromMs))} long`
}

/** How uncertain the growth is and, since its margin shrinks with the root of the window, the length that would tell. */
function tooNoisy(growth: Growth, window: Window): string {
  const range = `the backlog's growth is between ${share(growth.low)} and ${share(growth.high)} of the arrivals`
  const room = PRECISION - Math.max(0, growth.perArrival)
  const margin = growth.high - growth.perArrival
  if (room <= 0 || margin > 5 * room) return `${range}: a much longer step would tell`
  const windowMs = (window.toMs - window.fromMs) * (margin / room) ** 2
  return `${range}: a step of about ${formatSeconds(window.fromMs + windowMs)} would tell`
}

function share(ratio: number): string {
  return formatValue(ratio, 'ratio')
}

function formatSeconds(ms: number): string {
  return ms < 1000 ? `${Math.ceil(ms)} ms` : `${Math.ceil(ms / 100) / 10} s`
}
