import { describe, expect, test } from 'vitest'
import { cpuCgroup, cpuQuota, cpuThrottling, type ReadText } from '../../src/pool/cgroup.ts'

type Files = Readonly<Record<string, string>>

const reader =
  (files: Files): ReadText =>
  (path) =>
    files[path] ?? null

const V2_MOUNT = '30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n'
const V1_MOUNT = [
  '31 23 0:28 / /sys/fs/cgroup ro - tmpfs tmpfs ro,mode=755',
  '33 31 0:30 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset',
  '34 31 0:31 / /sys/fs/cgroup/cpu,cpuacct rw shared:9 - cgroup cgroup rw,cpu,cpuacct',
  '41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
].join('\n')

describe('the own cgroup', () => {
  test.each<[name: string, files: Files, version: number, directories: string[]]>([
    [
      'version 2, nested',
      { '/proc/self/cgroup': '0::/user.slice/job\n', '/proc/self/mountinfo': V2_MOUNT },
      2,
      ['/sys/fs/cgroup/user.slice/job', '/sys/fs/cgroup/user.slice', '/sys/fs/cgroup'],
    ],
    [
      'version 2 in a container with a namespace of its own',
      { '/proc/self/cgroup': '0::/\n', '/proc/self/mountinfo': V2_MOUNT },
      2,
      ['/sys/fs/cgroup'],
    ],
    [
      'version 2 where mountinfo is hidden',
      { '/proc/self/cgroup': '0::/job\n' },
      2,
      ['/sys/fs/cgroup/job', '/sys/fs/cgroup'],
    ],
    [
      'version 1: a path for each controller, beside version 2 that has none of them',
      {
        '/proc/self/cgroup': '5:cpuset:/\n4:cpu,cpuacct:/job\n3:memory:/elsewhere\n0::/system.slice\n',
        '/proc/self/mountinfo': V1_MOUNT,
      },
      1,
      ['/sys/fs/cgroup/cpu,cpuacct/job', '/sys/fs/cgroup/cpu,cpuacct'],
    ],
    [
      'hybrid: version 1 has some controllers, but cpu belongs to version 2',
      {
        '/proc/self/cgroup': '2:cpuset:/\n1:name=systemd:/init\n0::/job\n',
        '/proc/self/mountinfo': '41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw',
      },
      2,
      ['/sys/fs/cgroup/unified/job', '/sys/fs/cgroup/unified'],
    ],
    [
      "version 1 in a container without a namespace: the path is the host's, the mount is the container's own",
      {
        '/proc/self/cgroup': '4:cpu,cpuacct:/docker/abc\n',
        '/proc/self/mountinfo': '34 31 0:31 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu,cpuacct',
      },
      1,
      ['/sys/fs/cgroup/cpu'],
    ],
    [
      'the same, one cgroup below',
      {
        '/proc/self/cgroup': '4:cpu:/docker/abc/init\n',
        '/proc/self/mountinfo': '34 31 0:31 /docker/abc /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu',
      },
      1,
      ['/sys/fs/cgroup/cpu/init', '/sys/fs/cgroup/cpu'],
    ],
    [
      'a root that only begins like the path is another cgroup: the walk ends at the mount all the same',
      {
        '/proc/self/cgroup': '4:cpu:/docker/abcdef\n',
        '/proc/self/mountinfo': '34 31 0:31 /docker/abc /cg rw - cgroup cgroup rw,cpu',
      },
      1,
      ['/cg/docker/abcdef', '/cg/docker', '/cg'],
    ],
    [
      'mountinfo without a mount of the hierarchy',
      { '/proc/self/cgroup': '4:cpu:/job\n', '/proc/self/mountinfo': 'garbage\n1 2 - cgroup\n' },
      1,
      ['/sys/fs/cgroup/cpu/job', '/sys/fs/cgroup/cpu'],
    ],
  ])('%s', (_, files, version, directories) => {
    expect(cpuCgroup(reader(files))).toEqual({ version, directories })
  })

  test.each<[name: string, files: Files]>([
    ['no such files, as on other platforms', {}],
    ['garbage', { '/proc/self/cgroup': 'cpu\n::\n4:cpu\n' }],
    ['no hierarchy with the controller', { '/proc/self/cgroup': '3:memory:/\n1:name=systemd:/\n' }],
    ['outside what is mounted', { '/proc/self/cgroup': '0::/../other\n', '/proc/self/mountinfo': V2_MOUNT }],
  ])('is not known: %s', (_, files) => {
    expect(cpuCgroup(reader(files))).toBeNull()
  })
})

const V2 = { version: 2, directories: ['/c/a/b', '/c/a', '/c'] } as const
const V1 = { version: 1, directories: ['/c/a', '/c'] } as const

describe('the quota', () => {
  test.each<[name: string, cgroup: typeof V1 | typeof V2, files: Files, cores: number | null]>([
    ['half a core', V2, { '/c/a/b/cpu.max': '50000 100000\n' }, 0.5],
    ['of a cgroup around it', V2, { '/c/a/b/cpu.max': 'max 100000\n', '/c/a/cpu.max': '150000 100000\n' }, 1.5],
    [
      'the parent has the smaller one',
      V2,
      { '/c/a/b/cpu.max': '400000 100000\n', '/c/a/cpu.max': '20000 10000\n', '/c/cpu.max': '300000 100000\n' },
      2,
    ],
    [
      'the child has the smaller one',
      V2,
      { '/c/a/b/cpu.max': '1000 50000\n', '/c/a/cpu.max': '200000 100000\n' },
      0.02,
    ],
    ['none', V2, { '/c/a/b/cpu.max': 'max 100000\n', '/c/a/cpu.max': 'max 100000\n' }, null],
    ['no files', V2, {}, null],
    ['garbage is none', V2, { '/c/a/b/cpu.max': 'half a core\n', '/c/a/cpu.max': '50000\n', '/c/cpu.max': '' }, null],
    ['a period of 0 is none', V2, { '/c/a/b/cpu.max': '50000 0\n' }, null],
    ['a quota of 0 is none: a process that stands still reads nothing', V2, { '/c/cpu.max': '0 100000\n' }, null],
    [
      'files of the other version do not count',
      V2,
      { '/c/cpu.cfs_quota_us': '1\n', '/c/cpu.cfs_period_us': '2\n' },
      null,
    ],
    ['version 1', V1, { '/c/a/cpu.cfs_quota_us': '25000\n', '/c/a/cpu.cfs_period_us': '100000\n' }, 0.25],
    [
      'version 1, the parent has the smaller one',
      V1,
      {
        '/c/a/cpu.cfs_quota_us': '300000\n',
        '/c/a/cpu.cfs_period_us': '100000\n',
        '/c/cpu.cfs_quota_us': '100000\n',
        '/c/cpu.cfs_period_us': '50000\n',
      },
      2,
    ],
    ['version 1, none', V1, { '/c/a/cpu.cfs_quota_us': '-1\n', '/c/a/cpu.cfs_period_us': '100000\n' }, null],
    ['version 1, half of it missing', V1, { '/c/a/cpu.cfs_quota_us': '25000\n' }, null],
    ['version 1, garbage', V1, { '/c/a/cpu.cfs_quota_us': '1e3\n', '/c/a/cpu.cfs_period_us': '100000\n' }, null],
  ])('%s', (_, cgroup, files, cores) => {
    expect(cpuQuota(cgroup, reader(files))).toBe(cores)
  })
})

describe('throttling', () => {
  const v2 = (periods: number, us: number) =>
    `usage_usec 900\nuser_usec 800\nsystem_usec 100\nnr_periods 70\nnr_throttled ${periods}\nthrottled_usec ${us}\nnr_bursts 0\n`
  const v1 = (periods: number, ns: number) => `nr_periods 70\nnr_throttled ${periods}\nthrottled_time ${ns}\n`

  test.each<[name: string, cgroup: typeof V1 | typeof V2, files: Files, wanted: object | null]>([
    ['version 2 counts us', V2, { '/c/a/b/cpu.stat': v2(7, 123_456) }, { periods: 7, ms: 123.456 }],
    ['version 1 counts ns', V1, { '/c/a/cpu.stat': v1(7, 123_456_789) }, { periods: 7, ms: 123.456789 }],
    [
      'that of the cgroups around it adds',
      V2,
      { '/c/a/b/cpu.stat': v2(1, 1000), '/c/a/cpu.stat': v2(2, 5000), '/c/cpu.stat': 'usage_usec 1000\n' },
      { periods: 3, ms: 6 },
    ],
    ['none so far', V1, { '/c/a/cpu.stat': v1(0, 0) }, { periods: 0, ms: 0 }],
    ['a cgroup without the controller does not tell', V2, { '/c/a/b/cpu.stat': 'usage_usec 900\n' }, null],
    ['nor does one that tells half', V2, { '/c/a/b/cpu.stat': 'nr_throttled 3\n' }, null],
    ['garbage', V1, { '/c/a/cpu.stat': 'nr_throttled many\nthrottled_time -5\n' }, null],
    ['no files', V2, {}, null],
  ])('%s', (_, cgroup, files, wanted) => {
    expect(cpuThrottling(cgroup, reader(files))).toEqual(wanted)
  })
})
