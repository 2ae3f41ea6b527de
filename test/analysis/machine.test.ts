import { expect, test } from 'vitest'
import { machineWarnings } from '../../src/analysis/machine.ts'

test.each<[cpus: number, quota: number | null, cores: number, warnings: string[]]>([
  [8, null, 8, []],
  [2, null, 2, []],
  [8, 2, 2, []],
  [
    8,
    0.5,
    0.5,
    [
      'a CPU quota of 0.5 cores (cgroup): load processes will be throttled, and figures may come out invalid; give it at least 2 cores',
    ],
  ],
  [
    1,
    1 / 3,
    1 / 3,
    [
      'a CPU quota of 0.333 cores (cgroup): load processes will be throttled, and figures may come out invalid; give it at least 2 cores',
    ],
  ],
  [
    4,
    1,
    1,
    [
      'a CPU quota of 1 core (cgroup): the load process shares it with Vitest, and figures may come out invalid; give it at least 2 cores',
    ],
  ],
  [
    4,
    1.5,
    1.5,
    [
      'a CPU quota of 1.5 cores (cgroup): the load process shares it with Vitest, and figures may come out invalid; give it at least 2 cores',
    ],
  ],
  [
    1,
    null,
    1,
    ['one core: the load process shares it with Vitest, and figures may come out invalid; give it at least 2 cores'],
  ],
  [
    1,
    1.5,
    1,
    ['one core: the load process shares it with Vitest, and figures may come out invalid; give it at least 2 cores'],
  ],
])('%d CPUs and a quota of %s: %d cores', (cpus, quota, cores, warnings) => {
  expect(machineWarnings({ cpus, quota, cores })).toEqual(warnings)
})
