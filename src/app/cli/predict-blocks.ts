import {AdfaError} from '../../base/checks/index.ts'
import {createInference, type InferenceOptions} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {
  createLabelReader,
  Encoder,
  type Evidence,
  FieldSurvey,
  type Row,
  type TableDialect
} from '../../read/data/index.ts'
import type {TableFormat} from '../../read/files/index.ts'
import {type Cell, parseBlock, type TableColumn, tableLines} from '../../read/reading/index.ts'
import {
  idPlace,
  likelyFrom,
  type PredictionLineOptions,
  predictionWriter,
  type TaggedOptions,
  type TagRule,
  taggedTable,
  taggedWriter,
  tagsFrom
} from '../../use/prediction/index.ts'
import type {BlockWork} from './each-block.ts'

/** What is predicted and written, as data that threads can be given. */
export interface PredictionJob {
  readonly model: Model
  readonly use: Partial<InferenceOptions>
  /** Names of concepts, or just `tags`. */
  readonly known: readonly string[] | undefined
  readonly written: Written
  /** Where documents are tagged, and counted by tag. */
  readonly tagging?: Tagging | undefined
}

/** Lines of predictions, lines with all fields of the documents, or tables. */
type Written =
  | {readonly kind: 'predictions'; readonly options: PredictionLineOptions}
  | {readonly kind: 'tagged'; readonly rule: TagRule}
  | ({readonly kind: 'table'; readonly format: TableFormat; readonly options: TaggedOptions} & DocumentColumns)

export interface DocumentColumns {
  readonly columns: readonly TableColumn[]
  readonly dialect: TableDialect | undefined
}

interface Tagging {
  readonly rule: TagRule
  /** Answers of people: labelled concepts have the probability 1 or 0. */
  readonly answers: ReadonlyMap<string, ReadonlyMap<string, boolean>>
}

/**
 * Counts documents by concept: `anchored` where its anchor fires, `tagged` with it, `withoutAnchor` those tagged although its
 * anchor does not fire, and `likely` those of the second list.
 */
export interface TagCounts {
  readonly documents: number
  readonly anchored: readonly number[]
  readonly tagged: readonly number[]
  readonly withoutAnchor: readonly number[]
  readonly likely: readonly number[]
  /** Documents with labels, and with a tag that is a concept. */
  readonly labelled: number
  readonly withTags: number
}

/** What became of a block: text, or the cells of a workbook or Parquet file. */
export interface PredictedBlock {
  readonly documents: number
  readonly unconverged: number
  /** Fields that no document so far had. */
  readonly unseen: readonly string[]
  readonly bytes: Uint8Array
  readonly cells: Cell[][]
  /** Documents without an id: their number in the block, and where in the text their number among all documents belongs. */
  readonly unnamed: readonly {readonly document: number; readonly place: number}[]
  readonly tags: TagCounts | undefined
  /** Tags of the documents, where these are the known concepts. */
  readonly knownTags: readonly string[]
}

export function createBlockPredictor({model, use, known, written, tagging}: PredictionJob): BlockWork<PredictedBlock> {
  const inference = createInference(model, use)
  const knownOf = readKnown(model, known)
  const survey = new FieldSurvey(model.lexicon.reading)
  const read = new Encoder(model.lexicon).encode
  const writer = createWriter(model, written)
  const tagger = tagging && new TagTally(model, tagging)
  return async (block, pause) => {
    const rows = parseBlock(block)
    let unconverged = 0
    const knownTags = new Set<string>()
    for (const row of rows) {
      if (known?.join() === 'tags') for (const tag of row.tags ?? []) knownTags.add(tag)
      survey.add(row)
      const evidence = read(row)
      const {probabilities, certificate} = inference.posterior(evidence, knownOf(row))
      if (certificate.status === 'step-limit') unconverged++
      writer.add(
        row,
        tagger?.answered(row, evidence, probabilities) ?? probabilities,
        use.anchors === 'hidden' ? [] : evidence.anchors
      )
      const pausing = pause?.()
      if (pausing !== undefined) await pausing
    }
    const unseen = survey.unseen()
    const tags = tagger?.take()
    return {documents: rows.length, unconverged, unseen, ...writer.take(), tags, knownTags: [...knownTags]}
  }
}

interface BlockWriter {
  add(row: Row, probabilities: ArrayLike<number>, anchored: readonly number[]): void
  /** What was added since the last call. */
  take(): Pick<PredictedBlock, 'bytes' | 'cells' | 'unnamed'>
}

function createWriter(model: Model, written: Written): BlockWriter {
  const encoder = new TextEncoder()
  let lines: string[] = []
  let length = 0
  let cells: Cell[][] = []
  let unnamed: {document: number; place: number}[] = []
  let count = 0
  const addLine = (line: string) => {
    lines.push(line)
    const from = length
    length += Buffer.byteLength(line)
    return from
  }
  const add = rowWriter(model, written, addLine, row => cells.push(row))
  return {
    add(row, probabilities, anchored) {
      const place = add(row, probabilities, anchored)
      if (row.id === undefined && place !== undefined) unnamed.push({document: count, place})
      count++
    },
    take() {
      const taken = {bytes: encoder.encode(lines.join('')), cells, unnamed}
      lines = []
      length = 0
      cells = []
      unnamed = []
      count = 0
      return taken
    }
  }
}

/** Returns where the id belongs; undefined where documents without an id stay so. */
type AddRow = (row: Row, probabilities: ArrayLike<number>, anchored: readonly number[]) => number | undefined

function rowWriter(
  model: Model,
  written: Written,
  addLine: (line: string) => number,
  addCells: (cells: Cell[]) => void
): AddRow {
  if (written.kind === 'predictions') {
    const write = predictionWriter(model, written.options)
    return (row, probabilities, anchored) => addLine(write(row.id, probabilities, anchored)) + idPlace
  }
  if (written.kind === 'tagged') {
    const write = taggedWriter(model, written.rule)
    return (row, probabilities, anchored) => {
      addLine(write(row, probabilities, anchored))
      return undefined
    }
  }
  const {format, options, columns, dialect} = written
  const table = taggedTable(model, {columns: () => [...columns], dialect}, options)
  const lines = format === 'csv' || format === 'tsv' ? tableLines(format, table) : undefined
  return (row, probabilities, anchored) => {
    const cells = table.cells(row, '', probabilities, anchored)
    if (lines === undefined) {
      addCells(cells)
      return undefined
    }
    const place = addLine(lines.line(cells))
    return options.onlyTags ? place : undefined
  }
}

/** Puts the answers of people in place of probabilities, and counts tags. */
class TagTally {
  readonly #model: Model
  readonly #rule: TagRule
  readonly #labelsOf: (row: Row) => Int8Array | undefined
  #documents = 0
  #anchored: number[] = []
  #tagged: number[] = []
  #withoutAnchor: number[] = []
  #likely: number[] = []
  #labelled = 0
  #withTags = 0

  constructor(model: Model, {rule, answers}: Tagging) {
    this.#model = model
    this.#rule = rule
    this.#labelsOf = createLabelReader(model.lexicon.anchors, answers)
    this.take()
  }

  answered(row: Row, {anchors}: Evidence, probabilities: ArrayLike<number>): number[] {
    const {concepts} = this.#model
    this.#documents++
    for (const i of anchors) this.#anchored[i]++
    const labels = this.#labelsOf(row)
    const shown = Array.from(probabilities, (p, i) => (labels === undefined || labels[i] < 0 ? p : labels[i]))
    if (labels?.some(label => label >= 0)) this.#labelled++
    if (row.tags?.some(tag => concepts.some(({name}) => name === tag))) this.#withTags++
    const tags = new Set(tagsFrom(this.#model, shown, anchors, this.#rule))
    const likely = new Set(likelyFrom(this.#model, shown, anchors, this.#rule))
    for (let i = 0; i < concepts.length; i++) {
      if (likely.has(concepts[i].name)) this.#likely[i]++
      if (!tags.has(concepts[i].name)) continue
      this.#tagged[i]++
      if (!anchors.includes(i)) this.#withoutAnchor[i]++
    }
    return shown
  }

  take(): TagCounts {
    const taken = {
      documents: this.#documents,
      anchored: this.#anchored,
      tagged: this.#tagged,
      withoutAnchor: this.#withoutAnchor,
      likely: this.#likely,
      labelled: this.#labelled,
      withTags: this.#withTags
    }
    this.#documents = 0
    this.#tagged = this.#model.concepts.map(() => 0)
    this.#anchored = this.#tagged.slice()
    this.#withoutAnchor = this.#tagged.slice()
    this.#likely = this.#tagged.slice()
    this.#labelled = 0
    this.#withTags = 0
    return taken
  }
}

/** The known concepts of a row: none, the same for all rows, or the tags of the row. */
export function readKnown(model: Model, known: readonly string[] | undefined): (row: Row) => Int8Array | undefined {
  if (known === undefined) return () => undefined
  const names = model.concepts.map(({name}) => name)
  const fixed = (present: readonly string[]) => Int8Array.from(names, name => (present.includes(name) ? 1 : -1))
  if (known.length === 1 && known[0] === 'tags') return row => fixed(row.tags ?? [])
  const stranger = known.find(name => !names.includes(name))
  if (stranger !== undefined)
    throw new AdfaError('bad-option', `--known: the model has no concept "${stranger}"; it has ${names.join(', ')}`)
  const values = fixed(known)
  return () => values
}
