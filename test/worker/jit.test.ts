import { expect, test } from 'vitest'
import { API_NAMES } from '../../src/client/formats.ts'
import { warmJit } from '../../src/worker/jit.ts'
import { planOf } from '../pool/plan.ts'

const steps = [{ kind: 'open', rate: 10, durationMs: 1000, requests: 10 }] as const

test.each(API_NAMES)('warms %s with its own requests, never at the target', async (api) => {
  const plan = planOf({ steps, url: 'http://127.0.0.1:1/' })
  expect(await warmJit({ ...plan, target: { ...plan.target, api } }, 200)).toBeGreaterThan(8)
})

test.each(['GET', 'HEAD', 'DELETE'] as const)(
  'warms plain endpoints, whatever %s and its status are',
  async (method) => {
    const plan = planOf({ steps, url: 'http://127.0.0.1:1/' })
    const target = { ...plan.target, api: 'http', method, body: null, stream: false, status: [404] }
    expect(await warmJit({ ...plan, target }, 200)).toBeGreaterThan(8)
  },
)

test('without a budget makes few requests', async () => {
  expect(await warmJit(planOf({ steps }), 0)).toBe(8)
})
