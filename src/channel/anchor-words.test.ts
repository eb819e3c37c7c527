import {expect, test} from 'vitest'
import {countCorpus} from '../counts/index.ts'
import {hashShare, rng, shuffled} from '../numeric/index.ts'
import {addScores, anchorWords, heldOutScores} from './anchor-words.ts'
import {drawDocuments} from './test-channel.ts'
import {wordWeights} from './word-weights.ts'

const options = {priorVariance: 0.1, stepLimit: 8, wordShare: 0.3, sigmas: 3}

test('heldOutScores(...) scores each document by what is learned from the other parts alone', () => {
  const {corpus, rates} = drawDocuments(71, 400, 4, 20)
  const found = heldOutScores(corpus, rates.prevalence, {...options, folds: 3, seed: 5})
  for (const fold of [0, 1, 2]) {
    const isHeld = (key: string) => Math.floor(3 * hashShare(key, 5)) === fold
    const rest = {...corpus, documents: corpus.documents.filter(({key}) => !isHeld(key))}
    expect(rest.documents.length).toBeLessThan(400)
    const centre = wordWeights(countCorpus(rest), rates.prevalence, options)
    const weights = anchorWords(rest, centre, new Uint8Array(rest.documents.length).fill(1), options)
    corpus.documents.forEach(({key, evidence}, d) => {
      if (!isHeld(key)) return
      const scores = new Float64Array(4)
      addScores(weights, evidence.words, scores)
      scores.forEach((score, i) => {
        expect(found[4 * d + i]).toBeCloseTo(score, 8)
      })
    })
  }
})

test('heldOutScores(...) gives a document the same scores wherever it stands', () => {
  const {corpus, rates} = drawDocuments(72, 200, 3, 12)
  const places = shuffled(
    corpus.documents.map((_, d) => d),
    rng(3)
  )
  const moved = {...corpus, documents: places.map(d => corpus.documents[d])}
  const [once, again] = [corpus, moved].map(one =>
    heldOutScores(one, rates.prevalence, {...options, folds: 2, seed: 0})
  )
  places.forEach((d, place) => {
    for (let i = 0; i < 3; i++) expect(again[3 * place + i]).toBeCloseTo(once[3 * d + i], 8)
  })
})

test('anchorWords(...) moves the weights further from those of the counts, the less they are pulled', () => {
  const {corpus, counts, rates} = drawDocuments(73, 600, 3, 12)
  const centre = wordWeights(counts, rates.prevalence, options)
  const used = new Uint8Array(600).fill(1)
  const distance = (priorVariance: number) =>
    anchorWords(corpus, centre, used, {...options, priorVariance}).reduce(
      (sum, w, at) => sum + (w - centre[at]) ** 2,
      0
    )
  expect(distance(0.001)).toBeLessThan(distance(0.03))
  expect(distance(0.03)).toBeLessThan(distance(1))
})
