/**
 * The name that a misspelt one was likely meant to be; undefined when none is near. Near: at most two edits (one for
 * names of up to three letters), where case, `_` and `-` do not count. The first of equally near names wins.
 */
export function nearestName(given: string, names: readonly string[]): string | undefined {
  const wanted = plain(given)
  let nearest: string | undefined
  let least = Math.min(wanted.length, wanted.length <= 3 ? 2 : 3)
  for (const name of names) {
    // A long text costs its length squared and cannot be near.
    if (Math.abs(name.length - wanted.length) > 2) continue
    const edits = editDistance(wanted, plain(name))
    if (edits >= least) continue
    least = edits
    nearest = name
  }
  return nearest
}

/**
 * Number of single-letter edits (insert, delete, replace, swap of neighbours) that turn one text into the other.
 *
 * @see Damerau 1964; this is the variant that edits no substring twice ("optimal string alignment")
 */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped =
        i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? beforeLast[j - 2]! + 1 : Infinity
      row.push(Math.min(replaced, swapped, last[j]! + 1, row[j - 1]! + 1))
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '')
}
