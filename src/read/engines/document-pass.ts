import {hashShare} from '../../base/numeric/index.ts'
import {addLabels, Counter, type Counts, type CountsHeader, isLabelled} from '../counts/index.ts'
import {
  createLabelReader,
  DocumentSurvey,
  documentFilter,
  type Encoder,
  FieldSurvey,
  growingIntegers,
  hashedKey,
  type Lexicon,
  MOST_TOKENS,
  type Row,
  rowKey,
  type TagFrequencies,
  TagSurvey,
  WordNumbers,
  type WordSurvey
} from '../data/index.ts'
import {type DocumentBlock, eachRow} from '../reading/index.ts'
import type {EngineControl, SampleOptions} from './counting-engine.ts'

/** A job says what a thread does with blocks of documents. */
export type PassJob = {readonly stage: 'tags'} | WordsJob | CountingJob

/** A thread learns how frequent words are, and keeps the documents as numbers. */
interface WordsJob extends Asides {
  readonly stage: 'vocabulary'
  readonly reading: Pick<Lexicon, 'anchors' | 'phrases' | 'reading' | 'filter'>
  /** False to answer block by block, so that whoever adds these up forgets the same rare words whatever the number of threads. */
  readonly isExact: boolean
  readonly keptBytes: number
}

interface CountingJob extends Asides {
  readonly stage: 'counting'
  readonly reading: Lexicon
}

/** A pass that counts, or keeps documents to be counted, finds these besides words. */
interface Asides {
  readonly labelShare: number
  readonly seed: number
  /** Labels by key, instead of the tags and labels of the documents. */
  readonly labels: ReadonlyMap<string, ReadonlyMap<string, boolean>> | undefined
  readonly sample: SampleOptions | undefined
}

export function asidesOf({counting = {labelShare: 0, seed: 0}, labels, sample}: EngineControl): Asides {
  return {...counting, labels: labels && new Map(labels), sample: sample && {size: sample.size, seed: sample.seed}}
}

/** A thread answers a block with what it found. */
export interface BlockAnswer {
  readonly documents: number
  /** Tokens that are new to this thread. */
  readonly newTokens: number
  readonly tags?: TagFrequencies
  readonly words?: WordSurvey
}

export interface CountsAnswer {
  readonly counted: Omit<Counts, 'lexicon'>
  /** Fields asked for that none of the thread's documents has. */
  readonly unseen: readonly string[]
  /** Keys of documents that were looked up among the labels and found. */
  readonly labelled: readonly string[]
  readonly sampled: readonly SampledRow[]
}

/** The tasks of a thread that counts. It remembers its job from block to block. */
export interface CountTasks {
  begin(job: PassJob): void
  /** `number` is that of the block among all, from 0. */
  block(request: {readonly block: DocumentBlock; readonly number: number}): BlockAnswer
  /** The words of all blocks since the job began. */
  survey(request: undefined): WordSurvey | undefined
  /** The counts of all blocks since the job began, which it ends; undefined where the documents were not kept. */
  count(header: CountsHeader): CountsAnswer | undefined
}

export function createCountTasks(): CountTasks {
  let pass: DocumentPass | undefined
  return {
    begin(job) {
      pass = job.stage === 'tags' ? undefined : new DocumentPass(job)
    },
    block: ({block, number}) => pass?.add(block, number) ?? surveyTags(block),
    survey: () => pass?.survey(),
    count(header) {
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

function surveyTags(block: DocumentBlock): BlockAnswer {
  const survey = new TagSurvey()
  eachRow(block, row => survey.add(row))
  const tags = survey.survey()
  return {documents: tags.documentCount, newTokens: 0, tags}
}

/** Reads documents as numbers, once: learns how frequent words are or counts, with labels counted and a sample drawn on the way. */
class DocumentPass {
  readonly #job: WordsJob | CountingJob
  readonly #fields: FieldSurvey
  readonly #accepts: (row: Pick<Row, 'tags'>) => boolean
  readonly #readLabels: Encoder['labels']
  readonly #drawer: SampleDrawer | undefined
  readonly #labelled: Float64Array
  readonly #foundLabels = new Set<string>()
  /** Either counts at once, or keeps the documents to be counted later. */
  readonly #counter: Counter | undefined
  readonly #store: NumberStore | undefined
  #survey: DocumentSurvey
  #numbers: WordNumbers | undefined

  constructor(job: WordsJob | CountingJob) {
    const {reading, labels, labelShare, sample} = job
    this.#job = job
    this.#fields = new FieldSurvey(reading.reading)
    this.#accepts = documentFilter(reading.filter)
    this.#readLabels = createLabelReader(reading.anchors, labels)
    this.#drawer = sample && new SampleDrawer(labels === undefined ? labelShare : 0, sample)
    this.#labelled = new Float64Array(4 * reading.anchors.length)
    if (job.stage === 'counting') this.#counter = new Counter({...job, lexicon: job.reading})
    else this.#store = new NumberStore(job.keptBytes)
    this.#survey = this.#newSurvey()
  }

  add(block: DocumentBlock, number: number): BlockAnswer {
    const job = this.#job
    const tokens = this.#survey.reader.table.size
    let documents = 0
    const visit = (row: Row) => {
      documents++
      this.#fields.add(row)
      if (this.#accepts(row)) this.#take(row, number)
    }
    eachRow(block, visit)
    const {table, index} = this.#survey.reader
    this.#store?.endBlock(Math.max(table.size, index.memberConcepts.length))
    const newTokens = table.size - tokens
    if (job.stage === 'vocabulary' && job.isExact) return {documents, newTokens}
    const words = job.stage === 'vocabulary' ? this.#survey.take() : undefined
    if (table.size > MOST_TOKENS) this.#survey = this.#newSurvey()
    return {documents, newTokens, ...(words && {words})}
  }

  survey(): WordSurvey {
    return this.#survey.take()
  }

  count(header: CountsHeader): CountsAnswer | undefined {
    const counter = this.#counter ?? this.#countKept(header)
    if (counter === undefined) return undefined
    const {lexicon: _, ...counted} = counter.finish()
    return {
      counted: {...counted, labelled: this.#labelled},
      unseen: this.#fields.unseen(),
      labelled: [...this.#foundLabels],
      sampled: this.#drawer?.finish() ?? []
    }
  }

  #newSurvey(): DocumentSurvey {
    const {anchors, phrases, reading: text} = this.#job.reading
    const survey = new DocumentSurvey(anchors, phrases, text)
    if (this.#job.stage === 'counting') this.#numbers = new WordNumbers(this.#job.reading, survey.reader.table)
    return survey
  }

  #take(row: Row, block: number): void {
    this.#survey.add(row)
    const {reader} = this.#survey
    const {tokens, members} = reader
    if (this.#numbers === undefined) {
      this.#store?.append(tokens.values, tokens.length)
      this.#store?.append(members, members.length)
    } else this.#counter?.add({words: this.#numbers.of(tokens.values, 0, tokens.length), members})
    const {labelShare, labels} = this.#job
    if (labelShare === 0 && labels === undefined && this.#drawer === undefined) return
    const key = rowKey(row)
    const labelKey = row.id === undefined ? hashedKey(key) : key
    const isGiven = labels?.has(labelKey) === true
    if (isGiven) this.#foundLabels.add(labelKey)
    const isCounted = isLabelled(this.#job, key)
    if (isCounted && (isGiven || labels === undefined)) {
      const found = this.#readLabels(row)
      if (found !== undefined) addLabels(this.#labelled, reader.firedConcepts(), found)
    }
    this.#drawer?.add({row, key, block, isLabelled: labels === undefined ? isCounted : isGiven})
  }

  #countKept(header: CountsHeader): Counter | undefined {
    if (this.#store?.isWhole !== true) return undefined
    const counter = new Counter(header, {words: this.#store.length})
    const numbers = new WordNumbers(header.lexicon, this.#survey.reader.table)
    for (const block of this.#store.takeBlocks())
      for (let at = 0; at < block.length; ) {
        const words = numbers.of(block, at + 1, at + 1 + block[at])
        at += 1 + block[at]
        const members = block.subarray(at + 1, at + 1 + block[at])
        at += 1 + block[at]
        counter.add({words, members})
      }
    return counter
  }
}

/** Keeps blocks of numbers in memory, in their order: in 2 bytes each where all of a block fit. */
export class NumberStore {
  readonly #limit: number
  #blocks: (Uint16Array | Uint32Array)[] = []
  readonly #open = growingIntegers(1 << 16)
  #longest = 0
  #bytes = 0
  /** How many numbers there are. */
  length = 0

  /** Beyond `limit` bytes, everything is forgotten. */
  constructor(limit: number) {
    this.#limit = limit
  }

  /** Whether all numbers are still here. */
  get isWhole(): boolean {
    return this.#bytes <= this.#limit
  }

  /** Add how many numbers there are, then the numbers. */
  append(numbers: ArrayLike<number>, count: number): void {
    if (!this.isWhole) return
    this.#longest = Math.max(this.#longest, count)
    this.#open.push(count)
    this.#open.append(numbers, 0, count)
  }

  /** The numbers since the last call are below `bound`, or count numbers. */
  endBlock(bound: number): void {
    if (!this.isWhole) return
    const numbers = this.#open.values.subarray(0, this.#open.length)
    const isShort = Math.max(bound - 1, this.#longest) < 65536
    const block = isShort ? new Uint16Array(numbers) : new Uint32Array(numbers)
    this.#open.length = 0
    this.#longest = 0
    this.#bytes += block.byteLength
    this.length += block.length
    if (this.isWhole) this.#blocks.push(block)
    else this.#blocks = []
  }

  /** The blocks, each of which is forgotten when the next is taken. */
  *takeBlocks(): Generator<Uint16Array | Uint32Array> {
    const blocks = this.#blocks.reverse()
    this.#blocks = []
    for (let block = blocks.pop(); block !== undefined; block = blocks.pop()) yield block
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
export class SampleDrawer {
  readonly #labelShare: number
  readonly #options: SampleOptions
  #rows: SampledRow[] = []
  #documentCount = 0
  #pruneAt: number

  constructor(labelShare: number, options: SampleOptions) {
    this.#labelShare = labelShare
    this.#options = options
    this.#pruneAt = 2 * options.size
  }

  add({row, key, block, isLabelled}: Omit<SampledRow, 'share'> & {readonly key: string}): void {
    this.#documentCount++
    const {size, seed} = this.#options
    const share = hashShare(`sample ${key}`, seed)
    if (share >= size / this.#documentCount && !isLabelled) return
    this.#rows.push({row, block, share, isLabelled})
    if (this.#rows.length < this.#pruneAt) return
    this.#rows = this.finish()
    this.#pruneAt = 2 * Math.max(size, this.#rows.length)
  }

  /** The documents so far that may be in the sample. */
  finish(): SampledRow[] {
    return this.#rows.filter(isSampled(this.#options.size, this.#labelShare, this.#documentCount))
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
