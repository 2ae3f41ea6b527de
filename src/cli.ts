#!/usr/bin/env node
import { parseArgs } from 'node:util'
import { SpecError } from './model/errors.ts'
import { parseDuration } from './model/units.ts'
import { fingerprintOf } from './pool/calibration-cache.ts'
import { readMachine } from './pool/machine.ts'
import { colorOf } from './report/color.ts'
import { show } from './report/show.ts'
import { startSimulator } from './simulator/launch.ts'
import { versions } from './vitest/versions.ts'

/** How long `calibrate` may be told to take, s. */
const [LEAST_SECONDS, DEFAULT_SECONDS, MOST_SECONDS] = [5, 10, 600]

const USAGE = `vitest-slo: load tests of LLM inference servers as Vitest tests

  npx vitest run --project slo            run the specs (see the README)
  npx vitest-slo show FILE...             print the tables of reports, for example .slo/chat.slo.ts/chat.json
  npx vitest-slo calibrate [options]      measure what one load process handles here, for workers: 'auto'
  npx vitest-slo simulate [options]       start the embedded server and keep it until Ctrl-C

calibrate:
  --seconds N       about how long it takes, ${LEAST_SECONDS} to ${MOST_SECONDS} (default ${DEFAULT_SECONDS})

simulate:
  --ttft DURATION   time to first token from the slot on (default 0ms)
  --itl DURATION    time between tokens (default 0ms)
  --slots N         requests that generate at once, others wait in line (default: no limit)
  --jitter X        coefficient of variation of both times, 0 to 1 (default 0)
  --seed N          seed of the jitter (default 0)
  --port N          port (default: any free one)
  --host ADDRESS    address to listen on (default 127.0.0.1)
`

/** Ends with exit code 2 and what was wrong with the command line. */
class UsageError extends Error {}

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args
  if (command === undefined || command === 'help' || args.includes('--help') || args.includes('-h')) {
    process.stdout.write(USAGE)
    return command === undefined ? 2 : 0
  }
  if (command === 'show') return showReports(rest)
  if (command === 'calibrate') return calibrateMachine(rest)
  if (command === 'simulate') return simulate(rest)
  throw new UsageError(`unknown command "${command}"; there are show, calibrate and simulate`)
}

function showReports(args: string[]): Promise<number> {
  const { positionals } = parse(() => parseArgs({ args, options: {}, allowPositionals: true }))
  return show(positionals, {
    width: process.stdout.columns || 80,
    color: colorOf({ isTTY: process.stdout.isTTY === true, env: process.env }),
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}

async function calibrateMachine(args: string[]): Promise<number> {
  const { values } = parse(() => parseArgs({ args, options: { seconds: { type: 'string' } } }))
  const seconds = number('seconds', values.seconds) ?? DEFAULT_SECONDS
  if (seconds < LEAST_SECONDS || seconds > MOST_SECONDS) {
    throw new UsageError(`--seconds ${values.seconds}: expected ${LEAST_SECONDS} to ${MOST_SECONDS}`)
  }
  // All that offers load comes with it, which the other commands need not wait for.
  const { calibrate } = await import('./report/calibrate.ts')
  return calibrate({
    seconds,
    folder: process.cwd(),
    fingerprint: fingerprintOf(readMachine().cores, versions()),
    width: process.stdout.columns || 80,
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
  })
}

async function simulate(args: string[]): Promise<number> {
  const option = { type: 'string' } as const
  const { values } = parse(() =>
    parseArgs({
      args,
      options: { ttft: option, itl: option, slots: option, jitter: option, seed: option, port: option, host: option },
    }),
  )
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort())
  const simulator = await startSimulator({
    ...given('ttftMs', duration('ttft', values.ttft)),
    ...given('itlMs', duration('itl', values.itl)),
    ...given('slots', number('slots', values.slots)),
    ...given('jitter', number('jitter', values.jitter)),
    ...given('seed', number('seed', values.seed)),
    ...given('port', number('port', values.port)),
    ...given('host', values.host),
  })
  process.stdout.write(`simulator listens on ${simulator.url} (pid ${simulator.pid}); stop it with Ctrl-C\n`)
  const close = () => void simulator.close()
  // A Ctrl-C may have come while it started.
  if (stop.signal.aborted) close()
  else stop.signal.addEventListener('abort', close)
  const { code } = await simulator.exited
  return stop.signal.aborted ? 0 : (code ?? 1)
}

function given<K extends string, V>(name: K, value: V | undefined): Partial<Record<K, V>> {
  return value === undefined ? {} : ({ [name]: value } as Record<K, V>)
}

/** A bare number counts as milliseconds. */
function duration(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = parseDuration(text) ?? (text.trim() === '' ? undefined : parseDuration(Number(text)))
  if (ms === undefined) throw new UsageError(`--${name} ${text}: expected a duration such as 20ms or 1.5s`)
  return ms
}

/** Any number: the simulator's own check says which are accepted. */
function number(name: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) throw new UsageError(`--${name} ${text}: expected a number`)
  return value
}

function parse<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error))
  }
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const usage = error instanceof UsageError || error instanceof SpecError
  process.stderr.write(`vitest-slo: ${error instanceof Error ? error.message : String(error)}\n`)
  if (error instanceof UsageError) process.stderr.write(`\n${USAGE}`)
  process.exitCode = usage ? 2 : 1
}
