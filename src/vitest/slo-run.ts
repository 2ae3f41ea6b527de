import { cpus, totalmem } from 'node:os'
import { figuresOf } from '../analysis/figures.ts'
import { machineWarnings } from '../analysis/machine.ts'
import { wholeFinding } from '../analysis/whole.ts'
import { InconclusiveError, InvalidMeasurementError, LoadError } from '../model/errors.ts'
import type { RunFigures } from '../model/figures.ts'
import type { Profile } from '../model/profile.ts'
import type { Host, Report } from '../model/report.ts'
import type { AssertionRecord } from '../model/verdict.ts'
import { prepareFolder, reportPath } from '../report/json.ts'
import { reportOf } from '../report/report.ts'
import { fingerprintOf, readCalibration } from '../pool/calibration-cache.ts'
import { readMachine } from '../pool/machine.ts'
import { readCapacity } from '../spec/capacity.ts'
import { type CheckedSpec, checkSpec } from '../spec/check.ts'
import type { SloMeta } from './meta.ts'
import { type OfferedLoad, offerLoad } from './offer-load.ts'
import { versions } from './versions.ts'

/** Where a spec stands, and what its project says. */
export interface SpecContext {
  /** The project's root. */
  readonly root: string
  /** Path relative to the project's root, with forward slashes. */
  readonly spec: string
  readonly outputDir: string
  /** The project's options, as defaults. */
  readonly defaults: unknown
}

/** One `slo` from its options to its report: what its hooks and tests share. */
export class SloRun {
  readonly name: string
  readonly #options: unknown
  /** Frames of the `slo(` call. */
  readonly #frames: string
  #context: SpecContext | null = null
  #checked: CheckedSpec | null = null
  #offered: OfferedLoad | null = null
  #figures: RunFigures | null = null
  /** In order, by id of their test. */
  readonly #assertions = new Map<string, AssertionRecord[]>()

  constructor(name: string, options: unknown, frames: string) {
    this.name = name
    this.#options = options
    this.#frames = frames
  }

  /**
   * Checks the options.
   *
   * @param find gives where the spec stands
   * @throws SpecError that lists all problems, at the line of the `slo`; what `find` throws, there too
   */
  check(find: () => SpecContext): void {
    try {
      const context = find()
      this.#context = context
      const { cores } = readMachine()
      this.#checked = checkSpec(this.#options, {
        name: this.name,
        spec: context.spec,
        defaults: context.defaults,
        cores,
        calibration: readCalibration(context.root, fingerprintOf(cores, versions())),
        capacity: readCapacity(),
      })
      // Before the load: a report that cannot be written is known now, and not when the measurement is over.
      prepareFolder(reportPath(context.outputDir, context.spec, this.name))
    } catch (error) {
      throw placedAt(this.#frames, error)
    }
  }

  /**
   * Offers the load and analyses it.
   *
   * @param onMeta hears how far it is
   * @throws SpecError, LoadError as `offerLoad`; InvalidMeasurementError when a load process died or an invariant broke
   */
  async load(cancel: AbortSignal, onMeta: (meta: SloMeta) => void): Promise<void> {
    if (this.#checked === null) throw new Error('the options were not checked before the load')
    try {
      this.#offered = await offerLoad(this.#checked, cancel, onMeta)
    } catch (error) {
      throw placedAt(this.#frames, error)
    }
    this.#figures = figuresOf(this.#offered.profile)
    if (this.#offered.profile.breaches.length > 0) throw placedAt(this.#frames, this.#whole(this.#offered.profile))
  }

  /**
   * The figures a test receives.
   *
   * @throws LoadError when no load was offered
   */
  figures(): RunFigures {
    if (this.#figures === null) throw new LoadError(`no load was offered for "${this.name}": there are no figures`)
    return this.#figures
  }

  /**
   * Keeps an assertion's verdict, once: asked again about the same measurement (`expect.poll`) it has nothing new.
   *
   * @param testId id of its test: several may have one name
   */
  record(testId: string, assertion: AssertionRecord): void {
    const known = this.#assertions.get(testId) ?? []
    this.#assertions.set(testId, known)
    const { figure, expected, message } = assertion
    if (known.some((one) => one.figure === figure && one.expected === expected && one.message === message)) return
    known.push(assertion)
  }

  assertionsOf(testId: string): readonly AssertionRecord[] {
    return this.#assertions.get(testId) ?? []
  }

  /**
   * The report so far; null when no load was offered.
   *
   * @param failures tests that failed by other means than a matcher of figures, a sentence each
   */
  report(failures: readonly string[] = []): Report | null {
    if (this.#offered === null) return null
    return reportOf({
      failures,
      ...this.#offered,
      assertions: [...this.#assertions.values()].flat(),
      notes: machineWarnings(readMachine()),
      host: host(),
      versions: versions(),
    })
  }

  /** Path of the report's file; null before the options were checked. */
  get file(): string | null {
    return this.#context === null ? null : reportPath(this.#context.outputDir, this.#context.spec, this.name)
  }

  /** What the run as a whole says whatever its tests asserted, to be thrown after them; null when there is nothing. */
  wholeVerdict(): Error | null {
    // A breach was thrown when the load had ended.
    if (this.#offered === null || this.#offered.profile.breaches.length > 0) return null
    const whole = this.#whole(this.#offered.profile)
    return whole === null ? null : placedAt(this.#frames, whole)
  }

  #whole(profile: Profile): Error | null {
    const finding = wholeFinding(profile)
    if (finding === null) return null
    const Kind = finding.verdict === 'invalid' ? InvalidMeasurementError : InconclusiveError
    return new Kind(`the run of "${this.name}" is ${finding.verdict}: ${finding.reasons[0]}`)
  }
}

/** The error with the frames of the author's `slo(` call: its own would only show the inside of this package. */
export function placedAt(frames: string, error: unknown): Error {
  const placed = error instanceof Error ? error : new LoadError(`the load failed: ${String(error)}`)
  placed.stack = `${placed.name}: ${placed.message}\n${frames}`
  return placed
}

function host(): Host {
  const all = cpus()
  return {
    platform: process.platform,
    arch: process.arch,
    cpu: all[0]?.model.trim() ?? 'unknown',
    cores: all.length,
    memoryGiB: Math.round((totalmem() / 2 ** 30) * 10) / 10,
  }
}
