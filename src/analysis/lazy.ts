/** How each member of an object is computed. */
export type Makers<T> = { readonly [K in keyof T]: () => T[K] }

/**
 * An object whose members are computed when they are first read, and kept.
 *
 * @param hidden members that may throw when read: not enumerable, so that printing the object does not throw.
 */
export function lazily<T extends object>(makers: Makers<T>, hidden: readonly (keyof T)[] = []): T {
  const made = {}
  for (const key of Object.keys(makers) as (keyof T)[]) {
    let kept: { readonly value: T[keyof T] } | undefined
    Object.defineProperty(made, key, {
      enumerable: !hidden.includes(key),
      get: () => (kept ??= { value: makers[key]() }).value,
    })
  }
  return made as T
}
