import { Chalk } from 'chalk'
import type { Verdict } from '../model/verdict.ts'

/**
 * Whether to colour: not under `NO_COLOR` (set and not empty), else as `FORCE_COLOR` says (`0` and `false` mean no),
 * else only on a terminal that is not dumb. As in Vitest, `NO_COLOR` wins over `FORCE_COLOR`.
 *
 * @see https://no-color.org and https://force-color.org
 */
export function colorOf(stream: {
  readonly isTTY: boolean
  readonly env: Readonly<Record<string, string | undefined>>
}): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = stream.env
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false
  if (FORCE_COLOR !== undefined) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return stream.isTTY && TERM !== 'dumb'
}

type Paint = (text: string) => string

/** Colours by meaning. Every one only repeats what the words say already. */
export interface Palette {
  readonly verdict: Readonly<Record<Verdict, Paint>>
  readonly heading: Paint
  readonly quiet: Paint
  readonly warning: Paint
}

/** The colours of a terminal (the 16 that every one has), or none. */
export function paletteOf(color: boolean): Palette {
  const { bold, dim, green, magenta, red, yellow } = new Chalk({ level: color ? 1 : 0 })
  // Chalk joins all its arguments: as a callback of map() it would print the index too.
  const one =
    (paint: Paint): Paint =>
    (text) =>
      paint(text)
  return {
    verdict: { pass: one(green), fail: one(red), inconclusive: one(yellow), invalid: one(magenta) },
    heading: one(bold),
    quiet: one(dim),
    warning: one(yellow),
  }
}
