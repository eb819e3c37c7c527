import {expect, test} from 'vitest'
import {exp, goldenSection, hashShare, log1p} from '../../base/numeric/index.ts'
import {countCorpus} from '../../read/counts/index.ts'
import {drawDocuments} from './test-documents.ts'
import {weightsFromCounts} from './weights-from-counts.ts'
import {heldOutScores, type RegressionTask, regressWords, scoreDocuments} from './word-regression.ts'
import {documentScale, learnScale} from './word-weights.ts'

const {corpus, counts, rates} = drawDocuments(21, 300)
const [m, n] = [6, 40]
const scale = learnScale(counts)
const task: RegressionTask = {prevalence: rates.prevalence, scale, classes: new Set()}
const untagged = {...corpus, documents: corpus.documents.map(document => ({...document, labels: undefined}))}

test('learnScale(...) has idf by its formula, and the typical length that documents have', () => {
  const documentsWith = (j: number) => corpus.documents.filter(({words}) => words.includes(j)).length
  scale.idf.forEach((idf, j) => {
    const found = documentsWith(j)
    expect(idf).toBeCloseTo(found < 3 ? 0 : Math.log(301 / (1 + found)) + 1, 3)
  })
  const lengths = corpus.documents.map(({words}) => words.reduce((sum, j) => sum + scale.idf[j] ** 2, 0))
  expect(scale.typical ** 2).toBeCloseTo(lengths.reduce((sum, length) => sum + length, 0) / 300, 8)
  const long = lengths.findIndex(length => length > 0)
  const {words} = corpus.documents[long]
  expect(documentScale(scale, words)).toBeCloseTo(scale.typical / Math.sqrt(lengths[long]), 12)
  expect(documentScale(scale, [])).toBe(1)
})

test('regressWords(...) is at the minimum of its objective, written out, where no single weight can lower it', () => {
  const {weights} = regressWords(untagged, task)
  const centre = weightsFromCounts(countCorpus(untagged), rates.prevalence, 0.2)
  const objective = (i: number, row: ArrayLike<number>, bias: number) => {
    let value = 0
    for (let j = 0; j < n; j++) {
      const variance = (0.1 * scale.idf[j] ** 2) / scale.usualIdf ** 2
      if (variance > 0) value += (row[j] - centre[i * n + j]) ** 2 / (2 * variance)
    }
    for (const {words, anchors} of corpus.documents) {
      const z = bias + documentScale(scale, words) * words.reduce((sum, j) => sum + row[j], 0)
      value += Math.max(z, 0) + log1p(exp(-Math.abs(z))) - (anchors.includes(i) ? z : 0)
    }
    return value
  }
  weights.forEach((row, i) => {
    // The bias is not returned: the best one, by golden section.
    const at = (bias: number) => ({at: bias, value: -objective(i, row, bias)})
    const bias = goldenSection(at, [-10, 5], 1e-4).low
    const least = objective(i, row, bias)
    for (const j of [0, 7, 21, 39].filter(word => scale.idf[word] > 0))
      for (const change of [-0.1, 0.1]) expect(objective(i, row.with(j, row[j] + change), bias)).toBeGreaterThan(least)
  })
})

test('regressWords(...) adds what 30 labelled documents teach, and nothing from 29 or for classes', () => {
  const labelled = (count: number) => ({
    ...corpus,
    documents: corpus.documents.map((document, d) => (d < count ? document : {...document, labels: undefined}))
  })
  const plain = regressWords(untagged, task).weights
  expect(regressWords(labelled(29), task).weights).toEqual(plain)
  const taught = regressWords(labelled(30), {...task, classes: new Set([1])}).weights
  expect(taught[1]).toEqual(plain[1])
  expect(taught[0]).not.toEqual(plain[0])
})

test('heldOutScores(...) scores each document by what is learned from the other folds alone', () => {
  const held = heldOutScores(untagged, task, 3)
  const foldOf = (key: string) => Math.floor(3 * hashShare(key, 3))
  expect(held?.documents).toHaveLength(300)
  const [first] = held?.documents ?? []
  const others = untagged.documents.filter(({key}) => foldOf(key) !== foldOf(first.key))
  const {weights} = regressWords({...untagged, documents: others}, task)
  const expected = scoreDocuments({...untagged, documents: [first]}, weights, scale)
  expect(held?.scores.slice(0, m)).toEqual(expected)
  expect(heldOutScores({...untagged, documents: untagged.documents.slice(0, 2)}, task, 3)).toBeUndefined()
})
