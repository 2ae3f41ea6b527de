/** Places for requests that generate at the same time, and the line before them: first come, first served. */
export interface Slots<T extends object> {
  /**
   * Takes the slot that has been free for longest, and says since when (ms, -Infinity for ever). Null: there is none,
   * and the holder stands at the end of the line.
   */
  take(holder: T): number | null
  /** Gives back a slot that is free from `instant` on, ms: the first in line has it now, undefined when nobody waits. */
  release(instant: number): T | undefined
  /** Leaves the line: false when the holder was not in it. */
  leave(holder: T): boolean
}

/** Slots of the given number; null for no limit. Every operation takes constant time, averaged. */
export function createSlots<T extends object>(count: number | null): Slots<T> {
  let unused = count ?? Infinity
  /** Since when the slots given back are free, the oldest first. */
  const freeSince: number[] = []
  /** Those who left are holes; `line[i]` has the number `passed + i`. */
  let line: (T | undefined)[] = []
  let first = 0
  let passed = 0
  const numbers = new Map<T, number>()

  return {
    take(holder) {
      if (unused > 0) {
        unused--
        return -Infinity
      }
      const since = freeSince.shift()
      if (since !== undefined) return since
      numbers.set(holder, passed + line.length)
      line.push(holder)
      return null
    },
    release(instant) {
      while (first < line.length) {
        const holder = line[first]
        line[first++] = undefined
        if (holder === undefined) continue
        numbers.delete(holder)
        // Copying half of the line at most each time it was half emptied: constant cost per request.
        if (first > 1024 && first * 2 > line.length) {
          line = line.slice(first)
          passed += first
          first = 0
        }
        return holder
      }
      passed += line.length
      line = []
      first = 0
      if (count !== null) freeSince.push(instant)
      return undefined
    },
    leave(holder) {
      const number = numbers.get(holder)
      if (number === undefined) return false
      numbers.delete(holder)
      line[number - passed] = undefined
      return true
    },
  }
}
