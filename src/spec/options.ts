/**
 * What an author may write: the options of `slo()` and `sloProject()`. Nothing here is checked until the suite
 * starts; then all problems are told at once. An option set to `undefined` counts as not given.
 */
import type { ObjectiveMetric } from '../model/metric.ts'
import type { ArrivalKind, HttpMethod } from '../model/plan.ts'
import type { Duration, PercentText, Rate } from '../model/units.ts'

/** Options of one `slo()`. What is left out comes from `sloProject()`, then from the defaults named here. */
export interface SloOptions extends SharedOptions {
  /** The server: an address, `simulator({...})`, or a function that gives one of them when the load starts. */
  readonly target?: TargetOptions | SimulatorTarget | TargetFunction | undefined
  /** A list of steps, or `sweep({...})`. Steps run one after the other; the load drains between them. */
  readonly load: readonly StepOptions[] | SweepLoad
}

/** Options of `sloProject()`: defaults for every spec of the project, and where the specs are. */
export interface ProjectOptions extends SharedOptions {
  /** The server of every spec that names none. A function cannot be given here: it does not reach the specs' process. */
  readonly target?: TargetOptions | SimulatorTarget | undefined
  /**
   * Name of the Vitest project, for `--project`.
   * @defaultValue `'slo'`
   */
  readonly name?: string | undefined
  /**
   * Globs of the specs.
   * @defaultValue every file that ends in `.slo.` and `ts`, `js`, `mts`, `mjs`, `cts` or `cjs`
   */
  readonly include?: readonly string[] | undefined
  /**
   * Globs of files that are no specs.
   * @defaultValue Vitest's own
   */
  readonly exclude?: readonly string[] | undefined
  /**
   * When load is offered: `'named'` only if `--project` or a file filter names the specs, so that a plain `vitest`
   * never fires at a server; `'always'` for editors' run buttons.
   * @defaultValue `'named'`
   */
  readonly run?: 'named' | 'always' | undefined
  /**
   * Folder of the reports, relative to the project root.
   * @defaultValue `'.slo'`
   */
  readonly outputDir?: string | undefined
}

/** Options that a spec and its project share; the spec's win, each as a whole. */
interface SharedOptions {
  /** Limits on one request, from its scheduled instant: what goodput counts. Numbers are milliseconds. */
  readonly objectives?: ObjectiveOptions | undefined
  /**
   * Goodput ratio that the usable rate must reach: above 0, at most 1.
   * @defaultValue `0.99`
   */
  readonly attainment?: number | PercentText | undefined
  /**
   * How arrivals of an open loop are spaced. `'poisson'`: independent users; each step has exactly rate x duration
   * of them. `'constant'`: equal gaps.
   * @defaultValue `'poisson'`
   */
  readonly arrivals?: ArrivalKind | undefined
  /**
   * Integer from 0 to 4294967295. One seed, one schedule and one set of prompts, for any number of workers.
   * @defaultValue made of the spec's path and name, and printed
   */
  readonly seed?: number | undefined
  /**
   * What is asked.
   * @defaultValue `synthetic({ inputTokens: 128, outputTokens: 64 })`
   */
  readonly prompts?: SyntheticSource | undefined
  /**
   * Number of load processes, 1 to 256. `'auto'` makes as many as keep their event loops about half busy or less, by
   * what `npx vitest-slo calibrate` has measured on this machine (cautious figures where it has not), and never more
   * than the cores less one; a closed loop, whose rate nobody knows before, gets that many.
   * @defaultValue `'auto'`
   */
  readonly workers?: 'auto' | number | undefined
  /**
   * Load at the first step's rate before the measured part, never counted; 0 for none.
   * @defaultValue `'2s'`
   */
  readonly warmup?: Duration | undefined
  /**
   * Longest wait for replies after each step. What is then in flight is aborted and counts in its own step.
   * 0 runs the steps back to back.
   * @defaultValue `'30s'`
   */
  readonly settle?: Duration | undefined
  /** Bounds on one request: one for the whole of it, or one a phase. A breach counts as an error. */
  readonly timeout?: Duration | TimeoutOptions | undefined
  /**
   * Most requests in flight over all load processes; an arrival beyond it is not sent and counts as an error.
   * @defaultValue what descriptors and ports of this machine allow
   */
  readonly maxInFlight?: number | undefined
  /** Limits of the client's own health; beyond them a step is void. */
  readonly limits?: LimitOptions | undefined
}

/** Limits on one request: numbers are milliseconds. One that does not apply to a reply counts as met. */
type ObjectiveOptions = { readonly [M in ObjectiveMetric]?: Duration | undefined }

/** Where the requests go. */
export interface TargetOptions {
  /**
   * Wire format; `'http'` for any plain HTTP endpoint, whose replies have E2E only.
   * @defaultValue `'openai-chat'`
   */
  readonly api?:
    | 'openai-chat'
    | 'openai-completions'
    | 'openai-responses'
    | 'anthropic-messages'
    | 'gemini'
    | 'sglang-generate'
    | 'tgi-generate'
    | 'triton-generate'
    | 'llamacpp-completion'
    | 'ollama-generate'
    | 'ollama-chat'
    | 'http'
    | undefined
  /** The API's base (`http://host:8000/v1`) or its full endpoint. User info in it becomes a basic authorization. */
  readonly url: string
  /** Sent as `model`, or in the path where the API has it there; left out of the request when not given. */
  readonly model?: string | undefined
  /**
   * Sent in the header that the API takes it in: `authorization: Bearer ...`, of `'anthropic-messages'` `x-api-key`, of
   * `'gemini'` `x-goog-api-key`. Never printed or written.
   */
  readonly apiKey?: string | undefined
  /** More headers. Their values are never printed or written. */
  readonly headers?: Readonly<Record<string, string | undefined>> | undefined
  /**
   * Fields laid over the request's JSON body, for example `{ temperature: 0 }`; an object in them is laid over the
   * object of that name. Of api `'http'` the whole JSON body.
   */
  readonly body?: Readonly<Record<string, unknown>> | undefined
  /**
   * Whether replies are streamed. Replies that are not have E2E and NTPOT only.
   * @defaultValue `true`
   */
  readonly stream?: boolean | undefined
  /**
   * Whether the server is asked to generate all output tokens, whatever the model wants to say: equal lengths make
   * runs comparable, and the text past the model's own end is not what users get. Only for servers that know it (vLLM,
   * SGLang, llama.cpp): others of the OpenAI formats refuse it or do as they please.
   * @defaultValue `false`
   */
  readonly ignoreEos?: boolean | undefined
  /**
   * Only api `'http'`: the method of the requests.
   * @defaultValue `'GET'`, or `'POST'` with a `body`
   */
  readonly method?: HttpMethod | undefined
  /**
   * Only api `'http'`: the status that is a success, or a list of them. Redirects are not followed.
   * @defaultValue any 2xx
   */
  readonly status?: number | readonly number[] | undefined
}

/** Gives the target when the load starts, after the body's hooks; has 60 s to do so. */
type TargetFunction = () => TargetOptions | SimulatorTarget | Promise<TargetOptions | SimulatorTarget>

/** One rate (open loop) or concurrency (closed loop), held for a duration or for a number of requests. */
export type StepOptions = (OpenOptions | ClosedOptions) & (DurationOptions | RequestsOptions)

/** Open loop: arrivals never wait for replies. */
interface OpenOptions {
  /** Arrivals per second, or text such as `'600/m'`. */
  readonly rate: Rate
  readonly concurrency?: undefined
}

/** Closed loop: this many requests are kept in flight, each reply making room for the next request. */
interface ClosedOptions {
  /** Requests kept in flight, over all load processes. */
  readonly concurrency: number
  readonly rate?: undefined
}

interface DurationOptions {
  /** Time for which the step offers load. */
  readonly duration: Duration
  readonly requests?: undefined
}

interface RequestsOptions {
  /** Number of requests, after which the step ends. */
  readonly requests: number
  readonly duration?: undefined
}

/** Steps spaced from a low to a high rate, meant to pass the saturation point. */
export interface SweepOptions {
  /** Rate of the first step. */
  readonly from: Rate
  /** Rate of the last step. */
  readonly to: Rate
  /** Number of steps. */
  readonly count: number
  /** Equal differences, or equal ratios. */
  readonly spacing: 'linear' | 'geometric'
  /** Duration of each step. */
  readonly duration: Duration
}

/** What `sweep({...})` gives. */
export interface SweepLoad extends SweepOptions {
  readonly kind: 'sweep'
}

/** The embedded server's behaviour. */
export interface EmbeddedOptions {
  /**
   * Time to first token, from the instant at which the request got a slot.
   * @defaultValue `0`
   */
  readonly ttft?: Duration | undefined
  /**
   * Time between tokens; 0 sends a whole reply in one write.
   * @defaultValue `0`
   */
  readonly itl?: Duration | undefined
  /** Requests served at once, the rest waiting in line; unlimited when not given. */
  readonly slots?: number | undefined
  /** Coefficient of variation (standard deviation / mean) of both delays, 0 (none) to 1. */
  readonly jitter?: number | undefined
  /** Seed of the jitter, 0 to 4294967295. */
  readonly seed?: number | undefined
}

/** What `simulator({...})` gives. */
export interface SimulatorTarget extends EmbeddedOptions {
  readonly kind: 'simulator'
}

export interface SyntheticOptions {
  /**
   * Approximate tokens of a prompt, at least 1.
   * @defaultValue `128`
   */
  readonly inputTokens?: number | undefined
  /**
   * Tokens asked for (`max_tokens`), at least 1.
   * @defaultValue `64`
   */
  readonly outputTokens?: number | undefined
}

/** What `synthetic({...})` gives. */
export interface SyntheticSource extends SyntheticOptions {
  readonly kind: 'synthetic'
}

/** Bounds on the phases of one request. */
interface TimeoutOptions {
  /**
   * Until the connection stands.
   * @defaultValue `'5s'`
   */
  readonly connect?: Duration | undefined
  /**
   * From sent to the reply's first byte.
   * @defaultValue `'60s'`
   */
  readonly firstByte?: Duration | undefined
  /**
   * Between two reads of a reply.
   * @defaultValue `'60s'`
   */
  readonly idle?: Duration | undefined
  /**
   * The whole request; caps the phases.
   * @defaultValue `'10m'`
   */
  readonly total?: Duration | undefined
}

/** Limits of the client's own health; beyond them a step is void. Reasons: docs/metrics.md. */
interface LimitOptions {
  /**
   * Utilisation of a load process's event loop from which a second counts as busy, above 0, at most 1.
   * @defaultValue `0.85`
   */
  readonly rho?: number | PercentText | undefined
  /**
   * Share of a process's seconds that may be busy, 0 to 1.
   * @defaultValue `0.1`
   */
  readonly busySeconds?: number | PercentText | undefined
  /**
   * Longest time for which an event loop may stand still.
   * @defaultValue `'250ms'`
   */
  readonly stall?: Duration | undefined
  /**
   * Send lag up to which a request counts as sent on time.
   * @defaultValue `'5ms'`
   */
  readonly onTime?: Duration | undefined
}
