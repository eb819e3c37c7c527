import {addLabels, Counter, type Counts, type CountsHeader, isLabelled} from '../counts/index.ts'
import {
  type Anchors,
  createLabelReader,
  DocumentSurvey,
  documentFilter,
  type Encoder,
  FieldSurvey,
  hashedKey,
  type Labels,
  type LexiconOptions,
  LexiconReader,
  type Row,
  rowKey,
  WordNumbers,
  type WordSurvey
} from '../data/index.ts'
import {type DocumentBlock, eachRow} from '../reading/index.ts'
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

/** Reads a pass over documents, once, with labels counted and a sample drawn on the way. */
abstract class DocumentPass {
  protected readonly options: PassOptions
  protected readonly fields: FieldSurvey
  readonly #accepts: (row: Pick<Row, 'tags'>) => boolean
  readonly #readLabels: Encoder['labels']
  readonly #drawer: SampleDrawer | undefined
  protected readonly labelled: Float64Array

  constructor(options: PassOptions) {
    const {anchors, reading, labels, sample} = options
    this.options = options
    this.fields = new FieldSurvey(reading.text)
    this.#accepts = documentFilter(reading.filter)
    this.#readLabels = createLabelReader(anchors, labels)
    this.#drawer = sample && new SampleDrawer(options, labels !== undefined, sample)
    this.labelled = new Float64Array(4 * anchors.length)
  }

  /** Read the documents of a block; its number matters where threads draw parts of a sample. Returns how many they are. */
  add(block: DocumentBlock, number: number): number {
    let documents = 0
    const visit = (row: Row) => {
      documents++
      // What readers find in the features of documents, they tell; those that the filter drops count, too.
      if (this.#accepts(row)) {
        this.fields.addFields(row)
        this.#take(row, number)
      } else this.fields.add(row)
    }
    eachRow(block, visit)
    this.endBlock()
    return documents
  }

  /** The fields asked for that no document has. */
  unseen(): string[] {
    return this.fields.unseen()
  }

  sampled(): SampledRow[] {
    return this.#drawer?.finish() ?? []
  }

  /** Read a document; returns the concepts whose anchors fire, when asked. */
  protected abstract read(row: Row): () => readonly number[]

  protected endBlock(): void {}

  #take(row: Row, block: number): void {
    const firedConcepts = this.read(row)
    const {labelShare, labels} = this.options
    if (labelShare === 0 && labels === undefined && this.#drawer === undefined) return
    const key = rowKey(row)
    const isGiven = labels !== undefined && labels.get(row.id === undefined ? hashedKey(key) : key) !== undefined
    const isCounted = isLabelled(this.options, key)
    if (isCounted && (isGiven || labels === undefined)) {
      const found = this.#readLabels(row)
      if (found !== undefined) addLabels(this.labelled, firedConcepts(), found)
    }
    this.#drawer?.add({row, key, block, isLabelled: labels === undefined ? isCounted : isGiven})
  }
}

/** Reads documents, learns how frequent their words are, and keeps them in a store, if there is one, so that counting need not read again. */
export class SurveyPass extends DocumentPass {
  readonly #survey: DocumentSurvey
  readonly #store: NumberStore | undefined

  constructor(options: PassOptions, store: NumberStore | undefined) {
    super(options)
    const {anchors, reading} = options
    this.#survey = new DocumentSurvey(anchors, reading.phrases, reading.text, name => this.fields.addFeature(name))
    this.#store = store
  }

  /** How many different tokens there are, of all fields together. */
  get distinctTokens(): number {
    return this.#survey.reader.table.size
  }

  protected read(row: Row): () => readonly number[] {
    const {reader} = this.#survey
    this.#survey.add(row)
    this.#store?.append(reader.tokens.values, reader.tokens.length)
    this.#store?.append(reader.members, reader.members.length)
    return () => reader.firedConcepts()
  }

  protected override endBlock(): void {
    this.#store?.endBlock()
  }

  survey(): WordSurvey {
    return this.#survey.take()
  }

  /** The counts of all documents, by a lexicon with the same anchors and reading; undefined where they are not kept. */
  count(header: CountsHeader): Counts | undefined {
    const store = this.#store
    if (store === undefined || !store.isWhole) return undefined
    const counter = new Counter(header)
    const numbers = new WordNumbers(header.lexicon, this.#survey.reader.table)
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
  readonly #counter: Counter
  readonly #reader: LexiconReader

  constructor(header: CountsHeader, options: Pick<PassOptions, 'labels' | 'sample'>) {
    const {lexicon, labelShare, seed} = header
    super({...options, anchors: lexicon.anchors, reading: lexicon, labelShare, seed})
    this.#counter = new Counter(header)
    this.#reader = new LexiconReader(lexicon, name => this.fields.addFeature(name))
  }

  protected read(row: Row): () => readonly number[] {
    this.#reader.read(row)
    this.#counter.add(this.#reader)
    return () => this.#reader.firedConcepts()
  }

  finish(): Counts {
    return {...this.#counter.finish(), labelled: this.labelled}
  }
}
