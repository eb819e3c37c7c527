import {log} from '../../base/numeric/index.ts'
import {cellWidth, clipCells, withoutControls} from '../../base/text/index.ts'
import {
  chanceText,
  type Explanation,
  signed,
  type WaterfallRow,
  waterfallRange,
  waterfallRows
} from '../../use/prediction/index.ts'
import {escapeXml} from './svg-markup.ts'

/** Blue and vermilion of Okabe and Ito, distinguishable with any colour vision; sign and side show the same. */
const FOR = '#0072B2'
const AGAINST = '#D55E00'
const WHOLE = '#555555'
const LABEL_CELLS = 58
const CELL = 6.1
const STEP = 24
const BARS = 360
const OTHERWISE = 170
const TOP = 92
const MARKS = [1e-6, 1e-4, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999, 0.999999]
/** The same for a short axis. */
const FINE_MARKS = [0.001, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 0.999]

/** The waterfall as a picture: one step per line, from the prevalence to the probability in this document. */
export function explanationSvg(id: string, explanation: Explanation): string {
  const rows = waterfallRows(explanation)
  const {concept, probability, logOdds, scores} = explanation
  const chance = chanceText(probability, scores.includes(concept))
  const whole: WaterfallRow = {
    label: `${concept}: ${chance}`,
    logOdds,
    from: 0,
    to: logOdds,
    otherwise: ''
  }
  const cells = Math.min(LABEL_CELLS, Math.max(...[...rows, whole].map(({label}) => cellWidth(label))))
  const left = Math.round(24 + CELL * cells)
  const width = left + 12 + BARS + 66 + OTHERWISE
  const bottom = TOP + STEP * (rows.length + 1)
  const place = scale(rows, left + 12)
  const drawn = rows.map((row, at) => drawRow(row, at, {left, place, cells, isWhole: at === 0}))
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 28}" width="${width}" height="${bottom + 28}" font-family="Helvetica, Arial, sans-serif" font-size="12">
<title>${escaped(`Why ${concept} in ${id}: ${chance}`)}</title>
<rect width="${width}" height="${bottom + 28}" fill="white"/>
<text x="16" y="26" font-size="15" font-weight="bold">${escaped(clipCells(`Why ${concept} in ${id}: ${chance}`, 90))}</text>
<text x="16" y="46" fill="#555555">Each line moves the probability: <tspan fill="${FOR}">to the right, for</tspan>; <tspan fill="${AGAINST}">to the left, against</tspan>. Numbers are log-odds and add up.</text>
${axis(rows, place, bottom)}
<text x="${left + BARS + 78}" y="${TOP - 16}" fill="#555555">if reversed</text>
${drawn.join('\n')}
${drawRow(whole, rows.length, {left, place, cells, isWhole: true})}
</svg>
`
}

function scale(rows: readonly WaterfallRow[], left: number): (logOdds: number) => number {
  const {low, high} = waterfallRange(rows)
  const margin = 0.03 * (high - low) + 0.1
  const unit = BARS / (high - low + 2 * margin)
  return logOdds => left + unit * (Math.min(logOdds, high) - low + margin)
}

function axis(rows: readonly WaterfallRow[], place: (logOdds: number) => number, bottom: number): string {
  const {low, high} = waterfallRange(rows)
  let previous = Number.NEGATIVE_INFINITY
  const marks = high - low < 8 ? FINE_MARKS : MARKS
  return marks
    .map(p => ({p, at: log(p / (1 - p))}))
    .filter(({at}) => at >= low && at <= high)
    .map(({p, at}) => {
      const x = place(at).toFixed(1)
      const isCrowded = place(at) - previous < 34
      if (!isCrowded) previous = place(at)
      const mark = isCrowded
        ? ''
        : `<text x="${x}" y="${TOP - 16}" text-anchor="middle" fill="#555555">${markText(p)}</text>`
      const colour = p === 0.5 ? '#888888' : '#dddddd'
      return `<line x1="${x}" x2="${x}" y1="${TOP - 10}" y2="${bottom}" stroke="${colour}"/>${mark}`
    })
    .join('\n')
}

function markText(p: number): string {
  return `${Number((100 * p).toPrecision(6))}%`
}

interface Place {
  readonly left: number
  readonly place: (logOdds: number) => number
  readonly cells: number
  readonly isWhole: boolean
}

function drawRow(row: WaterfallRow, at: number, {left, place, cells, isWhole}: Place): string {
  const {label, logOdds, from, to, otherwise} = row
  const y = TOP + STEP * at
  const [start, end] = [place(Math.min(from, to)), place(Math.max(from, to))]
  const colour = isWhole ? WHOLE : logOdds < 0 ? AGAINST : FOR
  const weight = isWhole ? ' font-weight="bold"' : ''
  // The number goes where the bar ends, and the next bar starts on another line.
  const [x, anchor] = logOdds < 0 && start - left > 60 ? [start - 5, 'end'] : [end + 5, 'start']
  const connector =
    at === 0 || isWhole
      ? ''
      : `<line x1="${place(from).toFixed(1)}" x2="${place(from).toFixed(1)}" y1="${y - STEP + 17}" y2="${y + 1}" stroke="#888888" stroke-dasharray="2 2"/>`
  return [
    `<text x="${left}" y="${y + 13}" text-anchor="end"${weight}>${escaped(clipCells(label, cells))}</text>`,
    connector,
    `<rect x="${start.toFixed(1)}" y="${y + 1}" width="${Math.max(1.5, end - start).toFixed(1)}" height="16" fill="${colour}"/>`,
    `<text x="${x.toFixed(1)}" y="${y + 13}" text-anchor="${anchor}"${weight} stroke="white" stroke-width="3" paint-order="stroke">${signed(logOdds)}</text>`,
    otherwise === '' ? '' : `<text x="${left + BARS + 78}" y="${y + 13}" fill="#555555">${escaped(otherwise)}</text>`
  ]
    .filter(part => part !== '')
    .join('')
}

function escaped(text: string): string {
  return escapeXml(withoutControls(text))
}
