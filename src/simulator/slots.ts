/** A slot that nobody has. */
export interface Vacancy {
  /** Since when it is free, ms. */
  readonly since: number
  /** Since when it might have been free without the server's own standstills, ms. */
  readonly earliest: number
}

/** Places for requests that generate at the same time, and the line before them: first come, first served. */
export interface Slots<T extends object> {
  /**
   * Takes the slot that has been free for longest, and says since when (-Infinity: for ever). Null: there is none, and
   * the holder stands at the end of the line.
   */
  take(holder: T): Vacancy | null
  /** Gives back a slot with what `Vacancy` says of it: the first in line has it now, undefined when nobody waits. */
  release(since: number, earliest?: number): T | undefined
  /** Leaves the line: false when the holder was not in it. */
  leave(holder: T): boolean
}

const EVER: Vacancy = { since: -Infinity, earliest: -Infinity }

/** Slots of the given number; null for no limit. Every operation takes constant time, averaged. */
export function createSlots<T extends object>(count: number | null): Slots<T> {
  let unused = count ?? Infinity
  /** Slots given back, the oldest first. */
  const vacant: Vacancy[] = []
  /** Those who left are holes; `line[i]` has the number `passed + i`. */
  let line: (T | undefined)[] = []
  let first = 0
  let passed = 0
  const numbers = new Map<T, number>()

  return {
    take(holder) {
      if (unused > 0) {
        unused--
        return EVER
      }
      const vacancy = vacant.shift()
      if (vacancy !== undefined) return vacancy
      numbers.set(holder, passed + line.length)
      line.push(holder)
      return null
    },
    release(since, earliest = since) {
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
      if (count !== null) vacant.push({ since, earliest })
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
