import {expect, test} from 'vitest'
import {countCorpus} from '../../read/counts/index.ts'
import {drawDocuments, mean} from './test-documents.ts'
import {countErrors, weightsFromCounts} from './weights-from-counts.ts'

const standard = {wordShare: 0.3, sigmas: 3}

test('weightsFromCounts(...) equals the formula written out document by document', () => {
  const {corpus, counts, rates} = drawDocuments(11, 800)
  const n = 40
  const N = corpus.documents.length
  const found = weightsFromCounts(counts, rates.prevalence, standard)
  let speaking = 0
  for (let i = 0; i < 6; i++)
    for (let j = 0; j < n; j++) {
      const anchor = corpus.documents.map(({anchors}) => +anchors.includes(i))
      const word = corpus.documents.map(({words}) => +words.includes(j))
      const [a, x] = [mean(anchor), mean(word)]
      const covariance = mean(anchor.map((value, d) => (value - a) * (word[d] - x)))
      const z2 = (N * covariance ** 2) / (a * (1 - a) * x * (1 - x))
      const difference = (covariance / a) * Math.max(0, 1 - 9 / z2)
      const p = rates.prevalence[i]
      const inside = (chance: number) => Math.min(Math.max(chance, 0.1 * x), 1 - 0.1 * (1 - x))
      const ratio = inside(x + difference) / inside(x - (difference * p) / (1 - p))
      expect(found[i * n + j]).toBeCloseTo(x > 0 && z2 > 0 ? 0.3 * Math.log(ratio) : 0, 12)
      if (found[i * n + j] !== 0) speaking++
    }
  expect(speaking).toBeGreaterThan(10)
  expect(speaking).toBeLessThan(120)
})

test('weightsFromCounts(...) grow with the share of each word, and fewer words speak under more sigmas', () => {
  const {counts, rates} = drawDocuments(12, 800)
  const whole = weightsFromCounts(counts, rates.prevalence, {...standard, wordShare: 1})
  const part = weightsFromCounts(counts, rates.prevalence, standard)
  part.forEach((weight, at) => {
    expect(weight).toBeCloseTo(0.3 * whole[at], 12)
  })
  const strict = weightsFromCounts(counts, rates.prevalence, {...standard, sigmas: 6})
  strict.forEach((weight, at) => {
    expect(Math.abs(weight)).toBeLessThanOrEqual(Math.abs(part[at]))
  })
  expect(strict.filter(w => w !== 0).length).toBeLessThan(part.filter(w => w !== 0).length)
})

test('countErrors(...) are the spread of weights over corpora of the same kind', () => {
  const {corpus, rates} = drawDocuments(13, 40_000)
  const size = 1000
  const drawn = Array.from({length: 40}, (_, k) =>
    countCorpus({...corpus, documents: corpus.documents.slice(size * k, size * (k + 1))})
  )
  const weights = drawn.map(counts => weightsFromCounts(counts, rates.prevalence, standard))
  const errors = drawn.map(counts => countErrors(counts, rates.prevalence, standard))
  const ratios: number[] = []
  for (let at = 0; at < weights[0].length; at++) {
    const own = weights.map(list => list[at])
    const centre = mean(own)
    const squares = mean(errors.map(error => error(at) ** 2))
    if (Math.abs(centre) > 0.1) ratios.push(mean(own.map(w => (w - centre) ** 2)) / squares)
  }
  expect(ratios.length).toBeGreaterThan(50)
  // The shares of anchors and words, taken as fixed, vary too and cancel a part: the errors are a sixth too wide here. The mean of
  // these ratios has a standard error of at most sqrt(2 / 39), that of a single one.
  expect(Math.abs(mean(ratios) - 6 / 7)).toBeLessThan(Math.sqrt(2 / 39))
})
