import fc from 'fast-check'
import {describe, expect, test} from 'vitest'
import {rng} from '../../base/numeric/index.ts'
import {buildCorpus, type Corpus, parseAnchors} from '../../read/data/index.ts'
import {corpusRows, crossFittedLogOdds} from '../classifier/index.ts'
import {irreducibleRates, positiveOnlyRate, scoreAnchors} from './scores.ts'

describe('scoreAnchors', () => {
  test('scoreAnchors(...) are cross-fitted log-odds of a classifier that does not see the own anchor of the concept', () => {
    const corpus = drawCorpus(200)
    const found = scoreAnchors(corpus, {seed: 7}).get('fever')
    const labels = corpus.documents.map(({anchors}) => Number(anchors.includes(1)))
    const logOdds = crossFittedLogOdds(corpusRows(corpus), labels, {
      seed: 7,
      tolerance: 1e-3,
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
    const scored = (count: number) => [...scoreAnchors(anchorsIn(0, count)).keys()]
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
  return buildCorpus(rows, anchors, {text: ['text'], maxShare: 1})
}

test('irreducibleRates(...) takes the scores that leave a tenth of each kind of document beyond them', () => {
  // 1,000 scores 0, 0.001 ... 0.999 sum to 499.5: ranks 49 from the top and 50 from the bottom.
  const scores = Array.from({length: 1000}, (_, d) => d / 1000)
  expect(irreducibleRates(scores)).toMatchObject({
    truePositive: 0.95,
    falsePositive: 0.05,
    prevalence: expect.closeTo((0.4995 - 0.05) / 0.9, 12)
  })
})

test('irreducibleRates(...) gives t > e within the scores and a prevalence, whatever the order', () => {
  const score = fc.double({min: 0, max: 1, noNaN: true})
  fc.assert(
    fc.property(fc.uniqueArray(score, {minLength: 2, maxLength: 60, comparator: 'SameValueZero'}), scores => {
      const found = irreducibleRates(scores)
      if (typeof found === 'string') throw new Error(found)
      const {truePositive, falsePositive, prevalence} = found
      expect(truePositive).toBeGreaterThan(falsePositive)
      expect(prevalence).toBeGreaterThanOrEqual(0)
      expect(prevalence).toBeLessThanOrEqual(1)
      expect(irreducibleRates(scores.toReversed())).toEqual(found)
    })
  )
})

test('irreducibleRates(...) refuses scores that are no probabilities, or all alike', () => {
  expect(irreducibleRates([0.5])).toMatch('scores of 1 documents span no range')
  expect(() => irreducibleRates([0.5, Number.NaN])).toThrow('score NaN of document 1')
  expect(() => irreducibleRates([0.1, 1.5])).toThrow('score 1.5 of document 1')
  expect(irreducibleRates([0.3, 0.3, 0.3])).toMatch('span no range (0.3 to 0.3)')
})

test('positiveOnlyRate(...) is the mean score of the anchored documents', () => {
  expect(positiveOnlyRate([0.2, 0.6, 0.1, 0.4, 0.3], [1, 1, 0, 1, 0])).toBeCloseTo(0.4, 14)
})

test('positiveOnlyRate(...) refuses scores that are no probabilities, and too few anchored documents', () => {
  expect(() => positiveOnlyRate([0.1, 1.2], [1, 0])).toThrow('score 1.2 of document 1')
  expect(() => positiveOnlyRate([Number.NaN, 0.2], [1, 0])).toThrow('score NaN of document 0')
  expect(positiveOnlyRate([0.1, 0.2], [1, 0])).toMatch('its anchor fires in 1 of 2 documents')
  expect(positiveOnlyRate([0, 0], [1, 1])).toMatch('its scores add up to 0')
})
