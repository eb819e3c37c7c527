import fc from 'fast-check'
import {type Corpus, type CorpusDocument, type Lexicon, textDefaults} from '../data/index.ts'

/** `concepts` with one anchor feature each, and `words`. */
export function smallLexicon(concepts: number, words: number): Lexicon {
  return {
    anchors: Array.from({length: concepts}, (_, i) => ({concept: `c${i}`, any: [`a${i}`], not: [], rates: undefined})),
    words: Array.from({length: words}, (_, j) => `w${j}`),
    phrases: [],
    text: textDefaults,
    filter: undefined,
    skipped: []
  }
}

export function anyDocument({anchors, words}: Lexicon): fc.Arbitrary<CorpusDocument> {
  return fc
    .record({
      key: fc.string(),
      fired: fc.subarray([...anchors.keys()]),
      occurring: fc.subarray([...words.keys()]),
      labels: fc.array(fc.constantFrom(-1, 0, 1), {minLength: anchors.length, maxLength: anchors.length})
    })
    .map(({key, fired, occurring, labels}) => ({
      key,
      words: occurring,
      anchors: fired,
      members: fired,
      labels: Int8Array.from(labels)
    }))
}

export function anyCorpusOf(lexicon: Lexicon): fc.Arbitrary<Corpus> {
  return fc.array(anyDocument(lexicon), {maxLength: 8}).map(documents => ({lexicon, documents}))
}
