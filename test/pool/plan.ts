import { DEFAULT_LIMITS, type Plan } from '../../src/model/plan.ts'
import type { Step } from '../../src/model/step.ts'

/** A plan against a given address, with small defaults. */
export function planOf(
  options: Partial<Omit<Plan, 'load' | 'target'>> & { readonly steps: readonly Step[]; readonly url?: string },
): Plan {
  const { steps, url, ...rest } = options
  return {
    name: 'test',
    spec: 'test.slo.ts',
    seed: 1,
    target: {
      api: 'openai-chat',
      method: 'POST',
      url: url ?? 'http://127.0.0.1:9/v1/chat/completions',
      model: null,
      headers: {},
      body: {},
      stream: true,
      ignoreEos: false,
      status: null,
      embedded: false,
    },
    load: { kind: 'list', steps },
    arrivals: 'poisson',
    prompts: { kind: 'synthetic', inputTokens: 16, outputTokens: 4 },
    objectives: {},
    attainment: 0.99,
    workers: 2,
    warmupMs: 0,
    settleMs: 5000,
    timeouts: { connectMs: 5000, firstByteMs: 10_000, idleMs: 10_000, totalMs: 20_000 },
    maxInFlight: 1000,
    limits: DEFAULT_LIMITS,
    ...rest,
  }
}
