/** What an event brings: nothing generated, reasoning, a piece of a tool call, or text that a reader sees. */
export type Content = 'none' | 'reasoning' | 'call' | 'text'

/** What several pieces bring together: text, if any of them does, else a call, else reasoning. */
export function together(contents: readonly Content[]): Content {
  return (['text', 'call', 'reasoning'] as const).find((content) => contents.includes(content)) ?? 'none'
}

/** The bit of a parallel output. That of index 31 and above is shared: so many are not told apart. */
export function outputBit(index: unknown): number {
  return typeof index === 'number' ? 1 << Math.min(index, 31) : 1
}
