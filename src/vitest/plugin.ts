import { fileURLToPath } from 'node:url'
import { relative } from 'node:path'
import { defaultExclude, type Plugin, type TestProjectInlineConfiguration } from 'vitest/config'
import type { TestProject, Vitest } from 'vitest/node'
import { checkProject } from '../spec/project.ts'
import type { ProjectOptions } from '../spec/options.ts'
import { namesSpec } from './named.ts'
import { SloReporter } from './reporter.ts'

/** Longest time of a body's `beforeAll` hook, ms: a model server takes its time to start. */
const HOOK_TIMEOUT_MS = 60_000

/**
 * A Vitest project of specs, for `test.projects`: `projects: [unit, sloProject({ ... })]`.
 *
 * @param options defaults for all specs, and `name`, `include`, `exclude`, `run`, `outputDir`
 * @throws SpecError that lists all problems of the options
 */
export function sloProject(options: ProjectOptions = {}): TestProjectInlineConfiguration {
  return { plugins: [slo(options)], test: { name: checkProject(options).name } }
}

/**
 * The same as a Vite plugin, for a project of one's own: `{ plugins: [slo()], test: { name: 'slo' } }`.
 *
 * @throws SpecError that lists all problems of the options
 */
export function slo(options: ProjectOptions = {}): Plugin {
  const checked = checkProject(options)
  return {
    name: 'vitest-slo',
    // Sees the merged configuration: arrays of the user's root, such as `include`, have been added to ours by then.
    config(config) {
      config.test = {
        ...config.test,
        include: [...checked.include],
        exclude: [...(checked.exclude ?? defaultExclude)],
        includeSource: [],
        typecheck: { enabled: false },
        setupFiles: [],
        runner: here('../runner'),
        pool: 'forks',
        environment: 'node',
        isolate: true,
        fileParallelism: false,
        // The same measurement judged again would be a retry in name only.
        retry: 0,
        hookTimeout: Math.max(HOOK_TIMEOUT_MS, config.test?.hookTimeout ?? 0),
        sequence: { ...config.test?.sequence, concurrent: false, hooks: 'stack' },
      }
    },
    configureVitest({ vitest, project }) {
      forceOneAtATime(project)
      project.provide('vitest-slo', {
        root: project.config.root,
        outputDir: checked.outputDir,
        defaults: checked.defaults,
      })
      const reporter = reporterOf(vitest)
      if (checked.run === 'named') onlyWhenNamed(vitest, project, reporter)
    },
  }
}

/** The command line wins over a project's configuration: `--maxWorkers=4` would run two loads at once. */
function forceOneAtATime(project: TestProject): void {
  const { config } = project
  config.maxWorkers = 1
  config.isolate = true
  config.retry = 0
  config.sequence.concurrent = false
  config.sequence.hooks = 'stack'
}

const reporters = new WeakMap<Vitest, SloReporter>()

/**
 * One reporter a Vitest, whatever the user's own are, and however many projects of specs there are. A restart in watch
 * mode makes the list of reporters anew.
 */
function reporterOf(vitest: Vitest): SloReporter {
  const reporter = reporters.get(vitest) ?? new SloReporter()
  reporters.set(vitest, reporter)
  const listed = vitest.config.reporters as unknown[]
  if (!listed.includes(reporter)) listed.push(reporter)
  return reporter
}

/**
 * Keeps load from being offered by a plain `vitest` or by saving a file: the project has no files unless it, or one
 * of its specs, is named.
 */
function onlyWhenNamed(vitest: Vitest, project: TestProject, reporter: SloReporter): void {
  const patterns = [vitest.config.project ?? []].flat()
  if (patterns.some((pattern) => matchesName(pattern, project.name))) return
  const glob = project.globTestFiles.bind(project)
  let named: readonly string[] = []
  project.globTestFiles = async (filters = []) => {
    const found = await glob(filters)
    const { root } = project.config
    named = found.testFiles.filter((file) => filters.some((filter) => namesSpec(filter, relative(root, file))))
    if (named.length < found.testFiles.length) reporter.notRun(project.name)
    return { ...found, testFiles: [...named] }
  }
  // Vitest remembers all files that it found, and would run one of them when it is saved.
  vitest.onFilterWatchedSpecification((specification) => {
    if (specification.project !== project || named.includes(specification.moduleId)) return true
    reporter.notRun(project.name)
    return false
  })
}

/** Whether a `--project` pattern (with `*`, never a negated one) names the project. */
function matchesName(pattern: string, name: string): boolean {
  if (pattern.startsWith('!')) return false
  const source = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${source.join('.*')}$`, 'i').test(name)
}

/** Absolute path of a module of this package, as it stands: `.ts` in the repository, `.js` in the tarball. */
function here(path: string): string {
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
  return fileURLToPath(new URL(`${path}.${extension}`, import.meta.url))
}
