import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import {hashShare} from '../../base/numeric/index.ts'
import {createEncoder, type Encoder, type Evidence, type Lexicon, type Row, rowKey} from '../../read/data/index.ts'

/** A document to ask about. */
export interface DrawnDocument {
  readonly key: string
  readonly row: Row
  readonly evidence: Evidence
}

export interface DrawOptions {
  /** Documents drawn at random. */
  readonly documents: number
  /** Documents drawn, for every concept, among those where its anchor fires. */
  readonly anchored: number
  readonly seed: number
}

export const drawDefaults: DrawOptions = {documents: 200, anchored: 3, seed: 0}

/** What was drawn. */
export interface Draw {
  /** In the order in which they are to be asked: of a smaller number of documents, the first ones. */
  readonly random: readonly DrawnDocument[]
  /** For every concept, in their order; without those drawn at random, which are asked about all concepts anyway. */
  readonly anchored: readonly (readonly DrawnDocument[])[]
  /** Documents asked for by their key, drawn or not. */
  readonly wanted: ReadonlyMap<string, DrawnDocument>
}

/**
 * Draws documents from a stream: those whose keys, hashed with the seed, are smallest. The draw depends on keys and seed alone, so
 * that it is the same at every start and in any order of the documents, and a larger draw begins with the smaller one.
 * Of several documents with one key, the one whose content comes first is taken. Memory: the documents drawn.
 */
export class DocumentDraw {
  readonly #encoder: Encoder
  readonly #options: DrawOptions
  readonly #random: Smallest
  readonly #anchored: readonly Smallest[]
  readonly #isWanted: (key: string, row: Row) => boolean
  readonly #wanted = new Map<string, DrawnDocument>()

  /** `isWanted` names documents to keep whether they are drawn or not, such as those that have an answer. */
  constructor(
    lexicon: Lexicon,
    options?: Partial<DrawOptions>,
    isWanted: (key: string, row: Row) => boolean = () => false
  ) {
    this.#encoder = createEncoder(lexicon)
    this.#options = checkDrawOptions(withDefaults('drawing', drawDefaults, options))
    this.#random = new Smallest(this.#options.documents)
    // More than are asked for, since some will be drawn at random too.
    const {anchored} = this.#options
    this.#anchored = lexicon.anchors.map(() => new Smallest(anchored === 0 ? 0 : 2 * anchored + 10))
    this.#isWanted = isWanted
  }

  add(row: Row): void {
    const key = rowKey(row)
    const {seed} = this.#options
    const evidence = this.#encoder.encode(row)
    const document = {key, row, evidence}
    this.#random.add(hashShare(JSON.stringify(['random', key]), seed), document)
    for (const i of evidence.anchors) {
      const {concept} = this.#encoder.lexicon.anchors[i]
      this.#anchored[i].add(hashShare(JSON.stringify(['anchored', concept, key]), seed), document)
    }
    if (!this.#isWanted(key, row)) return
    const other = this.#wanted.get(key)
    if (other === undefined || comesFirst(document, other)) this.#wanted.set(key, document)
  }

  finish(): Draw {
    const random = this.#random.documents()
    const taken = new Set(random.map(({key}) => key))
    const anchored = this.#anchored.map(smallest =>
      smallest
        .documents()
        .filter(({key}) => !taken.has(key))
        .slice(0, this.#options.anchored)
    )
    return {random, anchored, wanted: this.#wanted}
  }
}

function checkDrawOptions(options: DrawOptions): DrawOptions {
  const {documents, anchored, seed} = options
  if (!Number.isSafeInteger(documents) || documents < 1)
    throw new AdfaError('bad-option', `documents is a whole number above 0; got ${documents}`)
  if (!Number.isSafeInteger(anchored) || anchored < 0)
    throw new AdfaError('bad-option', `anchored is a whole number; got ${anchored}`)
  if (!Number.isSafeInteger(seed)) throw new AdfaError('bad-option', `seed is a whole number; got ${seed}`)
  return options
}

interface Ranked {
  readonly rank: number
  readonly document: DrawnDocument
}

/** The so many documents of smallest rank, in ascending order; equal ranks by key. */
class Smallest {
  readonly #limit: number
  readonly #ranked: Ranked[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(rank: number, document: DrawnDocument): void {
    const last = this.#ranked.at(-1)
    if (this.#ranked.length === this.#limit && (last === undefined || rank > last.rank)) return
    const {key} = document
    let [low, high] = [0, this.#ranked.length]
    while (low < high) {
      const middle = (low + high) >> 1
      const other = this.#ranked[middle]
      if (other.rank < rank || (other.rank === rank && other.document.key < key)) low = middle + 1
      else high = middle
    }
    if (this.#ranked[low]?.document.key === key) {
      if (comesFirst(document, this.#ranked[low].document)) this.#ranked[low] = {rank, document}
      return
    }
    this.#ranked.splice(low, 0, {rank, document})
    if (this.#ranked.length > this.#limit) this.#ranked.pop()
  }

  documents(): DrawnDocument[] {
    return this.#ranked.map(({document}) => document)
  }
}

function comesFirst(a: DrawnDocument, b: DrawnDocument): boolean {
  return content(a) < content(b)
}

function content({row}: DrawnDocument): string {
  return rowKey({...row, id: undefined})
}
