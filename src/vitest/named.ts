/** Suffix of a spec's name that a filter must reach into, or a whole path. */
const SPEC_SUFFIX = /\.slo\.[cm]?[jt]sx?$/

const ABSOLUTE = /^(?:\/|[a-z]:\/)/

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
  const path = spec.replaceAll('\\', '/').toLowerCase()
  const [folder, file] = parted(path)
  const [wantedFolder, last] = parted(wanted)
  // Another filter may have found it: this one must lead to it.
  const leads = folder.endsWith(wantedFolder) || (ABSOLUTE.test(wanted) && wantedFolder.endsWith(`/${folder}`))
  if (/^\.*$/.test(last) || !leads) return false
  return file.replace(SPEC_SUFFIX, '').includes(last) || (file.includes(last) && last.includes('.slo'))
}

/** The folder with its slash, empty for none, and the name. */
function parted(path: string): [string, string] {
  const name = path.lastIndexOf('/') + 1
  return [path.slice(0, name), path.slice(name)]
}
