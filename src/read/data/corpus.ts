import {AdfaError, withDefaults} from '../../base/checks/index.ts'
import type {Anchors} from './anchors.ts'
import {BigramLearner, type BigramOptions, checkBigrams} from './bigrams.ts'
import {createEncoder, type Evidence} from './encoder.ts'

import {checkTextOptions, type Lexicon, pickTextOptions, type TextOptions, textDefaults} from './lexicon.ts'
import {LexiconBuilder} from './lexicon-builder.ts'
import {type Labels, parseRow, type Row, rowKey} from './row.ts'

/** Documents in memory, as binary variables. */
export interface Corpus {
  readonly lexicon: Lexicon
  readonly documents: readonly CorpusDocument[]
}

export interface CorpusDocument {
  /** Identifies the document when a share of them is drawn. */
  readonly key: string
  readonly evidence: Evidence
  /** Per concept 1 present, 0 absent, -1 unknown. */
  readonly truth: Int8Array | undefined
}

export interface CorpusOptions extends TextOptions {
  readonly phrases: readonly string[]
  /** How many frequent pairs of words that attract each other are read as one word. */
  readonly bigrams: number
  readonly skipBadAnchors: boolean
}

const corpusDefaults: CorpusOptions = {...textDefaults, phrases: [], bigrams: 0, skipBadAnchors: false}

/** Read plain objects (docs/data.md) by the given anchors, learning the vocabulary from them. */
export function buildCorpus(rows: Iterable<unknown>, anchors: Anchors, options?: Partial<CorpusOptions>): Corpus {
  const {phrases: given, bigrams, skipBadAnchors, ...rest} = withDefaults('buildCorpus', corpusDefaults, options)
  checkTextOptions(rest)
  checkBigrams(bigrams)
  const text = pickTextOptions(rest)
  const parsed = Array.from(rows, (row, at) => parseRow(row, text, `row ${at + 1}`))
  const pairs =
    bigrams > 0 ? learnBigrams(parsed, anchors, {text, phrases: given, filter: undefined, count: bigrams}) : []
  const phrases = [...given, ...pairs]
  let builder = new LexiconBuilder(anchors, {text, phrases, filter: undefined, skipBadAnchors})
  for (let next: LexiconBuilder | undefined = builder; next !== undefined; next = builder.withoutBadAnchors()) {
    builder = next
    for (const row of parsed) builder.add(row)
  }
  return encodeCorpus(parsed, builder.finish())
}

function learnBigrams(rows: readonly Row[], anchors: Anchors, options: BigramOptions): string[] {
  const learner = new BigramLearner(anchors, options)
  do for (const row of rows) learner.add(row)
  while (learner.endPass())
  return learner.bigrams()
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
    documents: corpus.documents.map(({key, evidence, truth}) => ({
      key,
      evidence: {
        words: evidence.words,
        anchors: renumbered(evidence.anchors, newConcept),
        members: renumbered(evidence.members, newMember)
      },
      truth: truth?.filter((_, i) => newConcept[i] >= 0)
    }))
  }
}

/** Read rows by an existing lexicon; `labels`, if given, replace the tags and labels of the rows. */
export function encodeCorpus(rows: Iterable<Row>, lexicon: Lexicon, labels?: Labels): Corpus {
  const encoder = createEncoder(lexicon, labels)
  const documents: CorpusDocument[] = []
  for (const row of rows)
    if (encoder.accepts(row))
      documents.push({key: rowKey(row), evidence: encoder.encode(row), truth: encoder.truth(row)})
  return {lexicon, documents}
}
