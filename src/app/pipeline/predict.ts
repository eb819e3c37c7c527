/**
 * Documents to predictions and tables: on threads of the command line, for `adfa run` and in the studio, with the same bytes.
 */
import {AdfaError} from '../../base/checks/index.ts'
import {createInference, type InferenceOptions} from '../../learn/inference/index.ts'
import type {Model} from '../../learn/model/index.ts'
import {createLabelReader, Encoder, FieldSurvey, type Row, type TableDialect} from '../../read/data/index.ts'
import {type Cell, ColumnSurvey, recordOf, type TableColumn, tableLines} from '../../read/reading/index.ts'
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

/** What is predicted and written, as data that threads can be given. */
export interface PredictionJob {
  readonly model: Model
  readonly use?: Partial<InferenceOptions>
  /** Names of concepts, or just `tags`. */
  readonly known?: readonly string[] | undefined
  readonly written: Written
  /** Where documents are tagged, and counted by tag. */
  readonly tagging?: Tagging | undefined
}

/** Lines of predictions, lines with all fields of the documents, or a table of `text` or of cells. */
export type Written =
  | {readonly kind: 'predictions'; readonly options?: PredictionLineOptions}
  | {readonly kind: 'tagged'; readonly rule: TagRule}
  | {
      readonly kind: 'table'
      readonly text: 'csv' | 'tsv' | undefined
      readonly options: TaggedOptions
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

/** What became of some documents: text, or the cells of a workbook or Parquet file. */
export interface PredictedBlock {
  readonly documents: number
  readonly unconverged: number
  /** Fields that no document so far had. */
  readonly unseen: readonly string[]
  /** The text, cut where the numbers of the `unnamed` documents belong. */
  readonly pieces: readonly Uint8Array[]
  readonly cells: Cell[][]
  /** Documents without an id, by their place among these. */
  readonly unnamed: readonly number[]
  readonly tags: TagCounts | undefined
  /** Tags of the documents, where these are the known concepts. */
  readonly knownTags: readonly string[]
}

/** Predicts documents one by one. */
export function createDocumentPredictor({model, use = {}, known, written, tagging}: PredictionJob) {
  const inference = createInference(model, use)
  const knownOf = readKnown(model, known)
  const survey = new FieldSurvey(model.lexicon.reading)
  const read = new Encoder(model.lexicon).encode
  const write = rowWriter(model, written)
  const tally = tagging && createTally(model, tagging)
  const ownTags = known?.join() === 'tags'
  let block = new TextBlock(model)
  return {
    add(row: Row): void {
      if (ownTags) for (const tag of row.tags ?? []) block.knownTags.add(tag)
      survey.add(row)
      const evidence = read(row)
      const {probabilities, certificate} = inference.posterior(evidence, knownOf(row))
      if (certificate.status === 'step-limit') block.unconverged++
      const shown = tally?.(block.tags, row, evidence.anchors, probabilities) ?? probabilities
      write(block, row, shown, use.anchors === 'hidden' ? [] : evidence.anchors)
      block.documents++
    },
    /** What became of the documents since the last call. */
    take(): PredictedBlock {
      const {documents, unconverged, cells, unnamed, tags, knownTags} = block
      const taken = {documents, unconverged, cells, unnamed, tags: tagging && tags, knownTags: [...knownTags]}
      const pieces = block.end()
      block = new TextBlock(model)
      return {...taken, pieces, unseen: survey.unseen()}
    }
  }
}

const encoder = new TextEncoder()

/** A block that is being written. */
class TextBlock {
  documents = 0
  unconverged = 0
  readonly cells: Cell[][] = []
  readonly unnamed: number[] = []
  readonly knownTags = new Set<string>()
  readonly tags: Tally
  readonly #pieces: Uint8Array[] = []
  #text: string[] = []

  constructor({concepts}: Model) {
    const none = () => concepts.map(() => 0)
    const counts = {anchored: none(), tagged: none(), withoutAnchor: none(), likely: none()}
    this.tags = {documents: 0, ...counts, labelled: 0, withTags: 0}
  }

  /** A line; of a document without an id its number, still unknown, belongs at `idAt`. */
  line(text: string, {id}: Row, idAt?: number): void {
    if (id !== undefined || idAt === undefined) {
      this.#text.push(text)
      return
    }
    this.unnamed.push(this.documents)
    this.#text.push(text.slice(0, idAt))
    this.#cut()
    this.#text.push(text.slice(idAt))
  }

  end(): Uint8Array[] {
    this.#cut()
    return this.#pieces
  }

  #cut(): void {
    this.#pieces.push(encoder.encode(this.#text.join('')))
    this.#text = []
  }
}

type WriteRow = (block: TextBlock, row: Row, probabilities: ArrayLike<number>, anchored: readonly number[]) => void

function rowWriter(model: Model, written: Written): WriteRow {
  if (written.kind === 'predictions') {
    const write = predictionWriter(model, written.options)
    return (block, row, ...found) => block.line(write(row.id, ...found), row, idPlace)
  }
  if (written.kind === 'tagged') {
    const write = taggedWriter(model, written.rule)
    return (block, row, ...found) => block.line(write(row, ...found), row)
  }
  const {text, options, columns, dialect} = written
  const table = taggedTable(model, {columns: () => [...columns], dialect}, options)
  const lines = text && tableLines(text, table)
  return (block, row, ...found) => {
    const cells = table.cells(row, ...found)
    if (lines !== undefined) return block.line(lines.line(cells), row, options.onlyTags ? 0 : undefined)
    if (row.id === undefined && options.onlyTags) block.unnamed.push(block.documents)
    block.cells.push(cells)
  }
}

type Tally = {-readonly [K in keyof TagCounts]: TagCounts[K] extends number ? number : number[]}

/** Puts the answers of people in place of probabilities, and counts tags. */
function createTally(model: Model, {rule, answers}: Tagging) {
  const names = new Map(model.concepts.map(({name}, i) => [name, i]))
  const labelsOf = createLabelReader(model.lexicon.anchors, answers)
  const count = (counts: number[], concepts: Iterable<number>) => {
    for (const i of concepts) counts[i]++
  }
  return (tags: Tally, row: Row, anchors: readonly number[], probabilities: ArrayLike<number>): number[] => {
    const labels = labelsOf(row)
    const shown = Array.from(probabilities, (p, i) => (labels === undefined || labels[i] < 0 ? p : labels[i]))
    const numbersOf = (list: readonly string[]) => list.flatMap(name => names.get(name) ?? [])
    const tagged = numbersOf(tagsFrom(model, shown, anchors, rule))
    tags.documents++
    if (labels?.some(label => label >= 0)) tags.labelled++
    if (row.tags?.some(tag => names.has(tag))) tags.withTags++
    count(tags.anchored, anchors)
    count(tags.tagged, tagged)
    count(
      tags.withoutAnchor,
      tagged.filter(i => !anchors.includes(i))
    )
    count(tags.likely, numbersOf(likelyFrom(model, shown, anchors, rule)))
    return shown
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

/** What all blocks add up to. */
export interface Predicted extends Pick<PredictedBlock, 'documents' | 'unconverged' | 'unseen' | 'tags'> {
  readonly knownTags: ReadonlySet<string>
}

export const nothingPredicted: Predicted = {
  documents: 0,
  unconverged: 0,
  unseen: [],
  tags: undefined,
  knownTags: new Set()
}

export function addPredicted(sum: Predicted, block: PredictedBlock): Predicted {
  const {tags, knownTags} = block
  return {
    documents: sum.documents + block.documents,
    unconverged: sum.unconverged + block.unconverged,
    unseen: sum.documents === 0 ? block.unseen : sum.unseen.filter(name => block.unseen.includes(name)),
    tags: sum.tags === undefined || tags === undefined ? tags : addTags(sum.tags, tags),
    knownTags: knownTags.length === 0 ? sum.knownTags : new Set([...sum.knownTags, ...knownTags])
  }
}

function addTags(a: TagCounts, b: TagCounts): TagCounts {
  const plus = (x: readonly number[], y: readonly number[]) => x.map((value, i) => value + y[i])
  return {
    documents: a.documents + b.documents,
    anchored: plus(a.anchored, b.anchored),
    tagged: plus(a.tagged, b.tagged),
    withoutAnchor: plus(a.withoutAnchor, b.withoutAnchor),
    likely: plus(a.likely, b.likely),
    labelled: a.labelled + b.labelled,
    withTags: a.withTags + b.withTags
  }
}

/** The text and cells of a block with the numbers of documents without an id; `before` is the number of documents in earlier blocks. */
export function numbered({pieces, cells, unnamed}: PredictedBlock, before: number) {
  const ids = unnamed.map(place => String(before + place + 1))
  for (const [at, place] of unnamed.entries()) if (cells.length > 0) cells[place][0] = ids[at]
  if (pieces.length === 1) return {bytes: pieces[0], cells}
  const parts = pieces.flatMap((piece, at) => (at < ids.length ? [piece, encoder.encode(ids[at])] : [piece]))
  const bytes = new Uint8Array(parts.reduce((sum, {length}) => sum + length, 0))
  let from = 0
  for (const part of parts) {
    bytes.set(part, from)
    from += part.length
  }
  return {bytes, cells}
}

interface SurveyOptions {
  /** Whether all documents are in one file. */
  readonly isOneFile: boolean
  /** Whether cells have types; those of text have none. */
  readonly hasTypes: boolean
  readonly onlyTags?: boolean | undefined
  readonly onRows?: (count: number) => void
}

/** Looks at documents for their columns, which a table needs first. Every record of one table has the same columns. */
export async function surveyDocuments(
  batches: AsyncIterable<readonly Row[]>,
  {isOneFile, hasTypes, onlyTags = false, onRows}: SurveyOptions
): Promise<ColumnSurvey> {
  const survey = new ColumnSurvey()
  let count = 0
  for await (const batch of batches) {
    for (const row of batch) survey.add(recordOf(row))
    if (onlyTags || (survey.dialect !== undefined && isOneFile && !hasTypes)) break
    count += batch.length
    onRows?.(count)
  }
  return survey
}
