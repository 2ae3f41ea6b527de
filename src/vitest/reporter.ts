import { relative } from 'node:path'
import { appendFile } from 'node:fs/promises'
import type { Reporter, TestModule, TestSuite, Vitest } from 'vitest/node'
import type { Report } from '../model/report.ts'
import { colorOf } from '../report/color.ts'
import { progressLine } from '../report/progress.ts'
import { stepSummary } from '../report/summary.ts'
import { renderReports } from '../report/terminal.ts'
import type { SloMeta } from './meta.ts'

/** Grain at which progress is looked for, ms. */
const LOOK_MS = 100
const NARROWEST = 40
const WIDEST = 120

/**
 * Prints what a load does while it runs, and the tables after Vitest's own summary. Works beside any other reporter;
 * everything goes through Vitest's logger, so that its own live window is never garbled.
 */
export class SloReporter implements Reporter {
  #vitest: Vitest | null = null
  #timer: NodeJS.Timeout | null = null
  /** Suites of a running module, and how much of each has been printed. */
  readonly #printed = new Map<TestSuite, { plan: boolean; steps: number }>()
  #modules = new Set<TestModule>()
  #live = ''
  readonly #notRun = new Set<string>()

  onInit(vitest: Vitest): void {
    this.#vitest = vitest
  }

  /** A project has specs that this command does not run. */
  notRun(project: string): void {
    this.#notRun.add(project)
  }

  onTestRunStart(): void {
    this.#modules.clear()
    this.#printed.clear()
    this.#hookIntoWindow()
  }

  onTestModuleStart(module: TestModule): void {
    this.#modules.add(module)
    this.#timer ??= setInterval(() => this.#look(), LOOK_MS).unref()
  }

  /** A load ends with its hook: its last step is told before the tests that judge it. */
  onHookEnd(): void {
    this.#look()
  }

  onTestModuleEnd(module: TestModule): void {
    this.#look()
    this.#modules.delete(module)
    if (this.#modules.size === 0) this.#stop()
  }

  async onTestRunEnd(modules: ReadonlyArray<TestModule>): Promise<void> {
    this.#stop()
    const finished = modules
      .flatMap((module) => [...module.children.allSuites()].map(metaOf))
      .filter((meta) => meta !== null)
    const reports = finished.flatMap(({ report, file }) =>
      report === undefined ? [] : [{ report, ...(file === undefined ? {} : { path: relative(process.cwd(), file) }) }],
    )
    if (reports.length > 0) this.#log(`\n${renderReports(reports, this.#terminal())}`)
    for (const project of this.#notRun) {
      const name = /^[\w@/.-]+$/.test(project) ? project : `'${project}'`
      this.#log(`\n${project}: not run; name it with --project ${name}`)
    }
    this.#notRun.clear()
    const specs = modules.filter(isSpec)
    if (finished.length === 0 && specs.length > 0) {
      const why = specs.every((spec) => spec.ok()) ? ': no test of an slo() was selected' : ''
      this.#log(`\nslo: no load was offered${why}`)
    }
    await this.#appendStepSummary(reports.map(({ report }) => report))
  }

  /** Prints what is new: the plan's line, finished steps, and the live line. */
  #look(): void {
    this.#live = ''
    for (const module of this.#modules) {
      for (const suite of module.children.allSuites()) {
        const meta = metaOf(suite)
        if (meta === null) continue
        const printed = this.#printed.get(suite) ?? { plan: false, steps: 0 }
        this.#printed.set(suite, printed)
        if (!printed.plan) this.#log(meta.plan)
        printed.plan = true
        if (!process.stdout.isTTY) for (const line of meta.stepLines.slice(printed.steps)) this.#log(line)
        printed.steps = meta.stepLines.length
        if (meta.progress !== undefined) this.#live = progressLine(meta.progress, this.#terminal().width - 1)
      }
    }
  }

  #stop(): void {
    if (this.#timer !== null) clearInterval(this.#timer)
    this.#timer = null
    this.#live = ''
  }

  /**
   * Puts the live line into the window that Vitest's default reporter repaints. That part of Vitest is not public:
   * where it is missing, steps are still printed when they end.
   */
  #hookIntoWindow(): void {
    const { reporters } = this.#vitest as unknown as { reporters?: { summary?: WindowSummary }[] }
    for (const { summary } of reporters ?? []) {
      if (typeof summary?.createSummary !== 'function' || hooked.has(summary)) continue
      hooked.add(summary)
      const original = summary.createSummary.bind(summary)
      summary.createSummary = () => (this.#live === '' ? original() : ['', ` ${this.#live}`, ...original()])
    }
  }

  #terminal(): { width: number; color: boolean } {
    const { isTTY, columns } = process.stdout
    return {
      width: Math.min(WIDEST, Math.max(NARROWEST, columns || 80)),
      color: colorOf({ isTTY: isTTY === true, env: process.env }),
    }
  }

  #log(text: string): void {
    this.#vitest?.logger.log(text)
  }

  async #appendStepSummary(reports: readonly Report[]): Promise<void> {
    const file = process.env['GITHUB_STEP_SUMMARY']
    if (file === undefined || file === '' || reports.length === 0) return
    try {
      await appendFile(file, `${stepSummary(reports)}\n`)
    } catch (error) {
      // The verdicts stand without it.
      this.#vitest?.logger.warn(`slo: no table in the step summary: ${error instanceof Error ? error.message : error}`)
    }
  }
}

interface WindowSummary {
  createSummary?: () => string[]
}

const hooked = new WeakSet<WindowSummary>()

function metaOf(suite: TestSuite): SloMeta | null {
  const { slo } = suite.meta()
  return slo !== undefined && 'plan' in slo ? slo : null
}

function isSpec(module: TestModule): boolean {
  return module.project.getProvidedContext()['vitest-slo'] !== undefined
}
