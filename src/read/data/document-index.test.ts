import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {encodeCorpus} from './corpus.ts'
import {DocumentIndex} from './document-index.ts'
import {anchorRule, learnLexicon, type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Labels, Row} from './row.ts'
import {documentFilter} from './surveys.ts'
import {type AnyEdit, anyEdits, anyFeature, anyReading, anyRows, edited, firstAnchors} from './test-edits.ts'
import {anchorsOf, messageOf, rowOf} from './test-rows.ts'

const readingAndRows = anyReading.chain(options => fc.tuple(fc.constant(options), anyRows(options)))
const labels: Labels = new Map([
  ['1', new Map([['a', true]])],
  ['4', new Map([['b', false]])]
])

describe('an index of documents', () => {
  it('gives the lexicon and the evidence of a fresh reading after any edits, and refuses what that refuses', () => {
    fc.assert(
      fc.property(readingAndRows, anyEdits, fc.boolean(), ([options, rows], edits, hasLabels) => {
        expectFresh(rows, options, edits, hasLabels ? labels : undefined)
      }),
      {numRuns: 200}
    )
  })

  it('knows where a feature would fire alone, whatever the anchors are', () => {
    fc.assert(
      fc.property(
        readingAndRows,
        anyEdits,
        fc.array(anyFeature, {minLength: 1}),
        ([options, rows], edits, features) => {
          const index = indexed(rows, options)
          const anchors = edits.reduce(edited, firstAnchors)
          messageOf(() => index.setAnchors(anchors))
          for (const feature of features) {
            const fault = messageOf(() => index.hits(feature))
            if (fault === undefined) expect([...index.hits(feature)]).toEqual(firing(rows, feature, options))
            else expect(fault).toMatch('has "tags"')
          }
        }
      )
    )
  })

  const options = {...vocabularyDefaults, negation: true}
  const documents = [
    {title: 'pain-fever chest', text: 'pain-fever, no cough'},
    {title: 'chest pain', text: 'no chest pain, but a fever'},
    {title: 'CHEST-PAIN', text: 'fever', features: ['text:neg:cough', 'a chest pain']}
  ]

  it.each([
    ['fever', [1, 2]],
    ['text:fever', [1, 2]],
    ['title:fever', []],
    ['chest pain', [1, 2]],
    ['text:chest pain', []],
    ['neg:chest pain', [1]],
    ['chest pain fever', []],
    ['no cough', [0]],
    ['neg:cough', [0, 2]],
    ['a chest pain', [2]],
    ['/pain.*fever/', [0]],
    ['/chest/', [0, 1, 2]],
    ['neg:/chest/', [1, 2]]
  ])('finds %s', (feature, expected) => {
    const rows = documents.map(document => rowOf(document))
    expect([...indexed(rows, options).hits(feature)]).toEqual(expected)
    expect(firing(rows, feature, options)).toEqual(expected)
  })

  it('finds an expression in steps, and remembers what it found', () => {
    const rows = Array.from({length: 1000}, (_, d) => rowOf({text: `word${d}`}))
    const index = indexed(rows, options)
    expect([...index.scan('/d7/')]).toEqual([0, 256, 512, 768])
    expect([...index.scan('/d7/')]).toEqual([])
    expect(index.hits('/d7/')).toHaveLength(111)
  })

  it('keeps the anchors that work when others are refused, and earlier results when documents are added', () => {
    const index = indexed(
      documents.map(document => rowOf(document)),
      options
    )
    expect(() => index.encode()).toThrow('none are set')
    index.setAnchors(anchorsOf({pain: 'chest pain'}))
    const before = index.encode()
    expect(() => index.setAnchors(anchorsOf({pain: 'chest pane'}))).toThrow('does not occur')
    expect(index.encode().corpusDocument(1)).toEqual(before.corpusDocument(1))
    index.add(rowOf({text: 'chest pain'}))
    index.setAnchors(anchorsOf({pain: 'chest pain'}))
    expect(index.encode().documents.documentCount).toBe(4)
    expect(before.documents.documentCount).toBe(3)
    expect(index.documentCount).toBe(4)
    expect(index.row(3).text.get('text')).toBe('chest pain')
  })

  it('lists all features with their documents', () => {
    const index = indexed([rowOf({text: 'no fever', features: ['q']}), rowOf({text: 'a fever'})], options)
    expect([...index.words()]).toEqual([
      {name: 'text:no', documents: 1},
      {name: 'text:neg:fever', documents: 1},
      {name: 'q', documents: 1},
      {name: 'text:a', documents: 1},
      {name: 'text:fever', documents: 1}
    ])
  })
})

function expectFresh(
  rows: readonly Row[],
  options: VocabularyOptions,
  edits: readonly AnyEdit[],
  given?: Labels
): void {
  const index = indexed(rows, options)
  let anchors = firstAnchors
  for (const edit of edits) {
    anchors = edited(anchors, edit)
    const fault = messageOf(() => learnLexicon(rows, anchorRule(anchors), options))
    expect(messageOf(() => index.setAnchors(anchors))).toBe(fault)
    if (fault !== undefined) continue
    const lexicon = learnLexicon(rows, anchorRule(anchors), options)
    const encoded = index.encode(given)
    expect(encoded.lexicon).toEqual(lexicon)
    const {documents} = encodeCorpus(rows, lexicon, given)
    expect(Array.from(encoded.numbers, (_, d) => encoded.corpusDocument(d))).toEqual(documents)
  }
}

function indexed(rows: readonly Row[], options: VocabularyOptions): DocumentIndex {
  const index = new DocumentIndex(options)
  for (const row of rows) index.add(row)
  return index
}

/** The documents in which a feature fires, by reading all of them with nothing else. */
function firing(rows: readonly Row[], feature: string, options: VocabularyOptions): number[] {
  const tags = options.minTags === 0 ? [] : commonTags(rows, options.ofTop)
  const accepts = documentFilter(options.minTags === 0 ? undefined : {minTags: options.minTags, tags})
  const anchors = [{concept: 'it', any: [feature], not: [], rates: undefined}]
  const reader = new NumberedReader(anchors, [...options.phrases, ...tags], options)
  return [...rows.keys()].filter(d => accepts(rows[d]) && reader.read(rows[d]).length > 0)
}

function commonTags(rows: readonly Row[], count: number): string[] {
  const counts = new Map<string, number>()
  for (const {tags = []} of rows) for (const tag of new Set(tags)) counts.set(tag, (counts.get(tag) ?? 0) + 1)
  return [...counts]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .slice(0, count)
    .map(([tag]) => tag)
}
