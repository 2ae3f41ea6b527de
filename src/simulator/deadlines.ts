/** Something that is due at an instant. The heap alone writes `position`. */
export interface Deadline {
  /** Instant on the host's monotonic clock, ms. Change it only through `move`. */
  due: number
  /** Place in the heap, -1 outside. */
  position: number
}

/** Deadlines in order: the earliest is at hand, each change costs O(log n). */
export interface Deadlines<T extends Deadline> {
  readonly size: number
  /** The earliest, left where it is. */
  first(): T | undefined
  add(entry: T): void
  /** Gives an entry another instant. */
  move(entry: T, due: number): void
  /** Takes an entry out; one that is not in stays out. */
  remove(entry: T): void
}

/**
 * A binary heap whose entries know their place, so that a request whose client went away leaves at once.
 *
 * Invariant: no entry is due before its parent, that of place i being at (i - 1) >> 1.
 */
export function createDeadlines<T extends Deadline>(): Deadlines<T> {
  const heap: T[] = []

  function rise(entry: T, from: number): void {
    let place = from
    while (place > 0) {
      const above = (place - 1) >> 1
      const parent = heap[above]!
      if (parent.due <= entry.due) break
      put(parent, place)
      place = above
    }
    put(entry, place)
  }

  function sink(entry: T, from: number): void {
    let place = from
    for (;;) {
      let below = 2 * place + 1
      if (below >= heap.length) break
      if (below + 1 < heap.length && heap[below + 1]!.due < heap[below]!.due) below++
      const child = heap[below]!
      if (child.due >= entry.due) break
      put(child, place)
      place = below
    }
    put(entry, place)
  }

  function put(entry: T, place: number): void {
    heap[place] = entry
    entry.position = place
  }

  return {
    get size() {
      return heap.length
    },
    first: () => heap[0],
    add(entry) {
      heap.push(entry)
      rise(entry, heap.length - 1)
    },
    move(entry, due) {
      const later = due > entry.due
      entry.due = due
      if (later) sink(entry, entry.position)
      else rise(entry, entry.position)
    },
    remove(entry) {
      const place = entry.position
      if (place < 0) return
      entry.position = -1
      const last = heap.pop()!
      if (last === entry) return
      if (last.due > entry.due) sink(last, place)
      else rise(last, place)
    },
  }
}
