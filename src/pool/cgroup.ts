/** Reads a file as text; null when it is not there or may not be read. */
export type ReadText = (path: string) => string | null

/** The cgroup that bounds this process's CPU time. */
export interface CpuCgroup {
  readonly version: 1 | 2
  /** Directories of the own cgroup and then of those around it, as far as they can be seen from here. */
  readonly directories: readonly string[]
}

/** Where the hierarchy is when `mountinfo` does not say. */
const USUAL_MOUNT = { 1: '/sys/fs/cgroup/cpu', 2: '/sys/fs/cgroup' } as const

/**
 * The cgroup of this process whose controller is `cpu`; null without one (other platforms), or when it lies outside
 * what is mounted here.
 *
 * Its path is that of `/proc/self/cgroup` less the root of the mount: in a container without a cgroup namespace the
 * path is the host's, and what is mounted is the container's own cgroup.
 *
 * @see https://docs.kernel.org/admin-guide/cgroup-v2.html, man 7 cgroups, man 5 proc_pid_mountinfo
 */
export function cpuCgroup(read: ReadText): CpuCgroup | null {
  const lines = (read('/proc/self/cgroup') ?? '').split('\n').map((line) => /^\d+:([^:]*):(\/.*)$/.exec(line))
  // On hybrid hosts both versions are there, and each controller belongs to one of them.
  const first = lines.find((line) => line?.[1]!.split(',').includes('cpu'))
  const own = first ?? lines.find((line) => line?.[1] === '')
  if (!own) return null
  const version = own === first ? 1 : 2
  const { root, point } = mountOf(version, read('/proc/self/mountinfo') ?? '')
  const path = own[2]!
  const names = (isWithin(path, root) ? path.slice(root.length) : path).split('/').filter((name) => name !== '')
  if (names.includes('..')) return null
  const directories = Array.from({ length: names.length + 1 }, (_, up) =>
    [point, ...names.slice(0, names.length - up)].join('/'),
  )
  return { version, directories }
}

/** Mount of the hierarchy: a line is `31 23 0:28 <root> <point> <options> - <type> <source> <super options>`. */
function mountOf(version: 1 | 2, mountinfo: string): { readonly root: string; readonly point: string } {
  for (const line of mountinfo.split('\n')) {
    const [mount, type] = line.split(' - ').map((part) => part.split(' '))
    const ours = version === 2 ? type?.[0] === 'cgroup2' : type?.[0] === 'cgroup' && type[2]?.split(',').includes('cpu')
    if (ours && mount?.[3] !== undefined && mount[4] !== undefined) return { root: mount[3], point: mount[4] }
  }
  return { root: '/', point: USUAL_MOUNT[version] }
}

function isWithin(path: string, root: string): boolean {
  return path === root || path.startsWith(root === '/' ? root : `${root}/`)
}

/** The smallest CPU quota of a cgroup and those around it, in cores; null without a quota. */
export function cpuQuota({ version, directories }: CpuCgroup, read: ReadText): number | null {
  const quotas = directories.flatMap((directory) => {
    const [quota, period] =
      version === 2
        ? (read(`${directory}/cpu.max`) ?? '').trim().split(' ')
        : [read(`${directory}/cpu.cfs_quota_us`)?.trim(), read(`${directory}/cpu.cfs_period_us`)?.trim()]
    // No quota is `max` in version 2 and -1 in version 1.
    const cores = countOf(quota) / countOf(period)
    return cores > 0 && Number.isFinite(cores) ? [cores] : []
  })
  return quotas.length === 0 ? null : Math.min(...quotas)
}

/** How often and for how long a cgroup has been throttled since it was made. */
export interface Throttling {
  readonly periods: number
  readonly ms: number
}

/**
 * Throttling of a cgroup and of those around it, added: a cgroup stands still when any of them has no quota left, and
 * each counts only its own. Null when none of them tells.
 */
export function cpuThrottling({ version, directories }: CpuCgroup, read: ReadText): Throttling | null {
  const [key, perMs] = version === 2 ? ['throttled_usec', 1e3] : ['throttled_time', 1e6]
  const levels = directories.flatMap((directory) => {
    const stat = read(`${directory}/cpu.stat`) ?? ''
    const value = (name: string): number => countOf(new RegExp(`^${name} (.*)$`, 'm').exec(stat)?.[1])
    const level = { periods: value('nr_throttled'), ms: value(key!) / perMs! }
    return Number.isNaN(level.periods + level.ms) ? [] : [level]
  })
  if (levels.length === 0) return null
  return levels.reduce((sum, level) => ({ periods: sum.periods + level.periods, ms: sum.ms + level.ms }))
}

/** A whole number from 0; NaN for anything else. */
export function countOf(text: string | undefined): number {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : Number.NaN
}
