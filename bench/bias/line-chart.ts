/** Curves over a linear axis from 0 to 1; values are drawn on a logarithmic one. */
export interface Chart {
  readonly title: string
  /** For readers who do not see it. */
  readonly description: string
  readonly xTitle: string
  /** Side by side, with one legend and the same axes. */
  readonly panels: readonly Panel[]
}

export interface Panel {
  readonly title: string
  readonly series: readonly Series[]
}

export interface Series {
  readonly name: string
  readonly colour: keyof typeof COLOURS
  readonly mark: keyof typeof MARKS
  readonly stroke: keyof typeof DASHES
  /** By x. Values from 0 downwards have no place on a logarithmic axis, and are left out. */
  readonly points: readonly (readonly [x: number, y: number])[]
}

/** On light and on dark ground; told apart by readers who do not see all colours (after Okabe and Ito). */
const COLOURS = {
  ink: ['#444444', '#c8c8c8'],
  blue: ['#0072b2', '#56b4e9'],
  green: ['#00875f', '#2ac79b'],
  purple: ['#a8558a', '#dd9bc6'],
  orange: ['#b87a00', '#f0b429'],
  red: ['#c44a00', '#ff8a4c'],
} as const

const DASHES = { solid: '', dashed: ' stroke-dasharray="7 4"', dotted: ' stroke-dasharray="2 4"' } as const

/** Marks around the origin, as paths. */
const MARKS = {
  none: '',
  circle: 'M-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0',
  square: 'M-3.5 -3.5h7v7h-7z',
  diamond: 'M0 -5l5 5l-5 5l-5 -5z',
  triangle: 'M0 -5l4.6 8h-9.2z',
  wedge: 'M0 5l4.6 -8h-9.2z',
} as const

const WIDTH = 960
const PLOT = { top: 76, height: 300, left: 60, gap: 64 }
const X_TICKS = [0, 0.2, 0.4, 0.6, 0.8, 1]
/** The axis ends a little after 1, so that marks there are whole. */
const X_END = 1.04
const LEGEND = { columns: 3, row: 22 }

/** The chart as an SVG document that follows the reader's choice of light or dark. */
export function lineChart({ title, description, xTitle, panels }: Chart): string {
  const values = panels.flatMap(({ series }) => series.flatMap(({ points }) => points.map(([, y]) => y)))
  const decades = decadesOf(values)
  const width = (WIDTH - PLOT.left - (panels.length - 1) * PLOT.gap - 16) / panels.length
  const names = new Map(panels.flatMap(({ series }) => series.map((one) => [one.name, one] as const)))
  const legendTop = PLOT.top + PLOT.height + 74
  const height = legendTop + LEGEND.row * Math.ceil(names.size / LEGEND.columns)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="title description">`,
    `<title id="title">${escape(title)}</title>`,
    `<desc id="description">${escape(description)}</desc>`,
    `<style>${styles()}</style>`,
    `<rect class="ground" width="${WIDTH}" height="${height}"/>`,
    text(PLOT.left, 28, title, 'heading'),
    ...panels.map((panel, i) => panelOf(panel, PLOT.left + i * (width + PLOT.gap), width, decades, xTitle)),
    ...[...names.values()].map((series, i) => {
      const column = i % LEGEND.columns
      const x = PLOT.left + (column * (WIDTH - PLOT.left)) / LEGEND.columns
      return legendEntry(series, x, legendTop + LEGEND.row * Math.floor(i / LEGEND.columns))
    }),
    '</svg>',
    '',
  ].join('\n')
}

/** Powers of ten around all values above 0, at least one decade: the exponents of the lowest and the highest. */
export function decadesOf(values: readonly number[]): readonly [low: number, high: number] {
  const drawn = values.filter((value) => value > 0)
  if (drawn.length === 0) return [0, 1]
  const low = Math.floor(Math.log10(Math.min(...drawn)))
  return [low, Math.max(low + 1, Math.ceil(Math.log10(Math.max(...drawn))))]
}

function panelOf(
  { title, series }: Panel,
  left: number,
  width: number,
  [low, high]: readonly [number, number],
  xTitle: string,
): string {
  const bottom = PLOT.top + PLOT.height
  const xOf = (x: number) => round(left + (x / X_END) * width)
  const yOf = (y: number) => round(bottom - ((Math.log10(y) - low) / (high - low)) * PLOT.height)
  const exponents = Array.from({ length: high - low + 1 }, (_, i) => low + i)
  const across = exponents.flatMap((exponent) => {
    const y = yOf(10 ** exponent)
    const label = Number((10 ** exponent).toPrecision(1)).toLocaleString('en-GB', { maximumFractionDigits: 6 })
    return [`<path class="grid" d="M${left} ${y}H${left + width}"/>`, text(left - 8, y + 4, label, 'tick end')]
  })
  const along = X_TICKS.flatMap((tick) => [
    `<path class="axis" d="M${xOf(tick)} ${bottom}v5"/>`,
    text(xOf(tick), bottom + 20, String(tick), 'tick middle'),
  ])
  const curves = series.flatMap(({ points, ...look }) => {
    const drawn = points.filter(([, y]) => y > 0).map(([x, y]) => [xOf(x), yOf(y)] as const)
    return drawn.length === 0 ? [] : [curve(drawn, look), ...drawn.map(([x, y]) => mark(x, y, look))]
  })
  return [
    text(left, PLOT.top - 18, title, 'label'),
    ...across,
    `<path class="axis" d="M${left} ${bottom}H${left + width}"/>`,
    ...along,
    text(left + width / 2, bottom + 42, xTitle, 'tick middle'),
    ...curves,
  ].join('\n')
}

type Look = Pick<Series, 'colour' | 'mark' | 'stroke'>

function curve(points: readonly (readonly [number, number])[], { colour, stroke }: Look): string {
  const path = points.map(([x, y]) => `${x} ${y}`).join('L')
  return `<path class="line ${colour}" d="M${path}"${DASHES[stroke]}/>`
}

function mark(x: number, y: number, { colour, mark }: Look): string {
  return mark === 'none' ? '' : `<path class="mark ${colour}" transform="translate(${x} ${y})" d="${MARKS[mark]}"/>`
}

function legendEntry(series: Series, x: number, y: number): string {
  const middle = y - 4
  const line = curve(
    [
      [x, middle],
      [x + 30, middle],
    ],
    series,
  )
  return line + mark(x + 15, middle, series) + text(x + 38, y, series.name, 'tick')
}

function text(x: number, y: number, words: string, classes: string): string {
  return `<text class="${classes}" x="${round(x)}" y="${round(y)}">${escape(words)}</text>`
}

function styles(): string {
  const rules = (dark: 0 | 1) => [
    `.ground{fill:${['#ffffff', '#0d1117'][dark]}}`,
    `text{fill:${['#1f2328', '#e6edf3'][dark]}}`,
    `.grid{stroke:${['#d8dee4', '#2d333b'][dark]}}`,
    `.axis{stroke:${['#6e7781', '#8b949e'][dark]}}`,
    ...Object.entries(COLOURS).map(
      ([name, ground]) => `.line.${name}{stroke:${ground[dark]}}.mark.${name}{fill:${ground[dark]}}`,
    ),
  ]
  const shape = [
    'text{font-family:system-ui,-apple-system,"Segoe UI",Helvetica,Arial,sans-serif;font-size:13px}',
    '.heading{font-size:17px;font-weight:600}.label{font-size:14px;font-weight:600}',
    '.middle{text-anchor:middle}.end{text-anchor:end}',
    '.grid,.axis{fill:none}.line{fill:none;stroke-width:2;stroke-linejoin:round}',
  ]
  return [...shape, ...rules(0), `@media (prefers-color-scheme:dark){${rules(1).join('')}}`].join('')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}

function escape(words: string): string {
  return words.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
