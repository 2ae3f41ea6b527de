import type { z } from 'zod'
import type { Problem } from '../model/errors.ts'

/**
 * The problems that a schema found, in the author's words. Paths start with `root` where it is not empty; `note` adds
 * to the message of those under one top-level option, such as where it was set.
 */
export function problemsOf(
  error: z.ZodError,
  root = '',
  note: (option: string) => string = () => '',
): readonly Problem[] {
  return error.issues.map(({ path, message }) => ({
    path: pathText(root, path) || 'options',
    message: message + note(String(path[0])),
  }))
}

/** `load[1].rate`, `target.headers["x y"]`. */
function pathText(root: string, path: readonly PropertyKey[]): string {
  let text = root
  for (const key of path) {
    if (typeof key === 'number') text += `[${key}]`
    else if (/^[A-Za-z_$][\w$]*$/.test(String(key))) text += text === '' ? String(key) : `.${String(key)}`
    else text += `[${JSON.stringify(shorten(String(key)))}]`
  }
  return text
}

/** A key may be anything that was pasted in the wrong place. */
function shorten(key: string): string {
  return key.length > 40 ? `${key.slice(0, 40)}...` : key
}
