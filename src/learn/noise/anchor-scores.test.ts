import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {buildCorpus, type Corpus, parseAnchors} from '../../read/data/index.ts'
import {corpusRows, crossFitted} from '../classifier/index.ts'
import {scoreAnchors} from './anchor-scores.ts'

describe('scoreAnchors', () => {
  test('scoreAnchors(...) scores documents that look like anchored ones higher, whether anchored or not', () => {
    const corpus = drawCorpus(400)
    const {documentCount, concepts} = scoreAnchors(corpus)
    expect(documentCount).toBe(400)
    expect([...concepts.keys()]).toEqual(['pain', 'fever'])
    for (const [i, {logOdds, fired, labels}] of [...concepts.values()].entries()) {
      const mean = (isMember: (d: number) => boolean) => {
        const members = [...logOdds.keys()].filter(isMember)
        return members.reduce((sum, d) => sum + logOdds[d], 0) / members.length
      }
      // Among documents where the anchor is silent: what it has learned is the concept, not the anchor.
      expect(mean(d => fired[d] === 0 && corpus.documents[d].labels?.[i] === 1)).toBeGreaterThan(
        mean(d => fired[d] === 0 && corpus.documents[d].labels?.[i] === 0) + 0.5
      )
      corpus.documents.forEach(({anchors, labels: known}, d) => {
        expect(fired[d]).toBe(Number(anchors.includes(i)))
        expect(labels[d]).toBe(known?.[i] ?? -1)
      })
    }
  })

  test('scoreAnchors(...) are cross-fitted log-odds of a classifier that does not see the own anchor of the concept', () => {
    const corpus = drawCorpus(200)
    const found = scoreAnchors(corpus, {folds: 4, seed: 7, ridge: 2, tolerance: 1e-6}).concepts.get('fever')
    const labels = corpus.documents.map(({anchors}) => Number(anchors.includes(1)))
    const {logOdds} = crossFitted(corpusRows(corpus), labels, {
      folds: 4,
      seed: 7,
      ridge: 2,
      without: [corpus.lexicon.words.length + 1]
    })
    expect(found?.logOdds).toEqual(Float32Array.from(logOdds))
  })

  test('scoreAnchors(...) leaves out a concept whose anchor fires too rarely to learn from, or nearly always', () => {
    const {lexicon, documents} = drawCorpus(60)
    const anchorsIn = (concept: number, count: number): Corpus => ({
      lexicon,
      documents: documents.map((document, d) => ({
        ...document,
        ...document,
        anchors: d < count ? [concept] : []
      }))
    })
    const scored = (count: number) => [...scoreAnchors(anchorsIn(0, count)).concepts.keys()]
    expect([2, 3, 57, 58].map(scored)).toEqual([[], ['pain'], ['pain'], []])
  })

  test('scoreAnchors(...) says how far it has come, and stops when asked to', () => {
    const steps: number[][] = []
    const stop = new AbortController()
    const run = () =>
      scoreAnchors(drawCorpus(100), undefined, {
        signal: stop.signal,
        onProgress: (done, concepts) => {
          steps.push([done, concepts])
          stop.abort()
        }
      })
    expect(run).toThrow('cancelled')
    expect(steps).toEqual([[1, 2]])
  })

  test('scoreAnchors(...) refuses an option it does not have', () => {
    // @ts-expect-error no such option
    expect(() => scoreAnchors(drawCorpus(50), {fold: 3})).toThrow('did you mean "folds"?')
  })
})

/** Two concepts, the words they bring, and anchors that fire in half of the documents that have them; a tenth untagged. */
function drawCorpus(N: number): Corpus {
  const random = rng(1)
  const draw = (chance: number, word: string) => (random.next() < chance ? [word] : [])
  const rows = Array.from({length: N}, (_, id) => {
    const tags = [...draw(0.4, 'pain'), ...draw(0.3, 'fever')]
    const [pain, fever] = ['pain', 'fever'].map(tag => Number(tags.includes(tag)))
    const words = [
      ...draw(0.5 * pain, 'pain'),
      ...draw(0.5 * fever, 'fever'),
      ...draw(0.1 + 0.7 * pain, 'ache'),
      ...draw(0.1 + 0.6 * fever, 'hot'),
      ...draw(0.5, 'patient')
    ]
    return {id, text: words.join(' '), ...(id % 10 > 0 && {tags})}
  })
  const anchors = parseAnchors('{"pain": ["pain"], "fever": ["fever"]}', 'anchors.json')
  return buildCorpus(rows, anchors, {fields: ['text'], maxShare: 1})
}
