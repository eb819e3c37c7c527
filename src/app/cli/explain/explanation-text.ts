import {cellWidth, clipCells, fitCells, percent, withoutControls} from '../../../base/text/index.ts'
import type {Model} from '../../../learn/model/index.ts'
import type {Row} from '../../../read/data/index.ts'
import {chanceText, type Explanation, signed, waterfallRange, waterfallRows} from '../../../use/prediction/index.ts'
import {documentLines} from '../label/text.ts'

/** Maximal number of document lines and concepts shown. */
const DOCUMENT_LINES = 24
const CONCEPTS = 8
const BAR_CELLS = 24

/** The document, its probable concepts, and the evidence as a waterfall in text. */
export function explanationText(
  model: Model,
  {id, row}: {readonly id: string; readonly row: Row},
  explanation: Explanation,
  columns: number
): string {
  const {probability, logOdds, concept, scores} = explanation
  const lines = documentLines(row, model.lexicon.reading.text, columns, line => line)
  const shown = lines.slice(0, DOCUMENT_LINES)
  if (lines.length > shown.length) shown.push(` ... ${lines.length - shown.length} more lines`)
  return [
    withoutControls(id).replaceAll('\n', ' '),
    ...shown,
    '',
    believed(model, explanation),
    '',
    `Why ${withoutControls(concept)}: ${chanceText(probability, scores.includes(concept))}, log-odds ${signed(logOdds)}`,
    '',
    ...waterfallLines(explanation, columns),
    '',
    'Positive steps are evidence for the concept, negative ones against it; +0.7 doubles the odds. The last column is the',
    `${scores.includes(concept) ? 'score' : 'probability'} if only that step were reversed.`,
    ...methodLines(model, explanation)
  ].join('\n')
}

function believed({concepts}: Model, {posterior, scores}: Explanation): string {
  const ranked = concepts
    .map(({name}, i) => ({name, p: posterior.probabilities[i]}))
    .sort((a, b) => b.p - a.p)
    .filter(({p}, at) => at === 0 || p >= 0.01)
  const shown = ranked
    .slice(0, CONCEPTS)
    .map(({name, p}) => `${withoutControls(name)} ${chanceText(p, scores.includes(name))}`)
  const more =
    ranked.length > CONCEPTS
      ? `, and ${ranked.length - CONCEPTS} more from ${chanceText(0.01, scores.length > 0)} on`
      : ''
  return `Most probable concepts: ${shown.join(', ')}${more}`
}

function waterfallLines(explanation: Explanation, columns: number): string[] {
  const rows = waterfallRows(explanation)
  const range = waterfallRange(rows)
  const widest = Math.max(...rows.map(({label}) => cellWidth(label)), 8)
  const room = Math.max(24, columns - BAR_CELLS - 38)
  const width = Math.min(widest, room)
  const lines = rows.map(({label, logOdds, from, to, otherwise, interval}) =>
    `  ${fitCells(clipCells(label, width), width)}  ${signed(logOdds).padStart(7)}  ${bar(from, to, range)}  ${otherwise}${interval === undefined ? '' : ` (${interval})`}`.trimEnd()
  )
  const together = `  ${fitCells('together', width)}  ${signed(explanation.logOdds).padStart(7)}  ${bar(0, explanation.logOdds, range)}`
  return [...lines, together.trimEnd()]
}

/** A step as a row of signs; | marks even odds. */
function bar(from: number, to: number, {low, high}: {readonly low: number; readonly high: number}): string {
  const cell = (value: number) =>
    Math.round(((Math.min(value, high) - low) / Math.max(1e-9, high - low)) * (BAR_CELLS - 1))
  const [first, last] = [cell(Math.min(from, to)), cell(Math.max(from, to))]
  const cells = Array.from({length: BAR_CELLS}, (_, at): string => (at === cell(0) ? '|' : ' '))
  for (let at = first; at <= last; at++) cells[at] = to < from ? '-' : '+'
  return cells.join('')
}

function methodLines({wordModel}: Model, {posterior: {certificate}, contributions}: Explanation): string[] {
  if (certificate.method === 'weights') {
    const lines = [
      'Words, its anchor and other concepts add up; absent words do not count. The baseline subtracts the evidence of a typical document.'
    ]
    if (contributions.some(item => item.kind === 'word' && item.low !== undefined))
      lines.push('In brackets, the 90% interval of the step of a word.')
    if (contributions.some(({kind}) => kind === 'members'))
      lines.push('The odds of members are compared with those of the average document where its anchor fires.')
    const hasFired = contributions.some(item => item.kind === 'anchor' && item.fired)
    const isClass = contributions.some(({kind}) => kind === 'exclusive')
    if (wordModel.kind !== 'weights' || !hasFired || isClass) return lines
    return [
      ...lines,
      `Its anchor fires: words count only ${percent(wordModel.firedShare)} of their weight, other concepts not at all.`
    ]
  }
  if (certificate.method === 'exact') return ['Computed exactly.']
  const settled = certificate.status === 'step-limit' ? ', and did not fully converge' : ''
  return [`Computed by message passing, an approximation${settled}.`]
}
