import { createRequire } from 'node:module'

/** Versions of what measured, for the report. A package that hides its package.json is left out. */
export function versions(): Record<string, string> {
  const require = createRequire(import.meta.url)
  const found: Record<string, string> = { node: process.versions.node }
  for (const name of ['vitest', 'undici', 'hdr-histogram-js', 'tinypool'] as const) {
    const version = versionOf(require, `${name}/package.json`)
    if (version !== undefined) found[name] = version
  }
  const own = versionOf(require, '../../package.json')
  if (own !== undefined) found['vitest-slo'] = own
  return found
}

function versionOf(require: NodeJS.Require, path: string): string | undefined {
  try {
    return (require(path) as { version?: string }).version
  } catch (error) {
    // Node says so for packages that do not export it; anything else is a defect.
    if (error instanceof Error && 'code' in error && error.code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return undefined
    throw error
  }
}
