import { expect, test } from 'vitest'
import type { Segment } from '../../src/worker/messages.ts'
import { hostNow } from '../../src/worker/clock.ts'
import { GcWatch } from '../../src/worker/gc-watch.ts'
import { LoadProcess } from '../../src/worker/load-process.ts'
import { LoopLateness } from '../../src/worker/loop-lateness.ts'
import type { Metronome } from '../../src/worker/metronome.ts'
import { planOf } from '../pool/plan.ts'

const idle: Metronome = {
  start: () => undefined,
  served: () => undefined,
  stop: () => undefined,
  sendCanaries: () => undefined,
  close: () => Promise.resolve(),
}
const step = { kind: 'open', rate: 10, durationMs: 1000, requests: 10 } as const
const segment: Segment = { number: 1, steps: [{ index: 0, step, atMs: 0, firstPrompt: 0 }], settleMs: 0 }

test('a step begins with its schedule at hand: computing it would stop the loop that offers it', async () => {
  const instruments = { now: hostNow, lateness: new LoopLateness(hostNow), gc: new GcWatch() }
  const setup = { worker: 0, workers: 1, plan: planOf({ steps: [step] }) }
  const load = new LoadProcess(setup, idle, instruments, () => undefined)
  await expect(load.run(segment, hostNow())).rejects.toThrow('step 0 was not prepared')
  await load.close()
})
