import {addLabels, Counter, type Counts, type CountsHeader, isLabelled} from '../counts/index.ts'
import {
  type Anchors,
  createLabelReader,
  createPlaceOf,
  documentFilter,
  type Encoder,
  FieldSurvey,
  growingIntegers,
  hashedKey,
  type Labels,
  type LexiconOptions,
  MOST_TOKENS,
  NumberedReader,
  PlainLine,
  type Row,
  rowKey,
  TagNames,
  valueFieldNames,
  WordNumbers,
  type WordSurvey
} from '../data/index.ts'
import {nodeTools} from '../files/index.ts'
import {type DocumentBlock, eachDocument} from '../reading/index.ts'
import {SampleDrawer, type SampledRow, type SampleOptions} from './document-sample.ts'
import type {NumberStore} from './number-store.ts'

/** How documents are read and what is wanted of them besides their words. */
export interface PassOptions {
  readonly anchors: Anchors
  readonly reading: Pick<LexiconOptions, 'phrases' | 'text' | 'filter'>
  readonly labelShare: number
  readonly seed: number
  /** They replace the tags and labels of the documents. */
  readonly labels?: Labels | undefined
  readonly sample?: SampleOptions | undefined
}

/** A document that was read, as far as it may have to be read again. */
interface ReadDocument {
  readonly hasId: boolean
  readonly key: () => string
  readonly row: () => Row
}

/** Reads a pass over documents, once: as numbers, with labels counted and a sample drawn on the way. */
abstract class DocumentPass {
  protected readonly options: PassOptions
  protected reader: NumberedReader
  readonly #fields: FieldSurvey
  readonly #accepts: (row: Pick<Row, 'tags'>) => boolean
  readonly #tagNames = new TagNames()
  readonly #readLabels: Encoder['labels']
  readonly #drawer: SampleDrawer | undefined
  #block = 0
  protected readonly labelled: Float64Array

  constructor(options: PassOptions) {
    const {anchors, reading, labels, sample} = options
    this.options = options
    this.#fields = new FieldSurvey(reading.text)
    this.reader = this.createReader()
    this.#accepts = documentFilter(reading.filter)
    this.#readLabels = createLabelReader(anchors, labels)
    this.#drawer = sample && new SampleDrawer(options, labels !== undefined, sample)
    this.labelled = new Float64Array(4 * anchors.length)
  }

  /** Read the documents of a block; its number matters where threads draw parts of a sample. Returns how many they are. */
  add(block: DocumentBlock, number: number): number {
    this.#block = number
    let documents = 0
    const row = (each: Row) => {
      documents++
      this.#addRow(each)
    }
    const line = (each: PlainLine, parsed: () => Row) => {
      documents++
      this.#addLine(each, parsed)
    }
    const plain = block.kind === 'rows' ? undefined : PlainLine.of(block.fields, this.options.reading.text)
    eachDocument(block, plain, {row, line}, nodeTools)
    this.endBlock()
    return documents
  }

  /** The fields asked for that no document has. */
  unseen(): string[] {
    return this.#fields.unseen()
  }

  sampled(): SampledRow[] {
    return this.#drawer?.finish() ?? []
  }

  /** A document was read: its tokens and members are those of the reader. */
  protected abstract take(): void

  protected endBlock(): void {}

  protected createReader(): NumberedReader {
    const {anchors, reading} = this.options
    return new NumberedReader(anchors, reading.phrases, reading.text, name => this.#fields.addFeature(name))
  }

  #addRow(row: Row): void {
    this.#fields.add(row)
    if (!this.#accepts(row)) return
    this.reader.readRow(row)
    this.#finish({hasId: row.id !== undefined, key: () => rowKey(row), row: () => row})
  }

  #addLine(line: PlainLine, parsed: () => Row): void {
    const {filter, text} = this.options.reading
    if (!this.#fields.isComplete) {
      // Features of documents that the filter drops count, too.
      if (filter !== undefined) {
        this.#addRow(parsed())
        return
      }
      this.#fields.addLine(line, text.fields)
    }
    if (filter !== undefined && !this.#accepts({tags: this.#tagNames.of(line)})) return
    this.reader.readLine(line)
    const hasId = line.idTo > 0
    this.#finish({hasId, key: () => (hasId ? line.id : rowKey(parsed())), row: parsed})
  }

  #finish({hasId, key: keyOf, row}: ReadDocument): void {
    this.take()
    const {labelShare, labels} = this.options
    if (labelShare === 0 && labels === undefined && this.#drawer === undefined) return
    const key = keyOf()
    const isGiven = labels !== undefined && labels.get(hasId ? key : hashedKey(key)) !== undefined
    const isCounted = isLabelled(this.options, key)
    if (isCounted && (isGiven || labels === undefined)) {
      const found = this.#readLabels(row())
      if (found !== undefined) addLabels(this.labelled, this.firedConcepts(), found)
    }
    this.#drawer?.add({row, key, block: this.#block, isLabelled: labels === undefined ? isCounted : isGiven})
  }

  protected firedConcepts(): number[] {
    return [...new Set(this.reader.members.map(member => this.reader.memberConcepts[member]))]
  }
}

/** Reads documents, learns how frequent their words are, and keeps them in a store, if there is one, so that counting need not read again. */
export class SurveyPass extends DocumentPass {
  readonly #documentCounts = growingIntegers()
  readonly #memberHits: number[]
  readonly #conceptHits: number[]
  readonly #store: NumberStore | undefined
  #documents = 0

  constructor(options: PassOptions, store: NumberStore | undefined) {
    super(options)
    this.#memberHits = this.reader.memberConcepts.map(() => 0)
    this.#conceptHits = options.anchors.map(() => 0)
    this.#store = store
  }

  /** How many different tokens there are, of all fields together. */
  get distinctTokens(): number {
    return this.reader.table.size
  }

  protected take(): void {
    const {tokens, members} = this.reader
    this.#documents++
    while (this.#documentCounts.length < this.distinctTokens) this.#documentCounts.push(0)
    const counts = this.#documentCounts.values
    for (let at = 0; at < tokens.length; at++) counts[tokens.values[at]]++
    for (const member of members) this.#memberHits[member]++
    this.#store?.append(tokens.values, tokens.length)
    this.#store?.append(members, members.length)
    if (members.length > 0) for (const concept of this.firedConcepts()) this.#conceptHits[concept]++
  }

  protected override endBlock(): void {
    this.#store?.endBlock()
  }

  survey(): WordSurvey {
    const {text} = this.options.reading
    const {table} = this.reader
    const placeOf = createPlaceOf(text)
    const frequencies = Array.from({length: text.fields.length + 1 + valueFieldNames(text).length}, () => ({
      tokens: [] as string[],
      counts: [] as number[]
    }))
    for (let token = 0; token < this.#documentCounts.length; token++) {
      const count = this.#documentCounts.values[token]
      if (count === 0) continue
      const {tokens, counts} = frequencies[placeOf(table.field(token), table.name(token))]
      tokens.push(table.name(token))
      counts.push(count)
    }
    const [memberHits, conceptHits] = [this.#memberHits, this.#conceptHits]
    return {documentCount: this.#documents, frequencies, memberHits, conceptHits}
  }

  /** The counts of all documents, by a lexicon with the same anchors and reading; undefined where they are not kept. */
  count(header: CountsHeader): Counts | undefined {
    const store = this.#store
    if (store === undefined || !store.isWhole) return undefined
    const counter = new Counter(header)
    const numbers = new WordNumbers(header.lexicon, this.reader.table)
    for (const block of store.takeBlocks())
      for (let at = 0; at < block.length; ) {
        const words = numbers.of(block, at + 1, at + 1 + block[at])
        at += 1 + block[at]
        const members = block.subarray(at + 1, at + 1 + block[at])
        at += 1 + block[at]
        counter.add({words, members})
      }
    return {...counter.finish(), labelled: this.labelled}
  }
}

/** Reads documents by a lexicon and counts them. */
export class CountingPass extends DocumentPass {
  readonly #header: CountsHeader
  readonly #counter: Counter
  #numbers: WordNumbers

  constructor(header: CountsHeader, options: Pick<PassOptions, 'labels' | 'sample'>) {
    const {lexicon, labelShare, seed} = header
    super({...options, anchors: lexicon.anchors, reading: lexicon, labelShare, seed})
    this.#header = header
    this.#counter = new Counter(header)
    this.#numbers = new WordNumbers(lexicon, this.reader.table)
  }

  protected take(): void {
    const {tokens, members} = this.reader
    const words = this.#numbers.of(tokens.values, 0, tokens.length)
    this.#counter.add({words, members})
  }

  protected override endBlock(): void {
    if (this.reader.table.size < MOST_TOKENS) return
    this.reader = this.createReader()
    this.#numbers = new WordNumbers(this.#header.lexicon, this.reader.table)
  }

  finish(): Counts {
    return {...this.#counter.finish(), labelled: this.labelled}
  }
}
