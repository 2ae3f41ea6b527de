import { readOrNull } from '../pool/machine.ts'
import { MOST_IN_FLIGHT } from './schema.ts'

/** What this host gives a process to connect with. */
export interface HostCapacity {
  /** Descriptors that one process may have open (the soft limit); null where it is not known. */
  readonly descriptors: number | null
  /** Local ports for outgoing connections to one address; null where it is not known. */
  readonly ports: number | null
}

/** Descriptors of a process that are not for connections: its files, pipes and libraries (chosen). */
const RESERVED_DESCRIPTORS = 128

/** Share of the ports that is left to others, and to connections that the kernel still keeps closed (chosen). */
const RESERVED_PORTS = 0.1

/** Most requests in flight where a limit is not known: half of the fewest ports that a system has (16,384). */
const UNKNOWN = 8000

/**
 * Most requests in flight over all load processes that this host can hold, each over a connection of its own:
 * min(p (d - 128), 0.9 n, 1,000,000), at least one a load process.
 *
 * p: processes that hold the connections, which is one for the embedded server, since it has all other ends;
 * d: descriptors of one process; n: ports. A term that is not known counts as 8,000.
 */
export function maxInFlightOf({ descriptors, ports }: HostCapacity, workers: number, embedded: boolean): number {
  const processes = embedded ? 1 : workers
  const byDescriptors = descriptors === null ? UNKNOWN : processes * (descriptors - RESERVED_DESCRIPTORS)
  const byPorts = ports === null ? UNKNOWN : Math.floor(ports * (1 - RESERVED_PORTS))
  return Math.max(workers, Math.min(byDescriptors, byPorts, MOST_IN_FLIGHT))
}

/** This host's capacity: read on Linux, not known elsewhere. */
export function readCapacity(): HostCapacity {
  if (process.platform !== 'linux') return { descriptors: null, ports: null }
  return {
    descriptors: parseLimits(readOrNull('/proc/self/limits')),
    ports: parsePortRange(readOrNull('/proc/sys/net/ipv4/ip_local_port_range')),
  }
}

/** The soft limit of open files in the text of `/proc/self/limits`; Infinity for none, null when it is not there. */
export function parseLimits(text: string | null): number | null {
  const soft = /^Max open files\s+(\d+|unlimited)/m.exec(text ?? '')?.[1]
  if (soft === undefined) return null
  return soft === 'unlimited' ? Infinity : Number(soft)
}

/** Number of ports in the text of `ip_local_port_range` (first and last, both included); null when it is none. */
export function parsePortRange(text: string | null): number | null {
  const [, first, last] = /^(\d+)\s+(\d+)\s*$/.exec(text ?? '') ?? []
  return first === undefined || last === undefined ? null : Math.max(0, Number(last) - Number(first) + 1)
}
