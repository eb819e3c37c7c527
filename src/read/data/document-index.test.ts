import fc from 'fast-check'
import {describe, expect, it} from 'vitest'
import {countCorpus, countEncoded, countsToBytes} from '../counts/index.ts'
import {DocumentIndex} from './document-index.ts'
import {encodeCorpus} from './encoder.ts'
import {anchorRule, learnLexicon, type VocabularyOptions, vocabularyDefaults} from './learn-lexicon.ts'
import {NumberedReader} from './numbered-reader.ts'
import type {Labels, Row} from './row.ts'
import {type AnyEdit, anyEdits, anyFeature, anyReading, anyRows, edited, firstAnchors} from './test-edits.ts'
import {anchorsOf, messageOf, rowOf} from './test-rows.ts'

const readingAndRows = anyReading.chain(options => fc.tuple(fc.constant(options), anyRows(options)))
const labels: Labels = new Map([
  ['1', new Map([['a', true]])],
  ['4', new Map([['b', false]])]
])

describe('an index of documents', () => {
  it('gives the lexicon, the evidence and the counts of a fresh reading after any edits, and refuses what that refuses', () => {
    fc.assert(
      fc.property(readingAndRows, anyEdits, fc.boolean(), ([options, rows], edits, hasLabels) => {
        expectFresh(rows, options, edits, hasLabels ? labels : undefined)
      }),
      {numRuns: 300}
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
          messageOf(() => index.encode(edits.reduce(edited, firstAnchors)))
          for (const feature of features) expect(hits(index, feature)).toEqual(firing(rows, feature, options))
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

  it('finds an expression in steps, and remembers what it found', () => {
    const rows = Array.from({length: 1000}, (_, d) => rowOf({text: `word${d}`}))
    const index = indexed(rows, options)
    expect([...index.scan('/d7/')]).toEqual([0, 256, 512, 768])
    expect([...index.scan('/d7/')]).toEqual([])
    expect(hits(index, '/d7/')).toHaveLength(111)
  })

  it('keeps earlier results when anchors are refused and documents are added', () => {
    const index = indexed(
      documents.map(document => rowOf(document)),
      options
    )
    const before = index.encode(anchorsOf({pain: 'chest pain'}))
    const first = before.corpusDocument(1)
    expect(() => index.encode(anchorsOf({pain: 'chest pane'}))).toThrow('does not occur')
    index.add(rowOf({text: 'chest pain'}))
    expect(index.encode(anchorsOf({pain: 'chest pain'})).documents.documentCount).toBe(4)
    expect(before.documents.documentCount).toBe(3)
    expect(before.corpusDocument(1)).toEqual(first)
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
    if (fault !== undefined) {
      expect(messageOf(() => index.encode(anchors))).toBe(fault)
      continue
    }
    const lexicon = learnLexicon(rows, anchorRule(anchors), options)
    const encoded = index.encode(anchors, given)
    expect(encoded.lexicon).toEqual(lexicon)
    const {documents} = encodeCorpus(rows, lexicon, given)
    expect(rows.map((_, d) => encoded.corpusDocument(d))).toEqual(documents)
    const drawn = {labelShare: 0.5, seed: 3}
    const counts = countsToBytes(countCorpus({lexicon, documents}, drawn))
    expect(countsToBytes(countEncoded(encoded, drawn))).toEqual(counts)
  }
}

function indexed(rows: readonly Row[], options: VocabularyOptions): DocumentIndex {
  const index = new DocumentIndex(options)
  for (const row of rows) index.add(row)
  return index
}

function hits(index: DocumentIndex, feature: string): number[] {
  const steps = index.scan(feature)
  for (let step = steps.next(); ; step = steps.next()) if (step.done) return [...step.value]
}

/** The documents in which a feature fires, by reading all of them with nothing else. */
function firing(rows: readonly Row[], feature: string, options: VocabularyOptions): number[] {
  const reader = new NumberedReader([{concept: 'it', any: [feature], not: [], rates: undefined}], [], options)
  return [...rows.keys()].filter(d => reader.read(rows[d]).length > 0)
}
