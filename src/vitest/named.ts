/** Suffix of a spec's name that a filter must reach into, or a whole path. */
const SPEC_SUFFIX = /\.slo\.[cm]?[jt]sx?$/

/**
 * Whether a file filter of the command line names a spec, so that its load may be offered: it does when it is part of
 * the spec's own file name (`chat`, `chat.slo.ts`) or the path to it (`load/chat.slo.ts:12`). A filter that only
 * names a folder above it (`src`) does not.
 *
 * @param filter as typed, with or without `:line`
 * @param spec path of the spec, relative to the root
 */
export function namesSpec(filter: string, spec: string): boolean {
  const wanted = filter.replace(/:\d+$/, '').replaceAll('\\', '/').replace(/^\.\//, '').toLowerCase()
  if (wanted === '') return false
  const path = spec.replaceAll('\\', '/').toLowerCase()
  const file = path.slice(path.lastIndexOf('/') + 1)
  const last = wanted.slice(wanted.lastIndexOf('/') + 1)
  if (last === '') return false
  return file.replace(SPEC_SUFFIX, '').includes(last) || (file.includes(last) && last.includes('.slo'))
}
