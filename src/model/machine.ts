/** What this machine gives the processes of a run: Vitest, load processes and embedded server together. */
export interface Machine {
  /** CPUs that a process may run on: online, and within its affinity. */
  readonly cpus: number
  /**
   * CPU time that the process's cgroup and those around it may use, in cores: the smallest of their quotas, for
   * example 0.5. Shared with everything else in that cgroup. Null where there is none, or none that can be seen.
   */
  readonly quota: number | null
  /** Cores that can be used at most: the smaller of `cpus` and `quota`. Above 0, may be a fraction. */
  readonly cores: number
}

/**
 * What the machine took from the processes of a run between two instants. A figure is null where the platform does not
 * tell it, or where its counters do not belong together.
 */
export interface MachineUse {
  /**
   * Time for which the CPU quota stopped the cgroup, ms, added over its CPUs: it may exceed the time that has passed.
   * It counts for all processes of the cgroup together, whichever of them used the quota up.
   */
  readonly throttledMs: number | null
  /** Quota periods (100 ms unless set) in which that happened. */
  readonly throttledPeriods: number | null
  /**
   * Time for which the hypervisor let others run while this host had work, ms, added over all CPUs of the host: not
   * of this process alone, and 0 where the hypervisor does not say.
   */
  readonly stealMs: number | null
}
