import {logit} from '../../base/numeric/index.ts'
import {cellWidth, clipCells, withoutControls} from '../../base/text/index.ts'
import type {Explanation} from '../../use/prediction/index.ts'
import {escapeXml} from '../drawing/index.ts'
import {chanceText, rowLabel, signed, type WaterfallRow, waterfall} from './explanation.ts'

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
/** Least pixels between the marks of the axis. */
const BETWEEN_MARKS = 34
const MARKS = [1e-6, 1e-4, 0.01, 0.1, 0.5, 0.9, 0.99, 0.9999, 0.999999]
/** The same for a short axis. */
const FINE_MARKS = [0.001, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 0.9, 0.97, 0.99, 0.999]

/** The waterfall as a picture: one step per line, from the prevalence to the probability in this document. */
export function explanationSvg(id: string, explanation: Explanation): string {
  const {concept, probability, scores} = explanation
  const {rows, low, high, place} = waterfall(explanation)
  const chance = chanceText(probability, scores.includes(concept))
  const labels = rows.map(row => (row.isWhole ? `${concept}: ${chance}` : rowLabel(row)))
  const cells = Math.min(LABEL_CELLS, Math.max(...labels.map(cellWidth)))
  const left = Math.round(24 + CELL * cells)
  const [width, bottom] = [left + 12 + BARS + 66 + OTHERWISE, TOP + STEP * rows.length]
  const at = (logOdds: number) => left + 12 + BARS * (0.03 + 0.94 * place(logOdds))
  const title = `Why ${concept} in ${id}: ${chance}`
  const marks = (high - low < 8 ? FINE_MARKS : MARKS).filter(p => logit(p) >= low && logit(p) <= high)
  let previous = Number.NEGATIVE_INFINITY
  const axis = marks.map(p => {
    const x = at(logit(p))
    const hasRoom = x - previous >= BETWEEN_MARKS
    if (hasRoom) previous = x
    const text = hasRoom
      ? `<text x="${x.toFixed(1)}" y="${TOP - 16}" text-anchor="middle" fill="#555555">${Number((100 * p).toPrecision(6))}%</text>`
      : ''
    return `<line x1="${x.toFixed(1)}" x2="${x.toFixed(1)}" y1="${TOP - 10}" y2="${bottom}" stroke="${p === 0.5 ? '#888888' : '#dddddd'}"/>${text}`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${bottom + 28}" width="${width}" height="${bottom + 28}" font-family="Helvetica, Arial, sans-serif" font-size="12">
<title>${escaped(title)}</title>
<rect width="${width}" height="${bottom + 28}" fill="white"/>
<text x="16" y="26" font-size="15" font-weight="bold">${escaped(clipCells(title, 90))}</text>
<text x="16" y="46" fill="#555555">Each line moves the probability: <tspan fill="${FOR}">to the right, for</tspan>; <tspan fill="${AGAINST}">to the left, against</tspan>. Numbers are log-odds and add up.</text>
${axis.join('\n')}
<text x="${left + BARS + 78}" y="${TOP - 16}" fill="#555555">if reversed</text>
${rows.map((row, line) => drawRow(row, clipCells(labels[line], cells), {line, left, at})).join('\n')}
</svg>
`
}

interface Place {
  readonly line: number
  /** Where labels end. */
  readonly left: number
  readonly at: (logOdds: number) => number
}

function drawRow(
  {logOdds, from, to, otherwise, isWhole}: WaterfallRow,
  label: string,
  {line, left, at}: Place
): string {
  const y = TOP + STEP * line
  const [start, end] = [at(Math.min(from, to)), at(Math.max(from, to))]
  const isEnd = isWhole || line === 0
  const colour = isEnd ? WHOLE : logOdds < 0 ? AGAINST : FOR
  const weight = isEnd ? ' font-weight="bold"' : ''
  // The number goes where the bar ends, and the next bar starts on another line.
  const [x, anchor] = logOdds < 0 && start - left > 60 ? [start - 5, 'end'] : [end + 5, 'start']
  const joint = at(from).toFixed(1)
  return [
    `<text x="${left}" y="${y + 13}" text-anchor="end"${weight}>${escaped(label)}</text>`,
    isEnd
      ? ''
      : `<line x1="${joint}" x2="${joint}" y1="${y - STEP + 17}" y2="${y + 1}" stroke="#888888" stroke-dasharray="2 2"/>`,
    `<rect x="${start.toFixed(1)}" y="${y + 1}" width="${Math.max(1.5, end - start).toFixed(1)}" height="16" fill="${colour}"/>`,
    `<text x="${x.toFixed(1)}" y="${y + 13}" text-anchor="${anchor}"${weight} stroke="white" stroke-width="3" paint-order="stroke">${signed(logOdds)}</text>`,
    otherwise === '' ? '' : `<text x="${left + BARS + 78}" y="${y + 13}" fill="#555555">${escaped(otherwise)}</text>`
  ].join('')
}

function escaped(text: string): string {
  return escapeXml(withoutControls(text))
}
