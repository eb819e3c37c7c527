import {growingIntegers, hashShare} from '../../base/numeric/index.ts'
import {addLabels, Counter, type Counts, type CountsHeader, countNumbered, isLabelled} from '../counts/index.ts'
import {
  createLabelReader,
  documentFilter,
  Encoder,
  FieldSurvey,
  hashedKey,
  type Lexicon,
  type LexiconReader,
  NumberedReader,
  type Row,
  rowKey,
  TagSurvey,
  WordNumbers,
  type WordSurvey
} from '../data/index.ts'
import {type DocumentBlock, eachRow} from '../reading/index.ts'
import type {EngineControl, SampleOptions} from './counting-engine.ts'

/** What a thread does with blocks of documents. A pass that counts, or keeps documents to be counted, finds labels and a sample besides words. */
export type PassJob = {readonly stage: 'tags'} | WordsJob | CountingJob

/** A thread learns how frequent words are, and keeps the documents as numbers. */
interface WordsJob extends Asides {
  readonly stage: 'vocabulary'
  readonly reading: LexiconReader
  readonly keptBytes: number
}

interface CountingJob extends Asides {
  readonly stage: 'counting'
  readonly reading: Lexicon
}

type Asides = ReturnType<typeof asidesOf>

/** What goes to a thread of the control of a pass: labels by key, instead of the tags and labels of the documents. */
export function asidesOf({counting = {labelShare: 0, seed: 0}, labels, sample}: EngineControl) {
  return {...counting, labels: labels && new Map(labels), sample: sample && {size: sample.size, seed: sample.seed}}
}

export type CountTasks = ReturnType<typeof createCountTasks>

export type CountsAnswer = NonNullable<ReturnType<CountTasks['count']>>

/** The tasks of a thread that counts. It remembers its job from block to block. */
export function createCountTasks() {
  let tags = new TagSurvey()
  let pass: ReturnType<typeof openPass> | undefined
  return {
    begin(job: PassJob): void {
      tags = new TagSurvey()
      pass = job.stage === 'tags' ? undefined : openPass(job)
    },
    /** `number` is that of the block among all, from 0. Returns how many documents it has. */
    block({block, number}: {readonly block: DocumentBlock; readonly number: number}): number {
      let documents = 0
      eachRow(block, row => {
        documents++
        if (pass === undefined) tags.add(row)
        else pass.add(row, number)
      })
      pass?.endBlock()
      return documents
    },
    /** The tags or the words of all blocks since the job began. */
    survey: (_: undefined) => ({
      tags: tags as Pick<TagSurvey, 'documentCount' | 'counts'>,
      words: pass?.survey()
    }),
    /** The counts of all blocks since the job began, which it ends; undefined where the documents were not kept. */
    count(header: CountsHeader) {
      const answer = pass?.count(header)
      pass = undefined
      return answer
    }
  }
}

/** The buffers of the counts, which the thread needs no more. */
export function buffersOf(answer: unknown): ArrayBuffer[] {
  const {counted = {}} = (answer ?? {}) as Partial<CountsAnswer>
  const buffers = Object.values(counted).map(part => (ArrayBuffer.isView(part) ? part.buffer : undefined))
  return [...new Set(buffers)].filter(buffer => buffer instanceof ArrayBuffer)
}

/** Reads documents as numbers, once: learns how frequent words are or counts, with labels counted and a sample drawn on the way. */
function openPass(job: WordsJob | CountingJob) {
  const {reading, labels, labelShare, sample} = job
  const documents = job.stage === 'vocabulary' ? keptDocuments(job) : countedDocuments(job)
  const fields = new FieldSurvey(reading.reading)
  const accepts = documentFilter(reading.filter)
  const readLabels = createLabelReader(reading.anchors, labels)
  const drawer = sample && sampleDrawer(labels === undefined ? labelShare : 0, sample)
  const labelled = new Float64Array(4 * reading.anchors.length)
  const foundLabels = new Set<string>()
  const hasAsides = labelShare > 0 || labels !== undefined || drawer !== undefined
  return {
    add(row: Row, block: number): void {
      fields.add(row)
      if (!accepts(row)) return
      const fired = documents.add(row)
      if (!hasAsides) return
      const key = rowKey(row)
      const labelKey = row.id === undefined ? hashedKey(key) : key
      const isGiven = labels?.has(labelKey) === true
      if (isGiven) foundLabels.add(labelKey)
      const isCounted = isLabelled(job, key)
      const found = isCounted && (isGiven || labels === undefined) ? readLabels(row) : undefined
      if (found !== undefined) addLabels(labelled, fired, found)
      drawer?.add({row, key, block, isLabelled: labels === undefined ? isCounted : isGiven})
    },
    endBlock: () => documents.endBlock(),
    survey: () => documents.survey(),
    count(header: CountsHeader) {
      const counts = documents.count(header)
      if (counts === undefined) return undefined
      const {lexicon: _, ...counted} = counts
      return {
        counted: {...counted, labelled},
        /** Fields asked for that none of the thread's documents has. */
        unseen: fields.unseen(),
        /** Keys of documents that were looked up among the labels and found. */
        labelled: [...foundLabels],
        sampled: drawer?.finish() ?? []
      }
    }
  }
}

interface PassDocuments {
  /** Returns the concepts whose anchors fire. */
  add(row: Row): readonly number[]
  endBlock(): void
  survey(): WordSurvey | undefined
  /** Undefined where there were too many documents to keep. */
  count(header: CountsHeader): Counts | undefined
}

function countedDocuments({reading: lexicon, labelShare, seed}: CountingJob): PassDocuments {
  const counter = new Counter({lexicon, labelShare, seed})
  const encoder = new Encoder(lexicon)
  return {
    add(row) {
      const evidence = encoder.read(row)
      counter.add(evidence)
      return evidence.anchors
    },
    endBlock() {},
    survey: () => undefined,
    count: () => counter.finish()
  }
}

/** Surveys the words of documents, and keeps these to be counted later. */
function keptDocuments({reading: {anchors, phrases, reading}, keptBytes}: WordsJob): PassDocuments {
  const reader = new NumberedReader(anchors, phrases, reading)
  const store = new NumberStore(keptBytes)
  return {
    add(row) {
      reader.read(row)
      store.add(reader.tokens.values, reader.tokens.length, reader.members)
      return reader.concepts
    },
    endBlock: () => store.endBlock(),
    survey: () => reader.survey(),
    count(header) {
      if (!store.isWhole) return undefined
      const numbers = new WordNumbers(header.lexicon, reader.table)
      return countNumbered(header, {
        documentCount: store.documentCount,
        members: d => store.members(d),
        mostWords: d => store.tokens(d).length,
        words: d => {
          const tokens = store.tokens(d)
          return numbers.of(tokens, 0, tokens.length)
        }
      })
    }
  }
}

/** Bytes that are taken at once. Smaller pieces of memory stay with the process when a thread ends. */
const CHUNK_SIZE = 2 ** 26

/** Keeps documents as numbers in memory: in 2 bytes each where all of a block fit. Beyond `limit` bytes, everything is forgotten. */
export class NumberStore {
  readonly #limit: number
  #blocks: (Uint16Array | Uint32Array)[] = []
  /** Of each document, its block and where its tokens begin there: after their number, and before that of the members. */
  readonly #blockOf = growingIntegers()
  readonly #starts = growingIntegers()
  readonly #open = growingIntegers(1 << 16)
  #bytes = 0
  #chunk = new ArrayBuffer(0)
  #used = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  get documentCount(): number {
    return this.#starts.length
  }

  get isWhole(): boolean {
    return this.#bytes <= this.#limit
  }

  /** Add a document with the first `count` of these tokens. */
  add(tokens: ArrayLike<number>, count: number, members: ArrayLike<number>): void {
    if (!this.isWhole) return
    this.#open.push(count)
    this.#blockOf.push(this.#blocks.length)
    this.#starts.push(this.#open.length)
    this.#open.append(tokens, 0, count)
    this.#open.push(members.length)
    this.#open.append(members)
  }

  endBlock(): void {
    if (!this.isWhole) return
    const numbers = this.#open.values.subarray(0, this.#open.length)
    const Numbers = numbers.every(number => number < 65536) ? Uint16Array : Uint32Array
    const size = numbers.length * Numbers.BYTES_PER_ELEMENT
    if (this.#used + size > this.#chunk.byteLength) {
      this.#chunk = new ArrayBuffer(Math.max(CHUNK_SIZE, size))
      this.#used = 0
    }
    const block = new Numbers(this.#chunk, this.#used, numbers.length)
    block.set(numbers)
    this.#blocks.push(block)
    this.#used += 4 * Math.ceil(size / 4)
    this.#open.length = 0
    this.#bytes += size
    if (this.isWhole) return
    this.#blocks = []
    this.#chunk = new ArrayBuffer(0)
  }

  /** The tokens of a document whose block has ended. */
  tokens(document: number): Uint16Array | Uint32Array {
    return this.#listAt(document, this.#starts.values[document])
  }

  members(document: number): Uint16Array | Uint32Array {
    const start = this.#starts.values[document]
    const block = this.#blocks[this.#blockOf.values[document]]
    return this.#listAt(document, start + block[start - 1] + 1)
  }

  #listAt(document: number, start: number): Uint16Array | Uint32Array {
    const block = this.#blocks[this.#blockOf.values[document]]
    return block.subarray(start, start + block[start - 1])
  }
}

/** A document that may be in the sample. */
export interface SampledRow {
  readonly row: Row
  /** The number of its block, by which the parts that several threads drew are put in order. */
  readonly block: number
  /** Drawn by its key, in [0, 1): the sample has what lies below `size / N`, of N counted documents. */
  readonly share: number
  readonly isLabelled: boolean
}

/**
 * Draws a sample in the pass that counts. N is known only at the end, but the bound `size / N` falls as N grows, so a
 * document above the bound of the documents so far is out for good. Memory: about `2 * size` documents and the labelled ones.
 */
function sampleDrawer(labelShare: number, {size, seed}: SampleOptions) {
  let rows: SampledRow[] = []
  let documentCount = 0
  let pruneAt = 2 * size
  const finish = () => rows.filter(isSampled(size, labelShare, documentCount))
  return {
    add({key, ...drawn}: Omit<SampledRow, 'share'> & {readonly key: string}): void {
      documentCount++
      const share = hashShare(`sample ${key}`, seed)
      if (share >= size / documentCount && !drawn.isLabelled) return
      rows.push({...drawn, share})
      if (rows.length < pruneAt) return
      rows = finish()
      pruneAt = 2 * Math.max(size, rows.length)
    },
    finish
  }
}

/**
 * Whether a document is in the sample of `documentCount` documents. So are all labelled ones when they are at most about `size`;
 * a `labelShare` of 0 stands for given labels, which are always taken.
 */
export function isSampled(size: number, labelShare: number, documentCount: number): (drawn: SampledRow) => boolean {
  const takesLabelled = labelShare * documentCount <= size
  return drawn => drawn.share < size / documentCount || (takesLabelled && drawn.isLabelled)
}
