import type { Row } from '../../bench/bias/row.ts'

/** A row with the given figures; null elsewhere. */
export function row(given: Partial<Row> & Pick<Row, 'client'>): Row {
  return {
    load: 'rho 0.9',
    level: null,
    offered: 1000,
    achieved: 1000,
    onTime: null,
    addedMean: null,
    addedP99: null,
    rho: null,
    modelled: null,
    observed: null,
    cpuUs: null,
    verdict: 'valid',
    ...given,
  }
}
