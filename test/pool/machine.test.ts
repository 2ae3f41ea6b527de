import { cpus } from 'node:os'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ReadText } from '../../src/pool/cgroup.ts'
import { type MachineCounters, readCounters, readMachine, usedBetween } from '../../src/pool/machine.ts'

type Files = Readonly<Record<string, string>>

const reader =
  (files: Files): ReadText =>
  (path) =>
    files[path] ?? null

const status = (list: string): Files => ({
  '/proc/self/status': `Name:\tnode\nCpus_allowed:\tff\nCpus_allowed_list:\t${list}\n`,
})
const online = (list: string): Files => ({ '/sys/devices/system/cpu/online': `${list}\n` })
const quota = (max: string): Files => ({ '/proc/self/cgroup': '0::/\n', '/sys/fs/cgroup/cpu.max': `${max} 100000\n` })

describe('what a machine gives', () => {
  // Node's own figure: whole cores, at least 1, with quotas rounded down.
  test.each<[name: string, files: Files, parallelism: number, cpus: number, quota: number | null, cores: number]>([
    ['no Linux', {}, 8, 8, null, 8],
    ['no quota', { ...status('0-7'), ...quota('max') }, 8, 8, null, 8],
    ['half a core, which Node takes for 1', { ...status('0-7'), ...quota('50000') }, 1, 8, 0.5, 0.5],
    ['one and a half, which Node takes for 1', { ...status('0-7'), ...quota('150000') }, 1, 8, 1.5, 1.5],
    ['a Node that does not look at quotas', { ...status('0-7'), ...quota('250000') }, 8, 8, 2.5, 2.5],
    ['a quota above the CPUs', { ...status('0-1'), ...quota('400000') }, 2, 2, 4, 2],
    ['an affinity of three CPUs in two ranges', { ...status('1-2,7'), ...online('0-7') }, 3, 3, null, 3],
    [
      'an affinity for CPUs that are not there',
      { ...status('0-127'), ...online('0-3'), ...quota('max') },
      4,
      4,
      null,
      4,
    ],
    ['one CPU of them, and a quota above it', { ...status('0-127'), ...online('0'), ...quota('150000') }, 1, 1, 1.5, 1],
    ['a bound that only Node knows', { ...status('0-127'), ...quota('350000') }, 2, 2, 3.5, 2],
    ['no list of CPUs', { ...quota('50000') }, 4, 4, 0.5, 0.5],
    ['an affinity that is garbage', status('all of them'), 4, 4, null, 4],
    ['online CPUs that are garbage', { ...status('0-3'), ...online('') }, 4, 4, null, 4],
    ['an affinity that has nothing to do with the CPUs online', { ...status('8'), ...online('0-3') }, 4, 4, null, 4],
  ])('%s', (_, files, parallelism, cpus, quota, cores) => {
    expect(readMachine(reader(files), parallelism)).toEqual({ cpus, quota, cores })
  })

  test('of this machine is something, and no more than there is', () => {
    const machine = readMachine()
    expect(machine.cores).toBeGreaterThan(0)
    expect(machine.cores).toBeLessThanOrEqual(machine.cpus)
    expect(machine.cpus).toBeLessThanOrEqual(cpus().length)
  })
})

describe('the counters', () => {
  const stat = (text: string): Files => ({ '/proc/stat': text })
  const v2 = {
    '/proc/self/cgroup': '0::/job\n',
    '/sys/fs/cgroup/job/cpu.stat': 'nr_throttled 7\nthrottled_usec 1500\n',
  }
  const v1 = {
    '/proc/self/cgroup': '4:cpu:/\n',
    '/sys/fs/cgroup/cpu/cpu.stat': 'nr_periods 9\nnr_throttled 2\nthrottled_time 2500000\n',
  }
  const none = { cgroup: null, throttledMs: null, throttledPeriods: null, stealMs: null }

  test.each<[name: string, files: Files, wanted: Partial<MachineCounters>]>([
    ['version 2', v2, { cgroup: '/sys/fs/cgroup/job', throttledMs: 1.5, throttledPeriods: 7 }],
    ['version 1', v1, { cgroup: '/sys/fs/cgroup/cpu', throttledMs: 2.5, throttledPeriods: 2 }],
    ['a cgroup that does not tell', { '/proc/self/cgroup': '0::/\n' }, { cgroup: '/sys/fs/cgroup' }],
    [
      'steal of all CPUs, 128 ticks',
      stat('cpu  736 0 226 1113 165 0 323 128 4 5\ncpu0 1 2 3 4 5 6 7 64 0 0\n'),
      { stealMs: 1280 },
    ],
    ['no steal', stat('cpu  736 0 226 1113 165 0 323 0 0 0\n'), { stealMs: 0 }],
    ['a kernel without the field', stat('cpu  736 0 226 1113 165 0 323\ncpu0 1 2 3 4 5 6 7 8\n'), {}],
    ['garbage', stat('cpu  a b c d e f g h\n'), {}],
    ['no files', {}, {}],
  ])('%s', (_, files, wanted) => {
    expect(readCounters(reader(files))).toEqual({ ...none, ...wanted })
  })

  test('of this host grow, or are not told', () => {
    const from = readCounters()
    const { throttledMs, stealMs } = usedBetween(from, readCounters())
    expect(stealMs !== null).toBe(process.platform === 'linux')
    expect(throttledMs === null).toBe(from.throttledMs === null)
    expect(Math.min(0, throttledMs ?? 0, stealMs ?? 0)).toBe(0)
  })
})

describe('what was taken between two readings', () => {
  const at = (counters: Partial<MachineCounters> = {}): MachineCounters => ({
    cgroup: '/sys/fs/cgroup',
    throttledMs: 100,
    throttledPeriods: 10,
    stealMs: 50,
    ...counters,
  })
  const unknown = { throttledMs: null, throttledPeriods: null }

  test.each<[name: string, from: MachineCounters, to: MachineCounters, wanted: object]>([
    ['nothing', at(), at(), { throttledMs: 0, throttledPeriods: 0, stealMs: 0 }],
    [
      'all three',
      at(),
      at({ throttledMs: 175.5, throttledPeriods: 12, stealMs: 80 }),
      { throttledMs: 75.5, throttledPeriods: 2, stealMs: 30 },
    ],
    ['the time went backwards', at(), at({ throttledMs: 99, throttledPeriods: 12 }), { ...unknown, stealMs: 0 }],
    ['the periods went backwards', at(), at({ throttledMs: 300, throttledPeriods: 9 }), { ...unknown, stealMs: 0 }],
    ['another cgroup', at(), at({ cgroup: '/sys/fs/cgroup/job', throttledMs: 300 }), { ...unknown, stealMs: 0 }],
    ['steal went backwards', at(), at({ stealMs: 40 }), { throttledMs: 0, throttledPeriods: 0, stealMs: null }],
    ['told before only', at(), at({ ...unknown, stealMs: null }), { ...unknown, stealMs: null }],
    ['told after only', at({ ...unknown, stealMs: null }), at(), { ...unknown, stealMs: null }],
  ])('%s', (_, from, to, wanted) => {
    expect(usedBetween(from, to)).toEqual(wanted)
  })

  test('is never negative', () => {
    const count = fc.option(fc.nat(20))
    const counters = fc.record({
      cgroup: fc.constantFrom(null, '/a', '/b'),
      throttledMs: count,
      throttledPeriods: count,
      stealMs: count,
    })
    const law = fc.property(counters, counters, (from, to) => {
      const taken = Object.values(usedBetween(from, to)).filter((value) => value !== null)
      expect(Math.min(0, ...taken)).toBe(0)
    })
    fc.assert(law, { seed: 20261129, verbose: 1 })
  })
})
