import fc from 'fast-check'
import {type Rng, randomIndex} from '../../base/numeric/index.ts'
import {type Corpus, type CorpusDocument, type Lexicon, textDefaults} from '../data/index.ts'
import {type Counts, type CountsHeader, CountsWriter, type PatternCount} from './counts.ts'

/** A lexicon with the given number of anchor features for each concept, and words of `features`. */
export function lexiconWith(memberCounts: readonly number[], wordCount: number): Lexicon {
  return {
    anchors: memberCounts.map((count, i) => ({
      concept: `concept-${i}`,
      any: Array.from({length: count}, (_, at) => `anchor-${i}-${at}`),
      not: [],
      rates: undefined
    })),
    words: Array.from({length: wordCount}, (_, j) => `word-${String(j).padStart(3, '0')}`),
    phrases: [],
    reading: textDefaults,
    filter: undefined,
    skipped: []
  }
}

/** Counts of these patterns as they are, in or out of order. */
export function packCounts(header: CountsHeader, patterns: readonly PatternCount[], labelled?: Float64Array): Counts {
  const writer = new CountsWriter(header)
  for (const {members, documents, wordIds, wordCounts} of patterns) {
    for (let at = 0; at < wordIds.length; at++) writer.addWord(wordIds[at], wordCounts[at])
    writer.endPattern(members, 0, members.length, documents)
  }
  return writer.finish(labelled)
}

/** A document in which just these members and words are 1. */
export function documentWith(
  {anchors}: Lexicon,
  key: string,
  members: readonly number[],
  words: readonly number[],
  labels?: readonly number[]
): CorpusDocument {
  const owner = anchors.flatMap(({any}, i) => any.map(() => i))
  const fired = [...new Set(members.map(member => owner[member]))]
  return {key, words, anchors: fired, members, labels: labels && Int8Array.from(labels)}
}

/** Up to 4 concepts of up to 3 members, up to 6 words, up to 30 documents, many of them alike; some have labels. */
export const anyCorpus: fc.Arbitrary<Corpus> = fc
  .tuple(fc.array(fc.integer({min: 1, max: 3}), {minLength: 1, maxLength: 4}), fc.nat(6))
  .chain(([memberCounts, wordCount]) => {
    const lexicon = lexiconWith(memberCounts, wordCount)
    const members = lexicon.anchors.flatMap(({any}) => any).map((_, member) => member)
    const words = lexicon.words.map((_, j) => j)
    const labels = fc.array(fc.constantFrom(-1, 0, 1), {minLength: memberCounts.length, maxLength: memberCounts.length})
    const document = fc.tuple(
      fc.nat(99),
      fc.subarray(members, {maxLength: Math.min(3, members.length)}),
      fc.subarray(words),
      fc.option(labels, {nil: undefined})
    )
    return fc.array(document, {maxLength: 30}).map(list => ({
      lexicon,
      documents: list.map(([key, fired, occurring, known]) =>
        documentWith(lexicon, `key-${key}`, fired, occurring, known)
      )
    }))
  })

/** A corpus too large for a property test: 100 concepts of 1 to 3 members, 40 words. */
export function largeCorpus(random: Rng, documentCount: number): Corpus {
  const lexicon = lexiconWith(
    Array.from({length: 100}, (_, i) => 1 + (i % 3)),
    40
  )
  const memberCount = lexicon.anchors.flatMap(({any}) => any).length
  const some = (limit: number, most: number) => {
    const drawn = Array.from({length: randomIndex(random, most + 1)}, () => randomIndex(random, limit))
    return [...new Set(drawn)].sort((a, b) => a - b)
  }
  const documents = Array.from({length: documentCount}, (_, at) => {
    const labels = random.next() < 0.5 ? Array.from({length: 100}, () => randomIndex(random, 3) - 1) : undefined
    return documentWith(lexicon, `document-${at}`, some(memberCount, 5), some(40, 12), labels)
  })
  return {lexicon, documents}
}
