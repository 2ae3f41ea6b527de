import { expectTypeOf, test } from 'vitest'
import { simulator, slo, type SloOptions, sweep } from '../../src/index.ts'
import { type ProjectOptions, slo as plugin, sloProject } from '../../src/config.ts'
import type { Plugin, TestProjectInlineConfiguration } from 'vitest/config'

const options: SloOptions = { target: { url: 'http://host:8000/v1' }, load: [{ rate: 10, duration: '30s' }] }
const body = () => {}

test('the forms of slo', () => {
  slo('chat', options, body)
  slo('chat', options, async () => {})
  slo.skip('chat', options, body)
  slo.only('chat', options, body)
  slo.skipIf(process.env['CI'])('chat', options, body)
  slo.runIf(true)('chat', options, body)
  slo.todo('chat')
  slo.todo('chat', options)
  slo.todo('chat', options, body)
  expectTypeOf(slo('chat', options, body)).toEqualTypeOf<void>()
})

test('options in place', () => {
  slo(
    'chat',
    { target: simulator({ slots: 4 }), load: sweep({ from: 1, to: 9, count: 3, spacing: 'linear', duration: '5s' }) },
    body,
  )
  slo('chat', { load: [{ concurrency: 4, requests: 100 }] }, body)
  // @ts-expect-error -- no load
  slo('chat', { target: simulator() }, body)
  // @ts-expect-error -- objectives
  slo('chat', { ...options, objective: { ttft: 500 } }, body)
  // @ts-expect-error -- a metric: ttft
  slo('chat', { ...options, objectives: { tft: 500 } }, body)
  // @ts-expect-error -- a step has a rate or a concurrency, not both
  slo('chat', { load: [{ rate: 1, concurrency: 2, duration: 1 }] }, body)
  // @ts-expect-error -- a duration has a unit
  slo('chat', { ...options, settle: '5' }, body)
  // @ts-expect-error -- later
  slo('chat', { ...options, confidence: 0.95 }, body)
})

test('what every form needs', () => {
  // @ts-expect-error -- no body
  slo('chat', options)
  // @ts-expect-error -- no options
  slo('chat', body)
  // @ts-expect-error -- no body
  slo.skip('chat', options)
  // @ts-expect-error -- no such form: use a loop
  slo.each([1, 2])
})

test('a project of a configuration', () => {
  expectTypeOf(sloProject()).toEqualTypeOf<TestProjectInlineConfiguration>()
  expectTypeOf(plugin()).toEqualTypeOf<Plugin>()
  expectTypeOf(sloProject).parameter(0).toEqualTypeOf<ProjectOptions | undefined>()
  sloProject({
    name: 'load',
    include: ['load/**'],
    exclude: [],
    run: 'always',
    outputDir: 'reports',
    workers: 2,
    seed: 1,
  })
  // @ts-expect-error -- run
  sloProject({ run: 'sometimes' })
  // @ts-expect-error -- outputDir
  sloProject({ outputdir: 'reports' })
  // @ts-expect-error -- a load belongs to a spec
  sloProject({ load: options.load })
})
