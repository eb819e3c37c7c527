import {cellWidth, clipCells, counted, fitCells, percent, withoutControls, wrapCells} from '../../../base/text/index.ts'
import type {RateInterval} from '../../../learn/noise/index.ts'
import {enoughWords, knownWords, type LabelProgress, type Question, widthText} from '../../../use/labelling/index.ts'
import {colours as pc} from '../output.ts'
import {documentLines, type Paint} from '../text.ts'
import {
  firstListed,
  type LabelFacts,
  type LabelView,
  listed,
  type ScreenSize,
  TICK_KEYS,
  type ViewRoom
} from './view.ts'

/** The lines of the screen, at most `rows` of `columns` cells, and how much fits on them. */
interface Screen {
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

/** The document above, the concepts below: the list gets up to 45% of the rows, the document the rest. */
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
  const answers = isShort ? shortAnswers(view, facts, columns) : conceptGrid(view, shown, facts, {...grid, ...room})
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
  const {question, find, ticked, probabilities} = view
  const words =
    find !== undefined
      ? ` find: ${find}_   (Enter ticks, Esc cancels)`
      : question.drawn === 'anchored'
        ? ` Does this document have "${concepts[question.concept]}"?`
        : ticked.size > 0
          ? ` It has: ${[...ticked].map(i => concepts[i]).join(', ')}`
          : ` Which does it have?${Array.from(probabilities).some(p => p >= LIKELY) ? '  (* likely: a hint, not an answer)' : ''}`
  return pc.inverse(`${fitCells(words, columns - cellWidth(more) - 2)}  ${more}`)
}

/** The keys, and the members of the anchor that fire in this document. */
function shortAnswers({question}: LabelView, {anchors}: LabelFacts, columns: number): string[] {
  if (question.drawn !== 'anchored') return []
  const before = anchors.slice(0, question.concept).reduce((sum, members) => sum + members.length, 0)
  const fired = new Set(question.document.evidence.members)
  const words = anchors[question.concept].filter((_, at) => fired.has(before + at)).join(', ')
  return [
    `   ${pc.bold('y')} yes    ${pc.bold('n')} no    ${pc.bold('s')} skip`,
    pc.dim(`   its anchor fires here: ${clipCells(words, columns - 27)}`)
  ]
}

function enoughLines({progress, narrow, file}: LabelFacts, columns: number): string[] {
  const text =
    `\n${enoughWords(progress, narrow) ?? ''}.\n\n${counted(progress.documents, 'document is', 'documents are')} labelled and saved in ${file}.\n\n` +
    'You can stop here (q), or continue for narrower intervals (any other key).'
  return wrapCells(text, columns - 4).map(line => `  ${line}`)
}

function filled(lines: readonly string[], rows: number): string[] {
  return Array.from({length: rows}, (_, row) => lines[row] ?? '')
}

/** The number of labelled documents, and the labels file. */
function headerLine({progress, file}: LabelFacts, columns: number): string {
  const {documents, least, goal} = progress
  const left = ` ${documents} of ${least < goal ? `${least}-` : ''}${goal} documents labelled `
  const right = ` ${clipCells(file, 40)} `
  const space = columns - cellWidth(left) - cellWidth(right)
  if (space < 6) return pc.bold(clipCells(left, columns))
  const cells = Math.min(30, space - 2)
  const full = Math.min(cells, Math.round((cells * documents) / goal))
  const bar = `${pc.green('\u2588'.repeat(full))}${pc.dim('\u2591'.repeat(cells - full))}`
  return `${pc.bold(left)}${bar}${' '.repeat(space - cells)}${pc.dim(right)}`
}

/** The result of the last action, or how well the prevalences are known. */
function statusLine({progress, narrow, note}: LabelFacts, columns: number): string {
  if (note !== '') return pc.yellow(clipCells(` ${note}`, columns))
  const enough = enoughWords(progress, narrow)
  const words = clipCells(` ${enough ?? knownWords(progress)}`, columns)
  return enough === undefined ? words : pc.green(words)
}

function keyLine({screen, question, find}: LabelView, columns: number): string {
  const keys =
    screen === 'enough'
      ? ' q stop here    any other key: continue'
      : screen !== 'question'
        ? ' PgUp PgDn turn the page    any other key: back'
        : find !== undefined
          ? ' type part of a name    up down choose    Enter tick    Esc cancel'
          : question.drawn === 'anchored'
            ? ' y yes  n no  s skip  u undo  i intervals  ? help  q quit'
            : ' 1-9 a-z tick  / find  Enter done  u undo  s skip  i intervals  ? help  q quit'
  return pc.dim(clipCells(keys, columns))
}

/** A rule with the id of the document. */
function titleRule({screen, question}: LabelView, columns: number): string {
  const {id} = question.document.row
  if (screen !== 'question' || id === undefined) return pc.dim('\u2500'.repeat(columns))
  const name = clipCells(withoutControls(String(id)).replaceAll('\n', ' '), columns - 6)
  return `${pc.dim('\u2500\u2500')} ${name} ${pc.dim('\u2500'.repeat(Math.max(0, columns - cellWidth(name) - 4)))}`
}

/** The columns of the list of concepts. */
interface Grid {
  readonly columns: number
  readonly width: number
  readonly name: number
}

/** Cells of a concept besides its name: pointer, key, box, mark and blanks. */
const BESIDE_NAME = 10
/** Concepts of this probability are marked; figures would sway the answer. */
const LIKELY = 0.5
/** From this width on, two columns of 20 letters fit. */
const TWO_COLUMNS = 70

function gridOf(concepts: readonly string[], columns: number): Grid {
  const longest = Math.min(30, Math.max(...concepts.map(cellWidth)))
  // Two columns of clipped names show more than one.
  const count = Math.max(columns < TWO_COLUMNS ? 1 : 2, Math.floor(columns / (longest + BESIDE_NAME)))
  const width = Math.floor(columns / count)
  return {columns: count, width, name: Math.max(1, Math.min(longest, width - BESIDE_NAME))}
}

/** The concepts that fit, down the columns: pointer, key, box, a mark if it is likely, and name. */
function conceptGrid(
  view: LabelView,
  shown: readonly number[],
  {concepts}: LabelFacts,
  {columns, width, name, column, listed: room}: Grid & ViewRoom
): string[] {
  const first = firstListed(view.cursor, room)
  if (shown.length === 0) return [pc.dim('   no concept has this in its name')]
  return Array.from({length: column}, (_, row) =>
    Array.from({length: columns}, (_, c) => {
      const place = c * column + row
      const i = shown[first + place]
      if (i === undefined) return ''
      const isTicked = view.ticked.has(i)
      const pointer = first + place === view.cursor ? pc.cyan('\u276f') : ' '
      const key = view.find === undefined ? (TICK_KEYS[place] ?? ' ') : ' '
      const box = isTicked ? pc.green('[x]') : '[ ]'
      const label = fitCells(concepts[i], name)
      const isLikely = view.probabilities[i] >= LIKELY
      const mark = isLikely ? pc.yellow('*') : ' '
      const blanks = ' '.repeat(Math.max(0, width - BESIDE_NAME - name))
      return `${pointer} ${pc.bold(key)} ${box}${mark}${isTicked ? pc.green(pc.bold(label)) : isLikely ? pc.yellow(label) : label}${blanks} `
    }).join('')
  )
}

const KEYS: readonly (readonly [keys: string, what: string])[] = [
  ['1-9 a-z', 'tick or untick the concept with this key'],
  ['arrows, space', 'move to a concept, tick it'],
  ['/', 'find a concept by part of its name; Enter ticks it'],
  ['Enter', 'done: ticked concepts are present, all others absent'],
  ['y n', 'answer a short question'],
  ['u', 'undo the latest answer; again for earlier ones'],
  ['s', 'skip a document that you cannot judge; it is not used'],
  ['PgUp PgDn < >', 'turn the page of a long document'],
  ['i', 'how well each prevalence is known so far'],
  ['q', 'quit; run the same command to continue'],
  ['Ctrl-Z', 'suspend the program; fg brings it back']
]

const TEXT =
  'Every answer is saved at once. Prevalences are estimated from random documents, which you label completely. Short questions in ' +
  'between, about documents where the anchor of a concept fires, show how often the anchor is right. ' +
  'A * marks concepts that a quick model of the labels so far takes for likely: a hint, not an answer. Up to 30 concepts keep their keys; of more, the likely ones come first.'

function helpLines(columns: number): string[] {
  return [
    '',
    ...KEYS.map(([keys, what]) => `  ${pc.bold(keys.padEnd(15))}${what}`),
    '',
    ...wrapCells(TEXT, columns - 4).map(line => `  ${line}`)
  ]
}

/** The bars run from 0.1% to 100%, on a log scale. */
const LEAST = 0.001
const BAR = 24

/** Every concept with its prevalence and 90% interval, least certain first; unusable concepts come last. */
function intervalLines(concepts: readonly string[], {precision}: LabelProgress, columns: number): string[] {
  if (precision === undefined) return ['', '  No estimates yet: no labelled document has a concept.']
  const name = Math.max(8, Math.min(columns - BAR - 34, Math.max(...concepts.map(cellWidth))))
  const head = `  ${fitCells('concept', name)}  ${fitCells('prevalence, 90% interval', 24)}  factor  ${fitCells('0.1%', BAR - 4)}100%`
  const rows = precision.rates.map(({prevalence, refusal}, i) => ({
    width: prevalence.high / prevalence.low,
    prevalence,
    concept: concepts[i],
    fault: refusal?.reason
  }))
  const known = rows
    .filter(({fault}) => fault === undefined)
    .toSorted((a, b) => b.width - a.width)
    .map(({concept, prevalence, width}) => {
      const {value, low, high} = prevalence
      const numbers = `${percent(value).padStart(6)}  ${percent(low)} - ${percent(high)}`
      return `  ${fitCells(concept, name)}  ${fitCells(numbers, 24)}  ${widthText(width).padStart(6)}  ${bar(prevalence)}`
    })
  const faults = rows.flatMap(({concept, fault}) =>
    fault === undefined ? [] : [pc.yellow(clipCells(`  ${fitCells(concept, name)}  not usable: ${fault}`, columns))]
  )
  return [pc.dim(head), ...known, ...(faults.length > 0 ? ['', ...faults] : [])]
}

function bar({value, low, high}: RateInterval): string {
  const place = (p: number) => Math.round(((BAR - 1) * Math.log(Math.max(p, LEAST) / LEAST)) / Math.log(1 / LEAST))
  const [from, at, to] = [low, value, high].map(place)
  const cells = Array.from({length: BAR}, (_, cell) =>
    cell === at ? '\u25cf' : cell >= from && cell <= to ? '\u2501' : ' '
  )
  return pc.cyan(cells.join(''))
}

/** Highlights the anchor of a short question or, in a random document, all anchors that fire. */
function anchorPaint(question: Question, anchors: readonly (readonly string[])[], fields: readonly string[]): Paint {
  const concepts = question.drawn === 'anchored' ? [question.concept] : question.document.evidence.anchors
  const names = concepts.flatMap(i => anchors[i])
  if (names.length === 0 || !pc.isColorSupported) return line => line
  const patterns = new Map(
    [...fields, 'features'].map(field => {
      const here = names.filter(name => fieldOf(name, fields) === undefined || fieldOf(name, fields) === field)
      return [field, here.length === 0 ? undefined : new RegExp(here.map(n => patternOf(n, fields)).join('|'), 'giu')]
    })
  )
  return (line, field) => {
    const pattern = patterns.get(field)
    return pattern === undefined ? line : line.replace(pattern, match => (match === '' ? '' : pc.cyan(pc.bold(match))))
  }
}

function fieldOf(name: string, fields: readonly string[]): string | undefined {
  return fields.find(field => name.startsWith(`${field}:`))
}

function patternOf(name: string, fields: readonly string[]): string {
  const field = fieldOf(name, fields)
  const rest = field === undefined ? name : name.slice(field.length + 1)
  const regex = /^\/(.+)\/[a-z]*$/s.exec(rest)
  if (regex !== null && isPattern(regex[1])) return `(?:${regex[1]})`
  const words = rest.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&').replace(/\s+/g, '\\s+')
  return `(?<![\\p{L}\\p{N}])${words}(?![\\p{L}\\p{N}])`
}

/** Whether the source is valid with the flags shared by all patterns. */
function isPattern(source: string): boolean {
  try {
    new RegExp(source, 'giu')
    return true
  } catch {
    return false
  }
}
