import { describe, expect, test } from 'vitest'
import { wrkTold } from '../../../bench/bias/clients/wrk.ts'

/** What wrk 4.1.0 prints. */
const PRINTED = `Running 5s test @ http://127.0.0.1:43567/v1/chat/completions
  1 threads and 32 connections
  Thread Stats   Avg      Stdev     Max   +/- Stdev
    Latency     0.95ms  401.11us  12.04ms   91.17%
    Req/Sec    33.87k     1.92k   36.61k    84.00%
  168512 requests in 5.00s, 193.66MB read
Requests/sec:  33695.91
Transfer/sec:     38.72MB
`

describe('wrkTold', () => {
  test('reads the rate, and CPU per reply; latencies of a driven server are none of it', () => {
    const told = wrkTold(PRINTED, 1685.12)
    expect(told).toMatchObject({ achieved: 33_695.91, e2e: { meanMs: null, p99Ms: null }, notes: [] })
    expect(told.cpuUs).toBeCloseTo(10)
  })

  test('notes errors', () => {
    const text = PRINTED.replace('Requests/sec', '  Socket errors: connect 0, read 3, write 0, timeout 1\nRequests/sec')
    expect(wrkTold(text, null).notes).toEqual(['wrk: Socket errors: connect 0, read 3, write 0, timeout 1'])
  })

  test('refuses text without a rate', () => {
    expect(() => wrkTold('unable to connect to 127.0.0.1:1 Connection refused', null)).toThrow('no rate')
  })
})
