import { expectTypeOf, test } from 'vitest'
import type {
  ProjectOptions,
  SimulatorTarget,
  SloOptions,
  StepOptions,
  SweepLoad,
  SyntheticSource,
  TargetOptions,
} from '../../src/spec/options.ts'
import { synthetic } from '../../src/spec/prompts.ts'
import { simulator } from '../../src/spec/simulator.ts'
import { sweep } from '../../src/spec/sweep.ts'

/** Stands for `slo()`, whose second argument these options are. */
declare function slo(options: SloOptions): void
declare function sloProject(options: ProjectOptions): void

const load = [{ rate: 10, duration: '30s' }] as const
const target = { url: 'http://host:8000/v1' }

test('the spec of the contract', () => {
  slo({
    target: { api: 'openai-chat', url: process.env['LLM_URL']!, model: 'llama-3-8b', apiKey: process.env['LLM_KEY'] },
    load: [
      { rate: 10, duration: '30s' },
      { rate: '600/m', requests: 100 },
      { concurrency: 16, duration: 500 },
      { concurrency: 16, requests: 64 },
    ],
    objectives: { ttft: 500, ntpot: '40ms' },
    attainment: '99%',
    workers: 'auto',
    timeout: { connect: '5s', firstByte: '60s', idle: '60s', total: '10m' },
  })
  slo({
    target: simulator({ ttft: '20ms', itl: '5ms', slots: 16 }),
    load: sweep({ from: 5, to: 80, count: 6, spacing: 'geometric', duration: '15s' }),
    prompts: synthetic({ inputTokens: 512 }),
  })
})

test('a target may be a function, sync or async, or come from the project', () => {
  slo({ target: () => simulator(), load })
  slo({ target: async () => target, load })
  slo({ load })
  sloProject({ target, settle: '5s', run: 'always' })
  sloProject({})
})

test('what the functions give', () => {
  expectTypeOf(sweep({ from: 1, to: 2, count: 2, spacing: 'linear', duration: 1 })).toEqualTypeOf<SweepLoad>()
  expectTypeOf(simulator()).toEqualTypeOf<SimulatorTarget>()
  expectTypeOf(synthetic()).toEqualTypeOf<SyntheticSource>()
  expectTypeOf<TargetOptions['apiKey']>().toEqualTypeOf<string | undefined>()
})

test('misspelt options and metrics are type errors', () => {
  // @ts-expect-error -- a metric: ttft
  slo({ target, load, objectives: { ttfs: 500 } })
  // @ts-expect-error -- a metric, but not of one request
  slo({ target, load, objectives: { sendLag: 5 } })
  // @ts-expect-error -- settle
  slo({ target, load, setle: '5s' })
  // @ts-expect-error -- apiKey
  slo({ target: { url: 'http://host', apikey: 'x' }, load })
  // @ts-expect-error -- firstByte
  slo({ target, load, timeout: { firstbyte: '5s' } })
  // @ts-expect-error -- slots
  simulator({ slot: 5 })
  // @ts-expect-error -- inputTokens
  synthetic({ inputToken: 5 })
  // @ts-expect-error -- spacing
  sweep({ from: 1, to: 2, count: 2, space: 'linear', duration: 1 })
})

test('wrong values are type errors', () => {
  // @ts-expect-error -- no load
  slo({ target })
  // @ts-expect-error -- no url
  slo({ target: { model: 'm' }, load })
  // @ts-expect-error -- a unit that is none
  slo({ target, load: [{ rate: 10, duration: '30sec' }] })
  // @ts-expect-error -- a rate is per something
  slo({ target, load: [{ rate: '10', duration: '30s' }] })
  // @ts-expect-error -- an api that is none
  slo({ target: { api: 'openai', url: 'http://host' }, load })
  // @ts-expect-error -- spacing of a sweep
  sweep({ from: 1, to: 2, count: 2, spacing: 'log', duration: 1 })
  // @ts-expect-error -- a function does not reach the specs' process
  sloProject({ target: () => target })
  // @ts-expect-error -- a load is no default
  sloProject({ load })
})

test('a step is one of rate and concurrency, with one of duration and requests', () => {
  expectTypeOf<{ rate: number; duration: number }>().toExtend<StepOptions>()
  expectTypeOf<{ concurrency: number; requests: number }>().toExtend<StepOptions>()
  expectTypeOf<{ rate: number; concurrency: number; duration: number }>().not.toExtend<StepOptions>()
  expectTypeOf<{ rate: number; duration: number; requests: number }>().not.toExtend<StepOptions>()
  expectTypeOf<{ rate: number }>().not.toExtend<StepOptions>()
  expectTypeOf<{ duration: number }>().not.toExtend<StepOptions>()
})
