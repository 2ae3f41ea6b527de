import { describe, expectTypeOf, test as vitestTest } from 'vitest'
import { expect, type Quantity, type Report, slo, test } from '../../src/index.ts'

const load = [{ rate: 10, duration: '30s' }] as const

vitestTest('figures are typed by their unit', () => {
  slo('chat', { load }, () => {
    test('latencies', ({ p50, p75, p90, p95, p99, p999, mean, min, max, percentile }) => {
      expectTypeOf(p50.ttft).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(p75.ttfo).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(p90.tpot).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(p95.itl).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(p99.icl).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(p999.ntpot).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(mean.e2e).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(min.sendLag).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(max.ttft.value).toEqualTypeOf<number | null>()
      expectTypeOf(percentile(99.5).ttft).toEqualTypeOf<Quantity<'ms'>>()
    })
    test('from the sent instant', ({ p99 }) => {
      expectTypeOf<keyof typeof p99.fromSent>().toEqualTypeOf<'ttft' | 'ttfo' | 'ntpot' | 'e2e'>()
    })
    test('rates, shares and counts', ({ rate, throughput, goodput, errors }) => {
      expectTypeOf(rate.nominal).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(rate.offered).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(rate.achieved).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(throughput.requests).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(throughput.totalTokens).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(goodput.rate).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(goodput.ratio).toEqualTypeOf<Quantity<'ratio'>>()
      expectTypeOf(errors.count).toEqualTypeOf<Quantity<'count'>>()
      expectTypeOf(errors.ratio).toEqualTypeOf<Quantity<'ratio'>>()
      expectTypeOf(errors.byKind.reset).toEqualTypeOf<Quantity<'count'>>()
    })
    test('steps', ({ steps, at }) => {
      expectTypeOf(at(20).p95.ttft).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(at({ concurrency: 16 }).errors.ratio).toEqualTypeOf<Quantity<'ratio'>>()
      expectTypeOf(steps[0]!.rate.offered).toEqualTypeOf<Quantity<'/s'>>()
    })
    test('capacity', ({ saturation, usable }) => {
      expectTypeOf(saturation.rate).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(saturation.lastSustained).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(usable.firstSaturated).toEqualTypeOf<Quantity<'/s'>>()
      expectTypeOf(usable.reason).toEqualTypeOf<string>()
    })
    test('the instrument, and all of it', ({ client, report }) => {
      expectTypeOf(client.rho).toEqualTypeOf<Quantity<'ratio'>>()
      expectTypeOf(client.sendLag).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(client.bias.observed).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(client.bias.modelled).toEqualTypeOf<Quantity<'ms'>>()
      expectTypeOf(client.limit).toEqualTypeOf<Quantity<'/s'>>()
      expect(client.limit).toBeAtLeast('2000/s')
      expectTypeOf(client.workers).toEqualTypeOf<Quantity<'count'>>()
      expectTypeOf(report).toEqualTypeOf<Report>()
      expectTypeOf(report.client.limit).toEqualTypeOf<number | null>()
      expectTypeOf<keyof (typeof report.steps)[0]['most']>().toEqualTypeOf<'tpot' | 'itl' | 'icl'>()
    })
  })
})

vitestTest('a misspelt name is a type error', () => {
  // @ts-expect-error -- p98
  test('percentile', ({ p98 }) => p98)
  // @ts-expect-error -- ttft
  test('metric', ({ p99 }) => p99.ttf)
  // @ts-expect-error -- no metric of a sent instant
  test('from sent', ({ p99 }) => p99.fromSent.tpot)
  // @ts-expect-error -- ratio
  test('goodput', ({ goodput }) => goodput.share)
  // @ts-expect-error -- observed or modelled
  test('bias', ({ client }) => client.bias.value)
  // @ts-expect-error -- a rate for a share
  test('rho', ({ client }) => expect(client.rho).toBeBelow('1/s'))
  // @ts-expect-error -- reset
  test('errors', ({ errors }) => errors.byKind.resets)
  // @ts-expect-error -- a step is named by its rate or concurrency
  test('at', ({ at }) => at('20'))
  // @ts-expect-error -- concurrency
  test('at', ({ at }) => at({ concurency: 16 }))
})

vitestTest('a figure compares by a matcher or by its value, and cannot be changed', () => {
  test('value', ({ p99 }) => {
    // @ts-expect-error -- no number
    expectTypeOf(p99.ttft > 5)
    // @ts-expect-error -- immutable
    p99.ttft.value = 5
    // @ts-expect-error -- immutable
    p99.ttft = p99.ntpot
  })
})

vitestTest('the forms of test have the figures', () => {
  for (const form of [test.skip, test.only, test.fails, test.concurrent]) {
    form('has figures', ({ p99 }) => expect(p99.ttft).toBeBelow('40ms'))
  }
  test.for([40, 50])('for %d', (limit, { p99 }) => expect(p99.ttft).toBeBelow(limit))
  test.each([40, 50])('each %d', (limit) => expect(limit).toBeBelow(60))
  const own = test.extend<{ limit: number }>({ limit: 40 })
  own('extended', ({ limit, p99 }) => expect(p99.ttft).toBeBelow(limit))
  describe('nested', () =>
    test('context', ({ task, expect, p99 }) => {
      expectTypeOf(task.name).toEqualTypeOf<string>()
      expect(p99.ttft).toBeBelow('40ms')
      // @ts-expect-error -- a rate for a duration
      expect(p99.ttft).toBeBelow('40/s')
    }))
})
