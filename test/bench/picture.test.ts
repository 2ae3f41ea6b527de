import { describe, expect, test } from 'vitest'
import { ONE_PROCESS, TWO_PROCESSES } from '../../bench/bias/claim.ts'
import { FETCH_AS_TOLD, FETCH_FROM_DUE } from '../../bench/bias/clients/fetch-script.ts'
import { decadesOf } from '../../bench/bias/line-chart.ts'
import { pictureOf } from '../../bench/bias/picture.ts'
import { row } from './rows.ts'

const SWEEP = [0.2, 0.9, 1].flatMap((level) => [
  row({ client: ONE_PROCESS, level, addedMean: 0.5 / (1.05 - level), addedP99: 30, modelled: null, observed: 0.3 }),
  row({ client: FETCH_AS_TOLD, level, addedMean: 2, addedP99: 300 }),
  row({ client: FETCH_FROM_DUE, level, addedMean: 4, addedP99: -1 }),
  row({ client: TWO_PROCESSES, level, addedMean: 0.4, addedP99: 3 }),
])

describe('pictureOf', () => {
  const svg = pictureOf([...SWEEP, row({ client: 'autocannon', level: null, addedMean: 9, addedP99: 99 })])

  test('draws every client of the sweep in both panels, and no other', () => {
    expect(svg).not.toContain('autocannon')
    // Four clients, mean and p99, but nothing of the p99 that has no place on a logarithmic axis; legend; observed wait.
    expect(svg.match(/<path class="mark /g)).toHaveLength(3 * 4 + 3 * 3 + 4)
    expect(svg.match(/<path class="line /g)).toHaveLength(4 + 3 + 1 + 6)
  })

  test('names each in the legend once, vitest-slo first', () => {
    const names = [ONE_PROCESS, TWO_PROCESSES, FETCH_AS_TOLD, 'fetch script, from the due instant']
    for (const name of names) expect(svg.split(`>${name}<`)).toHaveLength(2)
    const places = names.map((name) => svg.indexOf(`>${name}<`))
    expect(places).toEqual(places.toSorted((a, b) => a - b))
  })

  test('puts no two texts on one place, and none outside', () => {
    const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(svg)!.map(Number)
    const texts = [...svg.matchAll(/<text class="([^"]*)" x="([\d.]+)" y="([\d.]+)">([^<]*)</g)].map(boxOf)
    for (const [i, a] of texts.entries()) {
      expect(a.left, a.words).toBeGreaterThanOrEqual(0)
      expect(a.right, a.words).toBeLessThanOrEqual(width!)
      expect(a.bottom, a.words).toBeLessThanOrEqual(height!)
      for (const b of texts.slice(i + 1)) {
        const apart = a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
        expect(apart, `${a.words} / ${b.words}`).toBe(true)
      }
    }
  })

  test('follows the reader: light, and dark by a media query, the ground with it', () => {
    expect(svg).toContain('@media (prefers-color-scheme:dark){.ground{fill:#0d1117}')
    expect(svg).toContain('<rect class="ground"')
  })
})

/** Where a text lies, taking a character for 0.6 of the height of the font. */
function boxOf([, classes, x, y, words]: RegExpExecArray) {
  const size = classes === 'heading' ? 17 : classes === 'label' ? 14 : 13
  const width = words!.length * size * 0.6
  const left = Number(x) - (classes!.includes('middle') ? width / 2 : classes!.includes('end') ? width : 0)
  return { words, left, right: left + width, top: Number(y) - size, bottom: Number(y) + size / 4 }
}

describe('decadesOf', () => {
  test.for<[values: number[], decades: [number, number]]>([
    [
      [0.2, 30],
      [-1, 2],
    ],
    [
      [1, 10],
      [0, 1],
    ],
    [[5], [0, 1]],
    [[10], [1, 2]],
    [
      [-3, 0, 0.02],
      [-2, -1],
    ],
    [[], [0, 1]],
  ])('of %j are %j', ([values, decades]) => expect(decadesOf(values)).toEqual(decades))
})
