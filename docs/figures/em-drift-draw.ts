import type {DriftRun, Method} from './em-drift-measure.ts'
import {chosenStep, type DriftSummary, type Measure, summarize} from './em-drift-summary.ts'

/** Colours of Okabe and Ito, which people with any colour vision can tell apart; shapes tell the same. */
const lines: Readonly<Record<Method, {readonly colour: string; readonly shape: 'circle' | 'square' | 'none'}>> = {
  'EM, robust start': {colour: '#D55E00', shape: 'circle'},
  'EM, paper start': {colour: '#0072B2', shape: 'square'},
  refine: {colour: '#009E73', shape: 'none'}
}
const legendTexts: Readonly<Record<Method, string>> = {
  'EM, robust start': 'EM from the robust start',
  'EM, paper start': "EM from the paper's start",
  refine: 'refine, were it to go on (diamond: where it stops)'
}
const rows: readonly {readonly measure: Measure; readonly text: string; readonly digits: number}[] = [
  {measure: 'lastTag', text: 'last-tag accuracy', digits: 2},
  {measure: 'averagePrecision', text: 'average precision', digits: 2},
  {measure: 'bound', text: 'bound, nats a document', digits: 1}
]
const panel = {width: 160, height: 120, gapX: 50, gapY: 44, left: 74, top: 78}
const grey = {anchors: '#777777', grid: '#dddddd', text: '#555555'}

/** One column a corpus, one row a measure, all against the steps of EM. */
export function drawDrift(runs: readonly DriftRun[]): string {
  const summaries = summarize(runs)
  const width = panel.left + summaries.length * (panel.width + panel.gapX)
  const height = panel.top + rows.length * (panel.height + panel.gapY) + 4
  const panels = summaries.flatMap((summary, column) =>
    rows.map((row, at) => {
      const x = panel.left + column * (panel.width + panel.gapX)
      const y = panel.top + at * (panel.height + panel.gapY)
      return `<g transform="translate(${x} ${y})">\n${drawPanel(summary, row, at === 0)}\n</g>`
    })
  )
  const sideTexts = rows.map(({text}, at) => {
    const y = panel.top + at * (panel.height + panel.gapY) + panel.height / 2
    return `<text transform="translate(16 ${y}) rotate(-90)" text-anchor="middle" fill="${grey.text}">${text}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="Helvetica, Arial, sans-serif" font-size="12">
<title>What each step of EM does to predictions of held-out documents and to the likelihood</title>
<rect width="${width}" height="${height}" fill="white"/>
<clipPath id="panel"><rect x="-5" y="-5" width="${panel.width + 10}" height="${panel.height + 10}"/></clipPath>
${legend()}
${sideTexts.join('\n')}
${panels.join('\n')}
</svg>
`
}

function drawPanel(summary: DriftSummary, {measure, digits}: (typeof rows)[number], isTop: boolean): string {
  const {width, height} = panel
  const {low, high} = rangeOf(summary, measure)
  const last = summary.paths.refine.length - 1
  const x = (step: number) => (width * step) / last
  const y = (value: number) => height - (height * (value - low)) / (high - low)
  const level = anchorLevel(summary, measure)
  const inside = [
    ...(level === undefined ? [] : [levelLine(y(level))]),
    ...Object.entries(lines).map(([method, look]) => {
      const points = summary.paths[method as Method].map((step, at) => {
        const {mean, error} = step[measure]
        return {x: x(at), y: y(mean), top: y(mean + error), bottom: y(mean - error)}
      })
      return drawLine(points, look)
    }),
    ...summary.runs.map(run => diamond(x(run.chosen.step), y(chosenStep(run)[measure])))
  ]
  return [
    ...(isTop ? [`<text x="0" y="-10" font-weight="bold">${summary.corpus}</text>`] : []),
    ...[low, (low + high) / 2, high].map(
      tick =>
        `<line x1="0" x2="${width}" y1="${y(tick)}" y2="${y(tick)}" stroke="${grey.grid}"/>` +
        `<text x="-7" y="${y(tick) + 4}" text-anchor="end">${tick.toFixed(digits)}</text>`
    ),
    ...[0, 3, 6, 9].map(step => `<text x="${x(step)}" y="${height + 17}" text-anchor="middle">${step}</text>`),
    `<g clip-path="url(#panel)">${inside.join('\n')}</g>`
  ].join('\n')
}

/** All that is drawn but the bound of a start, which may lie far below; its line is then cut. */
function rangeOf(summary: DriftSummary, measure: Measure): {low: number; high: number} {
  const {paths, runs} = summary
  const drawn = Object.entries(paths).flatMap(([method, steps]) =>
    steps.slice(measure === 'bound' && method === 'EM, paper start' ? 1 : 0).map(step => step[measure].mean)
  )
  const chosen = runs.map(run => chosenStep(run)[measure])
  const values = [...drawn, ...chosen, anchorLevel(summary, measure) ?? drawn[0]]
  const unit = measure === 'bound' ? 1 : 0.02
  return {low: unit * Math.floor(Math.min(...values) / unit), high: unit * Math.ceil(Math.max(...values) / unit)}
}

/** Of generated documents it lies so far below that the lines would be squeezed to one. */
function anchorLevel({corpus, anchorsOnly}: DriftSummary, measure: Measure): number | undefined {
  return measure === 'bound' || corpus === 'generated' ? undefined : anchorsOnly[measure].mean
}

interface Point {
  readonly x: number
  readonly y: number
  readonly top: number
  readonly bottom: number
}

function drawLine(points: readonly Point[], {colour, shape}: (typeof lines)[Method]): string {
  const places = points.map(({x, y}) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ')
  const bars = points.map(
    ({x, top, bottom}) =>
      `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${top.toFixed(1)}" y2="${bottom.toFixed(1)}" stroke="${colour}"/>`
  )
  const marks = points.map(({x, y}) => mark(x, y, colour, shape))
  return `<polyline points="${places}" fill="none" stroke="${colour}" stroke-width="2"/>${bars.join('')}${marks.join('')}`
}

function mark(x: number, y: number, colour: string, shape: 'circle' | 'square' | 'none'): string {
  if (shape === 'none') return ''
  if (shape === 'circle') return `<circle cx="${x.toFixed(1)}" cy="${y.toFixed(1)}" r="3" fill="${colour}"/>`
  return `<rect x="${(x - 2.7).toFixed(1)}" y="${(y - 2.7).toFixed(1)}" width="5.4" height="5.4" fill="${colour}"/>`
}

function diamond(x: number, y: number): string {
  const at = `translate(${x.toFixed(1)} ${y.toFixed(1)})`
  return `<path transform="${at}" d="M0 -6L6 0L0 6L-6 0Z" fill="${lines.refine.colour}" stroke="white"/>`
}

function levelLine(y: number): string {
  return `<line x1="0" x2="${panel.width}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" stroke="${grey.anchors}" stroke-width="1.6" stroke-dasharray="6 4"/>`
}

function legend(): string {
  const entries = [
    ...Object.entries(lines).map(([method, look]) => ({...look, text: legendTexts[method as Method], dash: 'none'})),
    {colour: grey.anchors, shape: 'none' as const, text: 'anchors alone, no words', dash: '6 4'}
  ]
  let x = panel.left
  const drawn = entries.map(({colour, shape, dash, text}) => {
    const at = x
    x += 56 + 6.3 * text.length
    return (
      `<line x1="${at}" x2="${at + 28}" y1="20" y2="20" stroke="${colour}" stroke-width="2" stroke-dasharray="${dash}"/>` +
      mark(at + 14, 20, colour, shape) +
      (text.includes('diamond') ? diamond(at + 14, 20) : '') +
      `<text x="${at + 34}" y="24">${text}</text>`
    )
  })
  return `${drawn.join('\n')}\n<text x="${panel.left}" y="42" fill="${grey.text}">against the number of EM steps; accuracy and precision of held-out documents, bound of training documents</text>`
}
