import pc from 'picocolors'
import {conceptGrid, gridOf} from './label-concepts.ts'
import {anchorPaint, documentLines} from './label-document.ts'
import type {LabelFacts, ScreenSize} from './label-facts.ts'
import {headerLine, keyLine, statusLine, titleRule} from './label-frame.ts'
import {helpLines} from './label-help.ts'
import {intervalLines} from './label-intervals.ts'
import {clipText, fitText, textWidth, wrapText} from './label-text.ts'
import {firstListed, type LabelView, listed, type ViewRoom} from './label-view.ts'
import {enoughWords} from './label-words.ts'

/** The lines of the screen, at most `rows`, made for `columns` cells, and what they had room for. */
export interface Screen {
  readonly lines: readonly string[]
  readonly room: ViewRoom
}

/** Header, two rules, prompt, status and keys. */
const FRAME_ROWS = 6

export function drawScreen(view: LabelView, facts: LabelFacts, size: ScreenSize): Screen {
  const {columns, rows} = size
  const middle = Math.max(2, rows - FRAME_ROWS + 1)
  const rule = pc.dim('\u2500'.repeat(columns))
  const body = bodyOf(view, facts, {columns, rows: middle})
  const lines = [
    headerLine(facts, columns),
    titleRule(view, columns),
    ...body.lines,
    rule,
    statusLine(facts, columns),
    keyLine(view, columns)
  ]
  return {lines: lines.slice(0, rows), room: body.room}
}

function bodyOf(view: LabelView, facts: LabelFacts, size: ScreenSize): Screen {
  switch (view.screen) {
    case 'help':
      return pageOf(helpLines(size.columns), view.page, size)
    case 'intervals':
      return pageOf(intervalLines(facts.concepts, facts.progress, size.columns), view.page, size)
    case 'enough':
      return pageOf(enoughLines(facts, size.columns), 0, size)
    default:
      return questionBody(view, facts, size)
  }
}

function pageOf(lines: readonly string[], page: number, {rows}: ScreenSize): Screen {
  const pages = Math.max(1, Math.ceil(lines.length / rows))
  const from = Math.min(page, pages - 1) * rows
  return {lines: filled(lines.slice(from, from + rows), rows), room: {listed: 1, column: 1, pages}}
}

/** The document above, the concepts below: the list has what it needs up to nearly half, the document the rest. */
function questionBody(view: LabelView, facts: LabelFacts, {columns, rows}: ScreenSize): Screen {
  const isShort = view.question.drawn === 'anchored'
  const grid = gridOf(facts.concepts, columns)
  const shown = isShort ? [] : listed(view, facts.concepts)
  const needed = Math.ceil(facts.concepts.length / grid.columns)
  const paint = anchorPaint(view.question, facts.anchors, facts.fields)
  const all = documentLines(view.question.document.row, facts.fields, columns, paint)
  const most = rows - 1 - (isShort ? 2 : Math.max(1, Math.min(needed, Math.floor(0.45 * rows))))
  const textRows = Math.max(
    1,
    isShort ? Math.min(all.length + 1, most) : Math.max(rows - 1 - needed, Math.min(all.length, most))
  )
  const listRows = Math.max(1, rows - 1 - textRows)
  const pages = Math.max(1, Math.ceil(all.length / textRows))
  const page = Math.min(view.page, pages - 1)
  const text = filled(all.slice(page * textRows, (page + 1) * textRows), textRows)
  const room = {listed: listRows * grid.columns, column: listRows, pages}
  const answers = isShort ? shortAnswers(view, facts) : conceptGrid(view, shown, facts, {...grid, ...room})
  const first = firstListed(view.cursor, room.listed)
  const more = [
    ...(pages > 1 ? [`text ${page + 1}/${pages} PgDn`] : []),
    ...(shown.length > room.listed
      ? [`concepts ${first + 1}-${Math.min(first + room.listed, shown.length)} of ${shown.length}`]
      : [])
  ]
  const right = more.map(words => `${words}  `).join('')
  return {lines: [...text, promptLine(view, facts, right, columns), ...filled(answers, listRows)], room}
}

function promptLine(view: LabelView, {concepts}: LabelFacts, more: string, columns: number): string {
  const {question, find, ticked} = view
  const words =
    find !== undefined
      ? ` find: ${find}_   (Enter ticks, Esc leaves)`
      : question.drawn === 'anchored'
        ? ` Does this document have "${concepts[question.concept]}"?`
        : ticked.size > 0
          ? ` It has: ${[...ticked].map(i => concepts[i]).join(', ')}`
          : ' Which does it have?'
  return pc.inverse(`${fitText(words, columns - textWidth(more) - 2)}  ${more}`)
}

function shortAnswers({question}: LabelView, {anchors}: LabelFacts): string[] {
  if (question.drawn !== 'anchored') return []
  const words = anchors[question.concept].join(', ')
  return [
    `   ${pc.bold('y')} yes    ${pc.bold('n')} no    ${pc.bold('s')} skip`,
    pc.dim(`   its anchor fires here: ${clipText(words, 60)}`)
  ]
}

function enoughLines({progress, narrow, file}: LabelFacts, columns: number): string[] {
  const text =
    `\n${enoughWords(progress, narrow) ?? ''}.\n\n${progress.documents} documents are labelled and saved in ${file}.\n\n` +
    'You can stop here (q), or go on for narrower intervals (any other key).'
  return wrapText(text, columns - 4).map(line => `  ${line}`)
}

function filled(lines: readonly string[], rows: number): string[] {
  return Array.from({length: rows}, (_, row) => lines[row] ?? '')
}
