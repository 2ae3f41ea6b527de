import { type Report } from '../../src/model/report.ts'
import type { AssertionRecord } from '../../src/model/verdict.ts'
import { reportOf } from '../../src/report/report.ts'
import { closedStep, openStep, sampleInput, sustain } from './sample.ts'

export function assertion(changes: Partial<AssertionRecord> = {}): AssertionRecord {
  return {
    test: 'chat > p99 NTPOT stays under 40 ms',
    figure: 'p99 NTPOT',
    expected: 'below 40 ms',
    verdict: 'pass',
    message: 'p99 NTPOT was 6.24 ms (n = 900), expected below 40 ms',
    ...changes,
  }
}

const passing = sampleInput(
  [
    { step: openStep(10), replies: 300, ttft: [20, 30], e2e: [300, 340], good: 300 },
    { step: openStep(20), replies: 600, ttft: [22, 48], e2e: [310, 400], good: 598, rho: 0.21, withoutUsage: 12 },
  ],
  {
    plan: { objectives: { ttft: 45, ntpot: 40 } },
    profile: {
      saturation: {
        rate: 20,
        bound: 'at-least',
        interval: null,
        lastSustained: 20,
        firstSaturated: null,
        reached: 'not-reached',
        reason: 'every step was carried',
      },
      usable: {
        rate: 20,
        bound: 'at-least',
        lastSustained: 20,
        firstSaturated: null,
        reached: 'not-reached',
        reason: 'every step reached the attainment',
      },
    },
    assertions: [assertion(), assertion({ test: 'chat > holds its goodput' })],
  },
)

const failing = sampleInput(
  [
    { step: openStep(10), replies: 300, ttft: [20, 30], e2e: [300, 340] },
    {
      step: openStep(20),
      replies: 585,
      ttft: [25, 900],
      e2e: [400, 1900],
      failures: { http: 9, reset: 4, aborted: 2 },
      failureMessage: '{"error":{"message":"the engine is overloaded, please retry later"}}',
    },
  ],
  {
    assertions: [
      assertion(),
      assertion({
        test: 'chat > at 20 req/s',
        verdict: 'fail',
        message:
          'p95 TTFT was 862 ms (95 % interval 840 to 881, n = 600) at 20 req/s, expected below 500 ms; saturation not reached up to 20 req/s',
      }),
      assertion({
        test: 'chat > p99.9 TTFT',
        verdict: 'inconclusive',
        message: 'p99.9 TTFT needs 2,995 requests to pass, there are 900',
      }),
    ],
  },
)

const sweep = sampleInput(
  [
    { step: openStep(5, 15), replies: 75, ttft: [20, 24], e2e: [300, 320] },
    { step: openStep(12.6, 15), replies: 189, ttft: [20, 31], e2e: [305, 350] },
    { step: openStep(31.7, 15), replies: 476, ttft: [21, 88], e2e: [310, 520], sustain: sustain('stable') },
    {
      step: openStep(50, 15),
      replies: 750,
      ttft: [25, 900],
      e2e: [330, 2400],
      sustain: sustain('undecided', 'growth of 0.04 may be chance: the step must last 38 s to tell'),
    },
    {
      step: openStep(80, 15),
      replies: 700,
      ttft: [30, 9800],
      e2e: [400, 14_500],
      failures: { aborted: 500 },
      sustain: sustain('saturated'),
      rho: 0.31,
      sendLag: [0.04, 1.1],
    },
  ],
  {
    plan: {
      name: 'chat capacity',
      load: { kind: 'sweep', steps: [5, 12.6, 31.7, 50, 80].map((rate) => openStep(rate, 15)) },
    },
    profile: {
      loadKind: 'sweep',
      saturation: {
        rate: 46.8,
        bound: null,
        interval: [44.9, 48.2],
        lastSustained: 31.7,
        firstSaturated: 80,
        reached: 'within',
        reason: 'the hinge fits',
      },
    },
    assertions: [assertion({ test: 'chat capacity > carries 40 req/s' })],
  },
)

const closedLoop = sampleInput([
  { step: closedStep(4), replies: 360, ttft: [20, 30], e2e: [320, 350] },
  { step: closedStep(16), replies: 1300, ttft: [22, 61], e2e: [340, 420] },
])

const allFailed = sampleInput([{ step: openStep(10, 3), replies: 0, failures: { refused: 30 }, good: 0 }], {
  plan: { objectives: { ttft: 45 } },
  profile: {
    objectives: true,
    saturation: {
      rate: null,
      bound: null,
      interval: null,
      lastSustained: null,
      firstSaturated: null,
      reached: 'unknown',
      reason: 'no step had a successful reply',
    },
  },
})

const voidStep = sampleInput(
  [
    { step: openStep(10), replies: 300 },
    {
      step: openStep(2000, 5),
      replies: 10_000,
      rho: 0.97,
      sendLag: [0.1, 310],
      voids: [
        {
          check: 'rho',
          message:
            'all 2 load processes reached rho 0.97 at 2000 req/s (5 of 5 s at or above the limit of 0.85); this machine has 3 cores, none left for more workers: use one with more, or offer at most about 1900 req/s',
        },
      ],
    },
  ],
  {
    profile: {
      saturation: {
        rate: 10,
        bound: 'at-least',
        interval: null,
        lastSustained: 10,
        firstSaturated: null,
        reached: 'not-reached',
        reason: "not reached up to 10 req/s; the client's own limit is about 1900 req/s",
      },
    },
    assertions: [
      assertion({
        verdict: 'invalid',
        message:
          'p99 NTPOT was 6.24 ms at 2000 req/s, expected below 40 ms: it cannot be used, all 2 load processes reached rho 0.97',
      }),
    ],
  },
)

const notStreaming = sampleInput([{ step: openStep(10), replies: 300, stream: false }], {
  plan: { target: { ...sampleInput([]).plan.target, stream: false } },
  assertions: [assertion()],
})

const lostProcess = sampleInput([{ step: openStep(10), replies: 300 }], {
  profile: { breaches: ['load process 1 (pid 4001) died in step 10 req/s: killed by SIGKILL'] },
})

/** One report of every kind that looks different. */
export const SCENARIOS: Readonly<Record<string, Report>> = {
  passing: reportOf(passing),
  failing: reportOf(failing),
  sweep: reportOf(sweep),
  'closed loop': reportOf(closedLoop),
  'all failed': reportOf(allFailed),
  'void step': reportOf(voidStep),
  'not streaming': reportOf(notStreaming),
  'lost process': reportOf(lostProcess),
}
