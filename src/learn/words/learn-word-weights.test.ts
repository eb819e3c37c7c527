import {expect, test} from 'vitest'
import {rng, shuffled} from '../../base/numeric/index.ts'
import {encodeCorpus} from '../../read/data/index.ts'
import {createInference} from '../inference/index.ts'
import {learnPairs} from '../structure/index.ts'
import {anchorFacts} from './calibrate-weights.ts'
import {learnWordWeights} from './learn-word-weights.ts'
import {type Drawn, drawDocuments, mean} from './test-documents.ts'
import type {WordWeights} from './word-weights.ts'

/** Mean squared distance of some probabilities from the truth, and from the exact posterior. */
function judge({model, corpus}: Drawn, posterior: (d: number) => ArrayLike<number>) {
  const exact = createInference(model, {method: 'exact'})
  const [truth, distance]: [number[], number[]] = [[], []]
  corpus.documents.forEach((document, d) => {
    const found = posterior(d)
    const best = exact.posterior(document).probabilities
    document.labels?.forEach((tag, i) => {
      truth.push((found[i] - tag) ** 2)
      distance.push(Math.abs(found[i] - best[i]))
    })
  })
  return {brier: mean(truth), distance: mean(distance)}
}

test('learnWordWeights(...) matches the mean probability of each concept to the rates, where its anchor fired and where not', () => {
  const {model, corpus, counts, rates} = drawDocuments(51, 1500)
  const wordModel = learnWordWeights(counts, rates, model.network, corpus)
  const inference = createInference({...model, wordModel})
  const posteriors = corpus.documents.map(document => inference.posterior(document).probabilities)
  anchorFacts(rates).forEach(({precision, missed}, i) => {
    const where = (fired: boolean) =>
      posteriors.filter((_, d) => corpus.documents[d].anchors.includes(i) === fired).map(row => row[i])
    expect(mean(where(true))).toBeCloseTo(precision, 7)
    // Depends on the other concepts: rounds stop when no constant moves by more than .02.
    expect(Math.abs(mean(where(false)) - missed)).toBeLessThan(0.005)
  })
})

test('learnWordWeights(...) matches the mean probability to the prevalence also where anchors are hidden, but for the residual it states', () => {
  const {model, corpus, counts, rates} = drawDocuments(57, 800)
  const wordModel = learnWordWeights(counts, rates, model.network, corpus)
  const {residual} = wordModel.certificate
  const {posterior} = createInference({...model, wordModel}, {anchors: 'hidden'})
  const posteriors = corpus.documents.map(document => posterior(document).probabilities)
  rates.prevalence.forEach((prevalence, i) => {
    expect(Math.abs(mean(posteriors.map(row => row[i])) - prevalence)).toBeLessThanOrEqual(residual + 1e-9)
  })
  // Six rounds; the ties of these concepts are strong.
  expect(residual).toBeLessThan(0.01)
})

test('learnWordWeights(...) reports its progress, and stops when it is cancelled', () => {
  const {model, corpus, counts, rates} = drawDocuments(58, 100)
  const told: number[] = []
  learnWordWeights(counts, rates, model.network, corpus, {}, {onProgress: (done, all) => told.push(done / all)})
  expect(told).toHaveLength(6)
  expect(told.at(-1)).toBe(1)
  const signal = AbortSignal.abort()
  expect(() => learnWordWeights(counts, rates, model.network, corpus, {}, {signal})).toThrow(/cancel/i)
})

test('learnWordWeights(...) comes near the exact posterior of new documents where the noisy-or model holds', () => {
  const drawn = drawDocuments(52, 6000)
  const fresh = {...drawn, corpus: {...drawn.corpus, documents: drawn.corpus.documents.slice(4000)}}
  const known = {...drawn.corpus, documents: drawn.corpus.documents.slice(0, 4000)}
  const judged = (wordModel: WordWeights) => {
    const inference = createInference({...drawn.model, wordModel})
    return judge(fresh, d => inference.posterior(fresh.corpus.documents[d]).probabilities)
  }
  const exactly = (words: 'used' | 'hidden') => {
    const inference = createInference(drawn.model, {method: 'exact', words})
    return judge(fresh, d => inference.posterior(fresh.corpus.documents[d]).probabilities)
  }
  const [best, withoutWords] = [exactly('used'), exactly('hidden')]
  const full = judged(learnWordWeights(drawn.counts, drawn.rates, drawn.model.network, known))
  const few = judged(learnWordWeights(drawn.counts, drawn.rates, drawn.model.network, undefined))
  // Words are tempered for real text, so it cannot be exact here: it is about half of the way from exact anchors to exact everything.
  expect(full.brier - best.brier).toBeLessThan(0.55 * (withoutWords.brier - best.brier))
  expect(full.distance).toBeLessThan(0.7 * withoutWords.distance)
  expect(few.brier).toBeGreaterThan(full.brier)
  expect(few.brier - best.brier).toBeLessThan(0.7 * (withoutWords.brier - best.brier))
})

test('learnWordWeights(...) does not depend on the order of the documents, nor on when it is called', () => {
  const {model, corpus, counts, rates} = drawDocuments(53, 400)
  const once = learnWordWeights(counts, rates, model.network, corpus)
  expect(learnWordWeights(counts, rates, model.network, corpus)).toEqual(once)
  const other = learnWordWeights(counts, rates, model.network, {
    ...corpus,
    documents: shuffled(corpus.documents, rng(1))
  })
  const numbers = ({weights, silent, fired, hidden, threshold}: WordWeights) =>
    [weights, silent, fired, hidden, threshold].flat(2)
  numbers(other).forEach((value, at) => {
    expect(value).toBeCloseTo(numbers(once)[at], 6)
  })
})

test('learnWordWeights(...) is plain data: JSON brings back the same weights', () => {
  const {model, corpus, counts, rates} = drawDocuments(54, 300)
  const wordModel = learnWordWeights(counts, rates, model.network, corpus)
  expect(JSON.parse(JSON.stringify(wordModel))).toEqual(wordModel)
})

test('learnWordWeights(...) without steps has the weights of the counts, and the same constants but for the sample', () => {
  const {model, corpus, counts, rates} = drawDocuments(55, 600)
  const few = learnWordWeights(counts, rates, model.network, undefined)
  const {weights, certificate, fired} = learnWordWeights(counts, rates, model.network, corpus, {stepLimit: 0})
  expect(few.certificate).toMatchObject({source: 'counts', documents: 600})
  expect(certificate).toMatchObject({source: 'documents', documents: 600})
  expect(weights).toEqual(few.weights)
  few.fired.forEach((constant, i) => {
    // A few dozen documents have each anchor, and scores of the counts are drawn around the mean of each pattern.
    expect(Math.abs(constant - fired[i])).toBeLessThan(0.3)
  })
})

test('learnWordWeights(...) takes pairs as its network, and their strength into account', () => {
  const {model, corpus, counts, rates} = drawDocuments(59, 1500)
  const {network} = learnPairs(counts, rates)
  const wordModel = learnWordWeights(counts, rates, network, corpus)
  const inference = createInference({...model, network, wordModel})
  const posteriors = corpus.documents.map(document => inference.posterior(document).probabilities)
  anchorFacts(rates).forEach(({missed}, i) => {
    const silent = posteriors.filter((_, d) => !corpus.documents[d].anchors.includes(i)).map(row => row[i])
    expect(Math.abs(mean(silent) - missed)).toBeLessThan(0.005)
  })
})

test('learnWordWeights(...) refuses rates, documents and options that do not fit', () => {
  const {model, corpus, counts, rates} = drawDocuments(56, 100)
  const short = {...rates, prevalence: rates.prevalence.slice(1)}
  expect(() => learnWordWeights(counts, short, model.network, undefined)).toThrow(
    /needs rates for all 6 anchors; got 5/
  )
  const foreign = encodeCorpus([], {...corpus.lexicon, words: ['other']})
  expect(() => learnWordWeights(counts, rates, model.network, foreign)).toThrow(
    /lexicon of the counts \(6 concepts, 40 words\); got 6 concepts, 1 words/
  )
  expect(() => learnWordWeights(counts, rates, model.network, {...corpus, documents: []})).toThrow(
    /got an empty corpus/
  )
  for (const [name, value] of [
    ['wordShare', 1.5],
    ['sigmas', -1],
    ['priorVariance', 0],
    ['stepLimit', 0.5],
    ['heldOut', 1],
    ['seed', 0.5]
  ])
    expect(() => learnWordWeights(counts, rates, model.network, corpus, {[name]: value})).toThrow(
      new RegExp(`\`${name}\` must be .*; got ${value}`)
    )
  expect(() => learnWordWeights(counts, rates, model.network, corpus, {sigma: 3} as object)).toThrow(
    /did you mean "sigmas"/
  )
})
