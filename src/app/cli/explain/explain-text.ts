import type {Model} from '../../../learn/model/index.ts'
import type {Row} from '../../../read/data/index.ts'
import type {Explanation} from '../../../use/prediction/index.ts'
import {documentLines} from '../label/label-document.ts'
import {clipText, fitText, plainText, textWidth} from '../label/label-text.ts'
import {percent} from '../text.ts'
import {signed, smallPercent, waterfallRange, waterfallRows} from './explain-rows.ts'

/** Lines of a document, and concepts, that are shown at most. */
const DOCUMENT_LINES = 24
const CONCEPTS = 8
const BAR_CELLS = 24

/** The document, what is believed of it, and why: a waterfall in text. */
export function explanationText(
  model: Model,
  {id, row}: {readonly id: string; readonly row: Row},
  explanation: Explanation,
  columns: number
): string {
  const {probability, logOdds, concept} = explanation
  const lines = documentLines(row, model.lexicon.text.fields, columns, line => line)
  const shown = lines.slice(0, DOCUMENT_LINES)
  if (lines.length > shown.length) shown.push(` ... ${lines.length - shown.length} more lines`)
  return [
    plainText(id),
    ...shown,
    '',
    believed(model, explanation),
    '',
    `Why ${plainText(concept)}: ${smallPercent(probability)}, log-odds ${signed(logOdds)}`,
    '',
    ...waterfallLines(explanation, columns),
    '',
    'Above 0 speaks for the concept, below 0 against it; +0.7 doubles the odds. The last column is the probability if just',
    'that were the other way round.',
    ...methodLines(model, explanation)
  ].join('\n')
}

function believed({concepts}: Model, {posterior}: Explanation): string {
  const ranked = concepts
    .map(({name}, i) => ({name, p: posterior.probabilities[i]}))
    .sort((a, b) => b.p - a.p)
    .filter(({p}, at) => at === 0 || p >= 0.01)
  const shown = ranked.slice(0, CONCEPTS).map(({name, p}) => `${plainText(name)} ${smallPercent(p)}`)
  const more = ranked.length > CONCEPTS ? `, and ${ranked.length - CONCEPTS} more above 1%` : ''
  return `Believed: ${shown.join(', ')}${more}`
}

function waterfallLines(explanation: Explanation, columns: number): string[] {
  const rows = waterfallRows(explanation)
  const range = waterfallRange(rows)
  const widest = Math.max(...rows.map(({label}) => textWidth(label)), 8)
  const room = Math.max(24, columns - BAR_CELLS - 38)
  const width = Math.min(widest, room)
  const lines = rows.map(({label, logOdds, from, to, otherwise}) =>
    `  ${fitText(clipText(label, width), width)}  ${signed(logOdds).padStart(7)}  ${bar(from, to, range)}  ${otherwise}`.trimEnd()
  )
  const together = `  ${fitText('together', width)}  ${signed(explanation.logOdds).padStart(7)}  ${bar(0, explanation.logOdds, range)}`
  return [...lines, together.trimEnd()]
}

/** From where to where, as signs on a line; the middle of even odds is a bar where nothing covers it. */
function bar(from: number, to: number, {low, high}: {readonly low: number; readonly high: number}): string {
  const cell = (value: number) =>
    Math.round(((Math.min(value, high) - low) / Math.max(1e-9, high - low)) * (BAR_CELLS - 1))
  const [first, last] = [cell(Math.min(from, to)), cell(Math.max(from, to))]
  const cells = Array.from({length: BAR_CELLS}, (_, at): string => (at === cell(0) ? '|' : ' '))
  for (let at = first; at <= last; at++) cells[at] = to < from ? '-' : '+'
  return cells.join('')
}

/** How it was computed, and what to know of that. */
function methodLines({wordModel}: Model, {posterior: {certificate}, contributions}: Explanation): string[] {
  if (certificate.method === 'weights') {
    const lines = [
      'Words, anchors and known tags add up; words that are missing say nothing. The balance evens out what a usual document says.'
    ]
    const hasFired = contributions.some(item => item.kind === 'anchor' && item.fired)
    if (wordModel.kind !== 'weights' || !hasFired) return lines
    return [
      ...lines,
      `Its anchor fires, and is believed: words count ${percent(wordModel.firedShare)} of what they would otherwise, other anchors and known tags nothing.`
    ]
  }
  const unexplained =
    certificate.unexplainedWords === 0
      ? ''
      : ` Left out: ${certificate.unexplainedWords} words that the model cannot account for at all.`
  if (certificate.method === 'exact') return [`Computed exactly.${unexplained}`]
  const settled = certificate.status === 'step-limit' ? ', and had not fully settled' : ''
  return [`Computed by message passing, which comes near the exact figures${settled}.${unexplained}`]
}
