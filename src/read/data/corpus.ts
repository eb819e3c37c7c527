import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {Anchors} from './anchors.ts'
import {createEncoder, createLabelReader, type Encoder, type Evidence} from './encoder.ts'
import {checkVocabularyOptions, learnLexicon, type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import type {Lexicon} from './lexicon.ts'
import {type Labels, parseRow, type Row, rowKey} from './row.ts'

export interface Corpus {
  readonly lexicon: Lexicon
  readonly documents: readonly CorpusDocument[]
}

/** A document as binary variables, with what is known about its concepts. */
export interface CorpusDocument extends Evidence {
  readonly key: string
  /** Per concept 1 present, 0 absent, -1 unknown. */
  readonly labels: Int8Array | undefined
}

/** Read plain objects (docs/data.md) by the given anchors, learning the vocabulary from them. */
export function buildCorpus(rows: Iterable<unknown>, anchors: Anchors, options?: Partial<VocabularyOptions>): Corpus {
  const checked = withDefaults('buildCorpus', vocabularyDefaults, options)
  checkVocabularyOptions('buildCorpus', checked)
  const parsed = Array.from(rows, (row, at) => parseRow(row, checked, `row ${at + 1}`))
  return encodeCorpus(parsed, learnLexicon(parsed, {kind: 'given', anchors}, checked))
}

/** The same documents with only the concepts of `lexicon`, which has the same words. */
export function withConcepts(corpus: Corpus, lexicon: Lexicon): Corpus {
  const {anchors, words} = corpus.lexicon
  if (words.length !== lexicon.words.length || words.some((word, j) => word !== lexicon.words[j]))
    throw new AdfaError(
      'mismatch',
      `these documents were read by another lexicon (${words.length} words, not the same ${lexicon.words.length}); read them with encodeCorpus`
    )
  const kept = new Map(lexicon.anchors.map(({concept}, i) => [concept, i]))
  const newConcept = anchors.map(({concept}) => kept.get(concept) ?? -1)
  if (newConcept.every((i, old) => i === old)) return {...corpus, lexicon}
  let members = 0
  const newMember = anchors.flatMap(({any}, i) => any.map(() => (newConcept[i] < 0 ? -1 : members++)))
  const renumbered = (ids: readonly number[], to: readonly number[]) => ids.map(id => to[id]).filter(id => id >= 0)
  return {
    lexicon,
    documents: corpus.documents.map(({key, words, anchors, members, labels}) => ({
      key,
      words,
      anchors: renumbered(anchors, newConcept),
      members: renumbered(members, newMember),
      labels: labels?.filter((_, i) => newConcept[i] >= 0)
    }))
  }
}

/** Read plain objects by a lexicon learned before: the same anchors and words. */
export function readCorpus(rows: Iterable<unknown>, lexicon: Lexicon): Corpus {
  return encodeCorpus(
    Array.from(rows, (row, at) => parseRow(row, lexicon.reading, `row ${at + 1}`)),
    lexicon
  )
}

/** Read rows by an existing lexicon; `labels`, if given, replace the tags and labels of the rows. */
export function encodeCorpus(rows: Iterable<Row>, lexicon: Lexicon, labels?: Labels): Corpus {
  const encoder = createEncoder(lexicon, labels)
  const documents: CorpusDocument[] = []
  for (const row of rows)
    if (encoder.accepts(row)) documents.push({key: rowKey(row), ...encoder.encode(row), labels: encoder.labels(row)})
  return {lexicon, documents}
}

/**
 * Documents as typed arrays: the words of document d are `words[wordStarts[d] .. wordStarts[d+1])`, its members likewise.
 * In shared memory, several threads count them without copying.
 */
export interface PackedDocuments {
  readonly documentCount: number
  readonly wordStarts: Uint32Array
  readonly words: Uint32Array
  readonly memberStarts: Uint32Array
  readonly members: Uint32Array
}

/** Reads documents of typed arrays, by their number, as evidence. */
export function evidenceOf({
  lexicon,
  documents
}: Pick<EncodedDocuments, 'lexicon' | 'documents'>): (d: number) => Evidence {
  const conceptOf = lexicon.anchors.flatMap(({any}, concept) => any.map(() => concept))
  const {words, wordStarts, members, memberStarts} = documents
  return d => {
    const fired = Array.from(members.subarray(memberStarts[d], memberStarts[d + 1]))
    return {
      words: Array.from(words.subarray(wordStarts[d], wordStarts[d + 1])),
      anchors: [...new Set(fired.map(member => conceptOf[member]))],
      members: fired
    }
  }
}

/** All documents of an index as binary variables, with their labels; later edits of the index leave it as it is. */
export class EncodedDocuments {
  readonly lexicon: Lexicon
  readonly documents: PackedDocuments
  readonly evidence: (d: number) => Evidence
  readonly #rows: readonly Row[]
  readonly #readLabels: Encoder['labels']

  /** `labels`, if given, replace the tags and labels of the rows. */
  constructor(lexicon: Lexicon, documents: PackedDocuments, rows: readonly Row[], labels?: Labels) {
    this.lexicon = lexicon
    this.documents = documents
    this.evidence = evidenceOf(this)
    this.#rows = rows
    this.#readLabels = createLabelReader(lexicon.anchors, labels)
  }

  /** Identifies a document when a share is drawn. */
  key(d: number): string {
    return rowKey(this.#rows[d])
  }

  /** Per concept 1 present, 0 absent, -1 unknown; undefined when nothing is known. */
  labels(d: number): Int8Array | undefined {
    return this.#readLabels(this.#rows[d])
  }

  /** A document as `encodeCorpus` gives it. */
  corpusDocument(d: number): CorpusDocument {
    return {key: this.key(d), ...this.evidence(d), labels: this.labels(d)}
  }
}
