import type {Command} from 'commander'
import {AdfaError} from '../../../base/checks/index.ts'
import {counted} from '../../../base/text/index.ts'
import type {Counts} from '../../../read/counts/index.ts'
import {Encoder, textOptionsOf} from '../../../read/data/index.ts'
import {openDocuments} from '../../../read/files/index.ts'
import {recordOf} from '../../../read/reading/index.ts'
import {
  anchorTotals,
  DocumentDraw,
  type Draw,
  drawDefaults,
  type LabelRow,
  LabelSession,
  mergeAnswers,
  rowsFromSheet,
  type SheetAnswers
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
  type SheetLayout,
  sheetFormat,
  writeSheetFile
} from '../label/store.ts'
import type {Output} from '../output.ts'
import {readLabelRows} from '../read-anchors.ts'
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
  adfa label notes.jsonl --anchors anchors.json --from-sheet sheet.xlsx -o labels.jsonl`.action(
    async (paths: string[], options: LabelOptions, command: Command) => {
      const {output: file, sheet, fromSheet, enough} = options
      const output = outputOf(options, command, [sheet])
      checkModes(options)
      if (sheet !== undefined && !options.force) await refuseFilled(sheet)
      const held = options.heldLabels === undefined ? [] : await readLabelRows(options.heldLabels)
      const store = file === undefined ? {rows: held} : await openLabelStore(file, held)
      if (held.length > 0) noteHeld(options, store.rows === held, output)
      const {counts, draw, answers} = await prepare({paths, options, command, output}, options, store.rows)
      noteSkipped(counts.lexicon, output)
      const concepts = counts.lexicon.anchors.map(({concept}) => concept)
      const task = {concepts, draw, totals: anchorTotals(counts), narrow: enough}
      const open = (rows: readonly LabelRow[], where = file) => new LabelSession(task, rows, where)
      if (sheet !== undefined) {
        const {text: fields} = counts.lexicon.reading
        const layout = {concepts, fields, delimiter: await delimiterOf(paths[0], options)}
        return writeSheet(open(store.rows), layout, sheet, output)
      }
      if (!('save' in store) || file === undefined) return
      if (fromSheet !== undefined && answers !== undefined) {
        const merged = mergeAnswers(store.rows, answers.rows, name => draw.wanted.get(name), fromSheet)
        const session = open(merged.rows, fromSheet)
        await store.save(session.rows)
        noteSheet(answers, merged.changed, output)
        return reportLabels(session, file, enough, output)
      }
      const session = open(store.rows)
      output.done()
      const stream = options.json ? process.stderr : process.stdout
      const save = () => store.save(session.rows)
      const end = await cancellable(signal =>
        runDialogue({session, lexicon: counts.lexicon, narrow: enough, save, streams: {output: stream, signal}})
      )
      if (end === 'cancelled') throw new AdfaError('cancelled', `stopped; ${file} has every answer`)
      reportLabels(session, file, enough, output)
    }
  )
}

/** Questions need a person; with --json, standard output carries the result and they move to standard error. */
function checkTerminal(json: boolean): void {
  const stream = json ? process.stderr : process.stdout
  if (process.stdin.isTTY && stream.isTTY && process.env.TERM !== 'dumb') return
  throw usageError(
    'adfa label needs a terminal; run it in one, or label in a spreadsheet: ' +
      '--sheet sheet.csv writes the questions, --from-sheet sheet.csv -o labels.jsonl reads the answers'
  )
}

/** Between the cells of a sheet of text: semicolons where the documents have them, since spreadsheet programs then expect these. */
async function delimiterOf(path: string, options: LabelOptions): Promise<',' | ';'> {
  if (path === '-') return ','
  const {format, encoding, worksheet} = options
  const source = openDocuments([path], {...textOptionsOf(options), format, encoding, worksheet, keepsRecords: true})
  try {
    for await (const [row] of source.batches())
      if (row !== undefined) return recordOf(row).dialect?.delimiter === ';' ? ';' : ','
    return ','
  } finally {
    await source.close()
  }
}

/** What becomes of the labels that a project holds. */
function noteHeld({heldLabels, output: file}: LabelOptions, isNew: boolean, output: Output): void {
  if (file === undefined) return
  output.note(
    `${file} ${isNew ? `begins with the labels of ${heldLabels}` : `is continued, whatever labels ${heldLabels} holds`}; ` +
      `for other commands to use it, write "labels": ${JSON.stringify(file)} into ${heldLabels}`
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
  if (fromSheet === undefined && output === '-')
    throw usageError('labels are saved after every answer, which needs a file; name one with -o')
  if (fromSheet === undefined) checkTerminal(json === true)
}

interface Prepared {
  readonly counts: Counts
  readonly draw: Draw
  readonly answers: SheetAnswers | undefined
}

/** Counts the documents, then reads those that are drawn or have an answer. */
async function prepare(task: ReadingTask, options: LabelOptions, rows: readonly LabelRow[]): Promise<Prepared> {
  const {documents: most, anchored, seed, fromSheet} = options
  const records = fromSheet === undefined ? undefined : await readSheetFile(fromSheet)
  return withInput(task, async ({counts, documents}) => {
    if (documents === undefined)
      throw usageError(`${task.paths[0]}: counts hold no documents to read; give the documents themselves`)
    const concepts = counts.lexicon.anchors.map(({concept}) => concept)
    const answers = records === undefined ? undefined : rowsFromSheet(records, concepts, String(fromSheet))
    const keys = new Set([...rows, ...(answers?.rows ?? [])].map(({id}) => String(id)))
    const drawing = new DocumentDraw(counts.lexicon, {documents: most, anchored, seed}, key => keys.has(key))
    const {accepts} = new Encoder(counts.lexicon)
    await eachDocument(documents.source, 'drawing documents', task.output, row => {
      if (accepts(row)) drawing.add(row)
    })
    return {counts, draw: drawing.finish(), answers}
  })
}

async function writeSheet(session: LabelSession, layout: SheetLayout, path: string, output: Output): Promise<void> {
  const questions = session.remaining()
  await writeSheetFile(path, questions, layout)
  const whole = questions.filter(({drawn}) => drawn === 'random').length
  output.json({file: path, documents: whole, shortQuestions: questions.length - whole})
  output.print(
    `${counted(whole, 'document')} and ${counted(questions.length - whole, 'short question')} in ${path}\n` +
      '  concepts   x in each that the document has; "-" is not asked about: leave it\n' +
      '  done       x when the line is finished, also if the document has none\n' +
      '  drawn      random: every concept is asked about; anchored: a short question about one\n' +
      '  [...]      the text of the document\n' +
      `then read the answers with --from-sheet ${path}`
  )
}

function noteSheet({unanswered, ignored}: SheetAnswers, changed: number, output: Output): void {
  if (ignored.length > 0) output.note(`ignored unknown columns: ${ignored.join(', ')}`)
  if (changed > 0) output.note(`${counted(changed, 'answer')} of the labels file changed to those of the sheet`)
  if (unanswered > 0) output.note(`${counted(unanswered, 'line')} of the sheet not answered yet`)
}

const aboveOne = numberType('a number above 1', value => value > 1 && Number.isFinite(value))

function reportLabels(session: LabelSession, file: string, narrow: number, output: Output): void {
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
  const words = [counted(documents, 'document'), ...(short > 0 ? [counted(short, 'short answer')] : [])]
  const isOpen = enough === undefined
  output.print(
    blocksText([
      prevalenceTable(knownPrevalences(session.concepts, progress)),
      paragraph(
        `${words.join(' and ')} labelled in ${file}${skipped > 0 ? `, ${skipped} skipped` : ''}\n${knownText(progress)}\n` +
          `${goalText(progress, narrow)}${isOpen ? '; run the same command to continue' : ''}`
      )
    ])
  )
}
