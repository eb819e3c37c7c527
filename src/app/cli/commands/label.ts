import type {Command} from 'commander'
import {counted} from '../../../base/text/index.ts'
import {Encoder} from '../../../read/data/index.ts'
import {
  anchorTotals,
  DocumentDraw,
  drawDefaults,
  type LabelRow,
  LabelSession,
  mergeAnswers,
  type Question,
  rowsFromSheet
} from '../../../use/labelling/index.ts'
import {blocksText, goalText, knownPrevalences, knownText, paragraph, prevalenceTable} from '../../present/index.ts'
import {numberType, positiveNumber, wholeNumber} from '../../project/index.ts'
import {inputOptions, outputOf, usageError} from '../common-options.ts'
import {addCommand} from '../declare.ts'
import {runDialogue} from '../label/dialogue.ts'
import {
  openLabelStore,
  readSheetFile,
  refuseFilled,
  type SheetColumns,
  sheetFormat,
  writeSheetFile
} from '../label/store.ts'
import type {Output} from '../output.ts'
import {readLabels} from '../read-anchors.ts'
import {eachDocument, type InputOptions, noteSkipped, type ReadingTask, withInput} from '../read-input.ts'
import {cancellable} from '../signals.ts'

interface LabelOptions extends InputOptions {
  readonly output?: string
  readonly documents: number
  readonly anchored: number
  readonly enough: number
  readonly sheet?: string
  readonly fromSheet?: string
  readonly force?: true
  /** A project file that holds labels itself. */
  readonly heldLabels?: string
}

export function addLabelCommand(program: Command): void {
  const {documents, anchored} = drawDefaults
  addCommand(
    program,
    {
      documents: {read: positiveNumber, preset: documents},
      anchored: {read: wholeNumber, preset: anchored},
      enough: {read: aboveOne, preset: 3}
    },
    inputOptions
  )`
label: label documents in the terminal or a spreadsheet
Label 100-200 random documents: the fastest way to reliable rates. Every answer is saved at once; run the same command again to continue.
  <docs...>            document files
  -o, --output <file>  labels file to write (JSON Lines); continues an existing file
  --documents <n>      random documents to label completely
  --anchored <n>       short questions per concept, about documents where its anchor fires
  --enough <factor>    suggest stopping when every prevalence is known to within this factor
  --sheet <file>       write the questions to a spreadsheet (.xlsx, .csv or .tsv) instead of asking
  --from-sheet <file>  read the answers from a filled-in spreadsheet
  --force              with --sheet: replace an existing file, even one with answers

Examples:
  adfa label notes.jsonl --anchors anchors.json -o labels.jsonl      # in the terminal
  adfa label notes.jsonl --anchors anchors.json --sheet sheet.xlsx   # or in a spreadsheet: fill it in, then
  adfa label notes.jsonl --anchors anchors.json --from-sheet sheet.xlsx -o labels.jsonl`.action(runLabel)
}

async function runLabel(paths: string[], options: LabelOptions, command: Command): Promise<void> {
  const {output: file, sheet, enough: narrow, heldLabels} = options
  const output = outputOf(options, command, [sheet])
  checkModes(options)
  if (sheet !== undefined && !options.force) await refuseFilled(sheet)
  const held = heldLabels === undefined ? [] : (await readLabels(heldLabels)).rows
  const store = await openLabelStore(file, held)
  if (held.length > 0 && file !== undefined)
    output.note(
      `${file} ${store.rows === held ? `begins with the labels of ${heldLabels}` : `is continued, whatever labels ${heldLabels} holds`}; ` +
        `for other commands to use it, write "labels": ${JSON.stringify(file)} into ${heldLabels}`
    )
  const {counts, draw, answers} = await prepare({paths, options, command, output}, options, store.rows)
  const {lexicon} = counts
  noteSkipped(lexicon, output)
  const concepts = lexicon.anchors.map(({concept}) => concept)
  const open = (rows: readonly LabelRow[], where = file) =>
    new LabelSession({concepts, draw, totals: anchorTotals(counts), narrow}, rows, where)
  if (sheet !== undefined) {
    const columns = {concepts, fields: lexicon.reading.text}
    return writeSheet(open(store.rows).remaining(), columns, sheet, output)
  }
  if (answers === undefined) {
    const session = open(store.rows)
    output.done()
    const stream = options.json ? process.stderr : process.stdout
    const save = () => store.save(session.rows)
    await cancellable(signal => runDialogue({session, lexicon, narrow, save, streams: {output: stream, signal}}))
    return reportLabels(session, options, output)
  }
  const {rows, changed} = mergeAnswers(store.rows, answers.rows, name => draw.wanted.get(name), answers.file)
  const session = open(rows, answers.file)
  await store.save(session.rows)
  const {unanswered, ignored} = answers
  if (ignored.length > 0) output.note(`ignored unknown columns: ${ignored.join(', ')}`)
  if (changed > 0) output.note(`${counted(changed, 'answer')} of the labels file changed to those of the sheet`)
  if (unanswered > 0) output.note(`${counted(unanswered, 'line')} of the sheet not answered yet`)
  reportLabels(session, options, output)
}

/** Questions need a person; with --json, standard output carries the result and they move to standard error. */
function checkTerminal(json = false): void {
  const stream = json ? process.stderr : process.stdout
  if (process.stdin.isTTY && stream.isTTY && process.env.TERM !== 'dumb') return
  throw usageError(
    'adfa label needs a terminal; run it in one, or label in a spreadsheet: ' +
      '--sheet sheet.csv writes the questions, --from-sheet sheet.csv -o labels.jsonl reads the answers'
  )
}

function checkModes({output, sheet, fromSheet, force, json, heldLabels}: LabelOptions): void {
  if (sheet !== undefined && fromSheet !== undefined)
    throw usageError('--sheet writes a spreadsheet and --from-sheet reads one; give one of them')
  if (force && sheet === undefined) throw usageError('--force replaces a file that --sheet writes; add --sheet')
  if (sheet !== undefined) {
    sheetFormat(sheet)
    return
  }
  if (output === undefined && heldLabels !== undefined)
    throw usageError(
      `${heldLabels} holds its labels itself, and adfa label writes a file of its own; name one with -o FILE: a new one begins with the labels of the project`
    )
  if (output === undefined) throw usageError('name the labels file to write with -o FILE')
  if (fromSheet !== undefined) return
  if (output === '-') throw usageError('labels are saved after every answer, which needs a file; name one with -o')
  checkTerminal(json)
}

/** Counts the documents, then reads those that are drawn or have an answer. */
async function prepare(task: ReadingTask, options: LabelOptions, rows: readonly LabelRow[]) {
  const {documents: most, anchored, seed, fromSheet: file} = options
  const records = file === undefined ? undefined : await readSheetFile(file)
  return withInput(task, async ({counts, documents}) => {
    if (documents === undefined)
      throw usageError(`${task.paths[0]}: counts hold no documents to read; give the documents themselves`)
    const concepts = counts.lexicon.anchors.map(({concept}) => concept)
    const answers = records && {file: String(file), ...rowsFromSheet(records, concepts, String(file))}
    const keys = new Set([...rows, ...(answers?.rows ?? [])].map(({id}) => String(id)))
    const drawing = new DocumentDraw(counts.lexicon, {documents: most, anchored, seed}, key => keys.has(key))
    const {accepts} = new Encoder(counts.lexicon)
    await eachDocument(documents.source, 'drawing documents', task.output, row => {
      if (accepts(row)) drawing.add(row)
    })
    return {counts, draw: drawing.finish(), answers}
  })
}

async function writeSheet(
  questions: readonly Question[],
  columns: SheetColumns,
  path: string,
  output: Output
): Promise<void> {
  await writeSheetFile(path, questions, columns)
  const whole = questions.filter(({drawn}) => drawn === 'random').length
  const short = questions.length - whole
  output.json({file: path, documents: whole, shortQuestions: short})
  output.print(
    `${counted(whole, 'document')} and ${counted(short, 'short question')} in ${path}\n` +
      '  concepts   x in each that the document has; "-" is not asked about: leave it\n' +
      '  done       x when the line is finished, also if the document has none\n' +
      '  drawn      random: every concept is asked about; anchored: a short question about one\n' +
      '  [...]      the text of the document\n' +
      `then read the answers with --from-sheet ${path}`
  )
}

const aboveOne = numberType('a number above 1', value => value > 1 && Number.isFinite(value))

function reportLabels(session: LabelSession, {output: file, enough: narrow}: LabelOptions, output: Output): void {
  const progress = session.progress()
  const {documents, goal, precision, enough} = progress
  const short = session.rows.filter(({drawn, skipped}) => drawn === 'anchored' && skipped === undefined).length
  const skipped = session.rows.filter(row => row.skipped !== undefined).length
  output.json({
    file,
    documents,
    goal,
    shortAnswers: short,
    skipped,
    enough: enough ?? null,
    medianFactor: precision?.median ?? null,
    worst: precision?.worst ?? null,
    concepts: precision?.rates.map((rates, i) => ({concept: session.concepts[i], ...rates})) ?? []
  })
  const answers = short > 0 ? ` and ${counted(short, 'short answer')}` : ''
  const others = skipped > 0 ? `, ${skipped} skipped` : ''
  const next = enough === undefined ? '; run the same command to continue' : ''
  const lines = [
    `${counted(documents, 'document')}${answers} labelled in ${file}${others}`,
    knownText(progress),
    `${goalText(progress, narrow)}${next}`
  ]
  output.print(blocksText([prevalenceTable(knownPrevalences(session.concepts, progress)), paragraph(lines.join('\n'))]))
}
