import { expect, test } from 'vitest'
import { SpecError } from '../../src/model/errors.ts'
import { SIMULATOR_DEFAULTS, simulatorOptions } from '../../src/simulator/options.ts'
import type { SimulatorOptions } from '../../src/simulator/options.ts'

test('what is not given has its default', () => {
  expect(simulatorOptions({})).toEqual(SIMULATOR_DEFAULTS)
  expect(simulatorOptions({ ttftMs: 20.5, slots: 3 })).toEqual({ ...SIMULATOR_DEFAULTS, ttftMs: 20.5, slots: 3 })
})

test('infinitely many slots are no limit', () => {
  expect(simulatorOptions({ slots: Infinity }).slots).toBeNull()
})

test('all problems are listed at once', () => {
  const wrong = { ttftMs: -1, itlMs: NaN, slots: 0, jitter: 2, seed: 0.5, host: '', port: 70_000, speed: 1 }
  let message = ''
  try {
    simulatorOptions(wrong as Partial<SimulatorOptions>)
  } catch (error) {
    expect(error).toBeInstanceOf(SpecError)
    message = (error as SpecError).message
  }
  expect(message).toMatchInlineSnapshot(`
    "The simulator has 8 problems:
      - ttftMs: is -1, expected a number of milliseconds from 0 to 86,400,000
      - itlMs: is null, expected a number of milliseconds from 0 to 86,400,000
      - slots: is 0, expected a whole number from 1, or null for no limit
      - jitter: is 2, expected a number from 0 to 1
      - seed: is 0.5, expected a whole number from 0 to 4,294,967,295
      - host: is "", expected a host name or address
      - port: is 70000, expected a whole number from 0 to 65,535
      - speed: is no option; there are ttftMs, itlMs, slots, jitter, seed, host, port, model, ledger"
  `)
})
