import fc from 'fast-check'
import {rng} from '../../base/numeric/index.ts'
import {type Counts, countCorpus} from '../counts/index.ts'
import {type Corpus, type CorpusDocument, type Lexicon, textDefaults} from '../data/index.ts'

/** Two features an anchor, the second of which releases never tell apart; words with names that are hard on objects. */
export function siteLexicon(concepts: number, words: number): Lexicon {
  const names = ['__proto__', 'constructor', 'line\nbreak', 'sex=männlich', '"quoted"']
  return {
    anchors: Array.from({length: concepts}, (_, i) => ({
      concept: i === 0 ? '__proto__' : `concept-${i}`,
      any: [`first-${i}`, `second-${i}`],
      not: [],
      rates: undefined
    })),
    words: Array.from({length: words}, (_, j) => names[j] ?? `word-${String(j).padStart(3, '0')}`).sort(),
    phrases: [],
    text: textDefaults,
    filter: undefined,
    skipped: []
  }
}

export function siteDocument(
  key: string,
  members: readonly number[],
  words: readonly number[],
  labels?: readonly number[]
): CorpusDocument {
  const anchors = [...new Set(members.map(member => Math.floor(member / 2)))]
  return {key, words, anchors, members, labels: labels && Int8Array.from(labels)}
}

/** 1 to 4 concepts, up to 5 words, 1 to 60 documents, each kind of document several times over. */
export const anySite: fc.Arbitrary<Corpus> = fc
  .tuple(fc.integer({min: 1, max: 4}), fc.nat(5))
  .chain(([concepts, words]) => {
    const lexicon = siteLexicon(concepts, words)
    const kind = fc.record({
      members: fc.subarray(Array.from({length: 2 * concepts}, (_, at) => at)),
      words: fc.subarray(lexicon.words.map((_, j) => j)),
      labels: fc.option(fc.array(fc.constantFrom(-1, 0, 1), {minLength: concepts, maxLength: concepts}), {
        nil: undefined
      }),
      times: fc.integer({min: 1, max: 12})
    })
    return fc.array(kind, {minLength: 1, maxLength: 10}).map(kinds => ({
      lexicon,
      documents: kinds.flatMap(({members, words, labels, times}, at) =>
        Array.from({length: times}, (_, copy) => siteDocument(`${at}-${copy}`, members, words, labels))
      )
    }))
  })

export function countSite(corpus: Corpus): Counts {
  return countCorpus(corpus, {labelShare: 1, seed: 0})
}

/** Documents of a site in which concepts come with anchors, words and other concepts. */
export function drawSite(seed: number, documentCount: number, concepts = 6, words = 30): Corpus {
  const random = rng(seed)
  const lexicon = siteLexicon(concepts, words)
  const documents = Array.from({length: documentCount}, (_, at) => {
    const severity = random.next()
    const has = Array.from({length: concepts}, (_, i) => random.next() < (0.1 + 0.05 * i) * (0.5 + severity))
    const members = has.flatMap((present, i) =>
      [0, 1].flatMap(w => (random.next() < (present ? 0.5 : 0.02) ? [2 * i + w] : []))
    )
    const found = lexicon.words.flatMap((_, j) => (random.next() < (has[j % concepts] ? 0.4 : 0.05) ? [j] : []))
    return siteDocument(`document-${at}`, members, found, has.map(Number))
  })
  return {lexicon, documents}
}
