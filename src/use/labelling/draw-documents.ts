import {checkOptions, type Rules, whole} from '../../base/checks/index.ts'
import {hashShare} from '../../base/numeric/index.ts'
import {Encoder, type Evidence, type Lexicon, labelKey, type Row, rowKey} from '../../read/data/index.ts'

/** A document to ask about. */
export interface DrawnDocument {
  /** Its id, or a hash of its content (`labelKey`). */
  readonly key: string
  readonly row: Row
  readonly evidence: Evidence
}

export interface DrawOptions {
  /** Documents drawn at random. */
  readonly documents: number
  /** Documents drawn per concept among those where its anchor fires. */
  readonly anchored: number
  readonly seed: number
}

export const drawDefaults: DrawOptions = {documents: 200, anchored: 3, seed: 0}

const RULES: Rules<DrawOptions> = {documents: whole(1), anchored: whole(0), seed: whole()}

export interface Draw {
  /** In the order of the questions; a smaller draw is the beginning of a larger one. */
  readonly random: readonly DrawnDocument[]
  /** By concept; without those drawn at random, which are asked about all concepts anyway. */
  readonly anchored: readonly (readonly DrawnDocument[])[]
  /** Documents requested by key, drawn or not. */
  readonly wanted: ReadonlyMap<string, DrawnDocument>
}

/**
 * Draws documents from a stream: those whose keys, hashed with the seed, are smallest. The draw depends on keys and seed
 * alone, so it is the same at every start and in any order of the documents, and a larger draw begins with the smaller
 * one. Of several documents with one key, the one whose content sorts first is taken. Memory: the documents drawn.
 */
export class DocumentDraw {
  readonly #encoder: Encoder
  readonly #options: DrawOptions
  readonly #random: Smallest
  readonly #anchored: readonly Smallest[]
  readonly #isWanted: (key: string) => boolean
  readonly #wanted = new Map<string, DrawnDocument>()

  /** `isWanted` selects documents to keep whether drawn or not, such as those with labels. */
  constructor(lexicon: Lexicon, options?: Partial<DrawOptions>, isWanted: (key: string) => boolean = () => false) {
    this.#encoder = new Encoder(lexicon)
    this.#options = checkOptions('drawing', drawDefaults, RULES, options)
    this.#random = new Smallest(this.#options.documents)
    // More than needed, since some will be drawn at random too.
    const {anchored} = this.#options
    this.#anchored = lexicon.anchors.map(() => new Smallest(anchored === 0 ? 0 : 2 * anchored + 10))
    this.#isWanted = isWanted
  }

  /** `evidence` is that of the lexicon, where it is known already. */
  add(row: Row, evidence = this.#encoder.encode(row)): void {
    const key = labelKey(row)
    const {seed} = this.#options
    const document = {key, row, evidence}
    const drawn = rowKey(row)
    this.#random.add(hashShare(JSON.stringify(['random', drawn]), seed), document)
    for (const i of evidence.anchors) {
      const {concept} = this.#encoder.lexicon.anchors[i]
      this.#anchored[i].add(hashShare(JSON.stringify(['anchored', concept, drawn]), seed), document)
    }
    if (!this.#isWanted(key)) return
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

interface Ranked {
  readonly rank: number
  readonly document: DrawnDocument
}

/** The `limit` documents of smallest rank, ascending; equal ranks by key. */
class Smallest {
  readonly #limit: number
  readonly #ranked: Ranked[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  add(rank: number, document: DrawnDocument): void {
    const last = this.#ranked.at(-1)
    if (this.#ranked.length === this.#limit && (last === undefined || rank > last.rank)) return
    const place = this.#ranked.findIndex(
      other => rank < other.rank || (rank === other.rank && document.key <= other.document.key)
    )
    const at = place < 0 ? this.#ranked.length : place
    const isKnown = this.#ranked[at]?.document.key === document.key
    if (isKnown && !comesFirst(document, this.#ranked[at].document)) return
    this.#ranked.splice(at, Number(isKnown), {rank, document})
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
