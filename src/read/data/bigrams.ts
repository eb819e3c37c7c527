import {indexAnchors} from './anchor-index.ts'
import type {Anchors} from './anchors.ts'
import {readFeatureName} from './feature-name.ts'
import type {TagFilter, TextOptions} from './lexicon.ts'
import {PairCells, PairContest, type PairCount, PairCounts} from './pair-counts.ts'

import type {Row} from './row.ts'
import {documentFilter} from './surveys.ts'
import {createWordReader, type VisitWord, WordTable} from './word-table.ts'

/** A pair occurs in at least this many documents. */
const LEAST_DOCUMENTS = 10
/** A pair occurs at least this many times as often as by chance. */
const LEAST_ATTRACTION = 5
/** A pair keeps at least this share of its occurrences to more frequent pairs that share a word with it. */
const LEAST_KEPT = 0.5
/** Pairs are counted by this many bits of their hash: 16 MB. */
const CELL_BITS = 22
/** At most this many cells, the fullest, have their pairs counted one by one. */
const CANDIDATE_CELLS = 2 ** 18
/** This many times as many pairs as wanted compete for words that they share. */
const CONTEST_FACTOR = 4

export interface BigramOptions {
  readonly text: TextOptions
  readonly phrases: readonly string[]
  readonly filter: TagFilter | undefined
  /** How many to learn, at most. */
  readonly count: number
}

/** One pass over the documents; its end gives the next pass, or the bigrams. */
interface Pass {
  add(row: Row): void
  end(): Pass | readonly PairCount[]
}

/**
 * Learns which pairs of neighbouring words are read as one (`chest pain`), in three passes over the documents: `add`
 * every row, and all of them again for as long as `endPass` returns true.
 *
 * A pair ab passes when it occurs in 10 documents or more and its words attract each other: c(ab) >= 5 c(a) c(b) / T, with c
 * the occurrences in all text fields and T the number of words there. Function words, words with an apostrophe, the
 * words of anchors and vetoes (inside a pair they would not be found) and phrases are excluded from pairs. Where two
 * pairs share a word ("crushing chest pain"), the more frequent pair gets it; a pair that loses most of its occurrences
 * that way is dropped. Of the others, the N most frequent by documents are taken, ties by name.
 *
 * Memory is bounded for any number of pairs: the first pass counts them in cells by hash, so that a cell never holds less
 * than one of its pairs; the second counts exactly those that may pass by their cell. All counts are sums: the order of
 * rows does not matter. They are exact, except that beyond 2^18 cells of 10 or more the emptiest are dropped, whose pairs
 * are too rare to be selected. Cost: linear in the text; each pass costs about as much as learning the vocabulary.
 */
export class BigramLearner {
  readonly #count: number
  readonly #eachWord: (row: Row, visit: VisitWord) => void
  readonly #words: WordTable
  #pass: Pass | undefined
  #found: readonly PairCount[] = []

  constructor(anchors: Anchors, {text, phrases, filter, count}: BigramOptions) {
    this.#count = count
    const index = indexAnchors(anchors, phrases, text).phrases
    this.#words = new WordTable(new Set([...anchorWords(anchors, text), ...index.tokens.values()]))
    const accepts = documentFilter(filter)
    const readWords = createWordReader(index, text)
    this.#eachWord = (row, visit) => {
      if (accepts(row)) readWords(row, visit)
    }
    this.#pass = this.#roughPass()
  }

  add(row: Row): void {
    this.#pass?.add(row)
  }

  /** Call after all rows; true when they must be added once more. */
  endPass(): boolean {
    const next = this.#pass?.end() ?? []
    this.#pass = 'end' in next ? next : undefined
    if (!('end' in next)) this.#found = next
    return this.#pass !== undefined
  }

  /** The bigrams, the most frequent first; fewer where fewer pass. */
  bigrams(): string[] {
    return this.#found.map(pair => this.#nameOf(pair))
  }

  #roughPass(): Pass {
    const words = this.#words
    const cells = new PairCells(CELL_BITS, LEAST_DOCUMENTS)
    const add = (row: Row) => {
      let last = -1
      this.#eachWord(row, (token, follows) => {
        const id = words.see(token)
        if (follows && words.canPair(last, id)) cells.see(words.pairHash(last, id, CELL_BITS))
        last = id
      })
    }
    return {add, end: () => this.#exactPass(cells)}
  }

  #exactPass(cells: PairCells): Pass {
    const words = this.#words
    const least = cells.leastOfFullest(CANDIDATE_CELLS)
    const total = words.counts.reduce((sum, count) => sum + count, 0)
    const attracts = (a: number, b: number, count: number) =>
      count * total >= LEAST_ATTRACTION * words.counts[a] * words.counts[b]
    const pairs = new PairCounts(words.names.length)
    const add = this.#pairReader((a, b, document) => {
      const most = cells.most(words.pairHash(a, b, CELL_BITS))
      if (most >= least && attracts(a, b, most)) pairs.see(a, b, document)
    })
    const end = () => {
      const ranked = pairs
        .list()
        .filter(({a, b, occurrences}) => attracts(a, b, occurrences))
        .map(pair => ({pair, name: this.#nameOf(pair)}))
        .sort((x, y) => y.pair.documents - x.pair.documents || (x.name < y.name ? -1 : 1))
      return this.#contestPass(ranked.slice(0, CONTEST_FACTOR * this.#count).map(({pair}) => pair))
    }
    return {add, end}
  }

  #contestPass(ranked: readonly PairCount[]): Pass {
    const wordCount = this.#words.names.length
    const ranks = new Map(ranked.map(({a, b}, rank) => [a * wordCount + b, rank]))
    const contest = new PairContest(ranked.length)
    const add = this.#pairReader((a, b, document, place) => {
      const rank = ranks.get(a * wordCount + b)
      if (rank !== undefined) contest.see(rank, document, place)
    })
    const end = () => {
      contest.settle()
      const {occurrences, documents} = contest.won
      const isKept = (pair: PairCount, rank: number) =>
        documents[rank] >= LEAST_DOCUMENTS && occurrences[rank] >= LEAST_KEPT * pair.occurrences
      return ranked.filter(isKept).slice(0, this.#count)
    }
    return {add, end}
  }

  /** Visits the pairs of a row. Documents are numbered from 1; `place` numbers the second word through all documents. */
  #pairReader(visit: (a: number, b: number, document: number, place: number) => void): (row: Row) => void {
    const words = this.#words
    let document = 0
    let place = 0
    return row => {
      document++
      let last = -1
      this.#eachWord(row, (token, follows) => {
        place++
        const id = words.idOf(token)
        if (follows && words.canPair(last, id)) visit(last, id, document, place)
        last = id
      })
    }
  }

  #nameOf({a, b}: PairCount): string {
    return `${this.#words.names[a]} ${this.#words.names[b]}`
  }
}

/** The words of all anchors and vetoes, except regular expressions, which match the text itself. */
function anchorWords(anchors: Anchors, text: TextOptions): string[] {
  return anchors.flatMap(({any, not}) => [...any, ...not].flatMap(name => readFeatureName(name, text).parts))
}
