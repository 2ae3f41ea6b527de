/**
 * What one load process costs its event loop, ms of loop time for one event. A load of r requests per second with N
 * streamed tokens each keeps one loop busy for the share r x (requestMs + N x tokenMs) / 1000.
 */
export interface LoadCost {
  /** One request whose reply of one token comes in one piece: sending, reading and recording it. */
  readonly requestMs: number
  /** One more token that comes by itself. Tokens that come together cost less. */
  readonly tokenMs: number
}

/** What one load process of a machine costs, measured against a null server on the same machine. */
export interface Calibration extends LoadCost {
  /**
   * Figures that are an upper bound of the cost only, since no sound step kept the loop about half busy (the null
   * server limits, or the machine is busy otherwise): it handles at least what they mean, maybe more.
   */
  readonly limited: readonly (keyof LoadCost)[]
  /** Time of day, ISO 8601. */
  readonly measuredAt: string
  readonly fingerprint: Fingerprint
}

/** What a calibration holds for. Another machine or version has other costs. */
export interface Fingerprint {
  readonly platform: string
  readonly arch: string
  /** Model of the CPU, as the system names it. */
  readonly cpu: string
  /** Cores that this process may use; may be a fraction. */
  readonly cores: number
  readonly node: string
  readonly 'vitest-slo': string
  readonly undici: string
}

/** What is known of this machine: its calibration, only one of another machine or version (`'foreign'`), or none. */
export type KnownCalibration = Calibration | 'foreign' | null

/** Rates per second that keep the loop of one load process busy for the share `rho`, each as if nothing else came. */
export function ratesAt(rho: number, { requestMs, tokenMs }: LoadCost): { requests: number; tokens: number } {
  return { requests: (1000 * rho) / requestMs, tokens: (1000 * rho) / tokenMs }
}
