import { expect, test } from 'vitest'
import { createStepEngine } from '../../bench/bias/step-engine.ts'
import { createLedger } from '../../src/simulator/ledger.ts'
import { monotonicMs } from '../../src/simulator/clock.ts'

const STEP_MS = 2

test('writes a token of every reply in each step, none before it is due', async () => {
  const ledger = createLedger(10)
  const engine = createStepEngine(STEP_MS, ledger)
  const written: string[] = []
  const replies = [3, 3, 2].map((outputTokens, number) => {
    return new Promise<void>((resolve) => {
      engine.submit({
        requestId: String(number),
        arrived: monotonicMs(),
        waited: 0,
        promptTokens: 1,
        outputTokens,
        stream: true,
        send(part, parts) {
          written.push(`${number}:${part}`)
          if (part + 1 === parts) resolve()
          return true
        },
      })
    })
  })
  await Promise.all(replies)
  await engine.close()
  expect(written).toEqual(['0:0', '1:0', '2:0', '0:1', '1:1', '2:1', '0:2', '1:2'])
  const { requests } = ledger.snapshot()
  expect(requests.map(({ id, ended }) => `${id} ${ended}`)).toEqual(['2 complete', '0 complete', '1 complete'])
  const [short, long, other] = requests
  expect(long!.planned).toEqual(other!.planned)
  expect(short!.planned).toEqual(long!.planned.slice(0, 2))
  expect(long!.planned.map((due) => due - long!.planned[0]!)).toEqual([0, STEP_MS, 2 * STEP_MS])
  for (const { planned, actual } of requests) {
    for (const [part, due] of planned.entries()) expect(actual[part]).toBeGreaterThanOrEqual(due)
  }
})

test('forgets a reply whose client went away', async () => {
  const ledger = createLedger(10)
  const engine = createStepEngine(STEP_MS, ledger)
  const send = () => true
  const job = {
    requestId: null,
    arrived: monotonicMs(),
    waited: 0,
    promptTokens: 1,
    outputTokens: 3,
    stream: true,
    send,
  }
  engine.abandon(engine.submit(job))
  await engine.close()
  expect(ledger.snapshot().requests).toMatchObject([{ ended: 'disconnected', actual: [] }])
})
