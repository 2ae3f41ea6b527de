/** What a terminal would obey instead of show: control characters, line separators and marks of writing direction. */
const UNSHOWABLE = /[\p{Cc}\p{Cf}\u2028\u2029]+/gu

/** The text as one line that a terminal only shows: a server's message cannot move the cursor or change colours. */
export function printable(text: string): string {
  return text.replace(UNSHOWABLE, ' ').replace(/\s+/g, ' ').trim()
}

/**
 * Columns that a text takes at most: a character beyond ASCII counts as two, which is right for CJK and emoji and too
 * much for accents. An upper bound is enough to stay within a width.
 */
export function columnsOf(text: string): number {
  let columns = 0
  for (const character of text) columns += character > '~' ? 2 : 1
  return columns
}

/** The text, cut to a number of columns; the last two become `..` where something was cut. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  return `${head(text, Math.max(0, columns - 2))}..`.slice(0, Math.max(0, columns))
}

/** The text in lines of at most `columns` columns, broken at spaces, and inside a word only where it is longer than a line. */
export function wrap(text: string, columns: number): string[] {
  const width = Math.max(2, columns)
  const lines: string[] = []
  let line = ''
  for (let word of printable(text).split(' ')) {
    if (line !== '' && columnsOf(line) + 1 + columnsOf(word) <= width) {
      line = `${line} ${word}`
      continue
    }
    if (line !== '') lines.push(line)
    while (columnsOf(word) > width) {
      const part = head(word, width)
      lines.push(part)
      word = word.slice(part.length)
    }
    line = word
  }
  if (line !== '' || lines.length === 0) lines.push(line)
  return lines
}

function head(text: string, columns: number): string {
  let kept = ''
  let used = 0
  for (const character of text) {
    used += columnsOf(character)
    if (used > columns) break
    kept += character
  }
  return kept
}
