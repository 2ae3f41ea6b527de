import { clip } from './text.ts'

/** One column: its name, its unit and a cell a row, all right-aligned. */
export interface Column {
  readonly name: string
  readonly unit: string
  readonly cells: readonly string[]
}

/** Lines of one table: its head (names, units) and its rows. */
export interface Table {
  readonly head: readonly string[]
  readonly rows: readonly string[]
}

/**
 * The columns as one table where the width allows it, else as the given blocks below each other, each behind the lead
 * column. Two spaces between columns where there is room, else one. A line never exceeds the width: what no
 * arrangement can hold is cut.
 */
export function arrange(
  lead: Column,
  blocks: readonly (readonly Column[])[],
  all: readonly Column[],
  width: number,
): Table[] {
  const arrangements = [[all], blocks]
  for (const arrangement of arrangements) {
    for (const gap of [2, 1]) {
      const tables = arrangement.map((columns) => layOut([lead, ...columns], gap))
      if (tables.every((table) => [...table.head, ...table.rows].every((line) => line.length <= width))) return tables
    }
  }
  return blocks.map((columns) => {
    const table = layOut([lead, ...columns], 1)
    const cut = (line: string) => clip(line, width)
    return { head: table.head.map(cut), rows: table.rows.map(cut) }
  })
}

function layOut(columns: readonly Column[], gap: number): Table {
  const widths = columns.map((column) => Math.max(...[column.name, column.unit, ...column.cells].map((t) => t.length)))
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, i) => cell.padStart(widths[i]! + (i === 0 ? 0 : gap)))
      .join('')
      .trimEnd()
  const rows = columns[0]!.cells.map((_, row) => line(columns.map((column) => column.cells[row] ?? '')))
  const units = line(columns.map((column) => column.unit))
  return { head: [line(columns.map((column) => column.name)), ...(units === '' ? [] : [units])], rows }
}
