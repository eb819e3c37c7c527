/** Chooses between word weights and the paper's noisy-or links, by the anchors of held-out documents. */

import {goldenSection, log, logit, sigmoid} from '../base/numeric/index.ts'
import {countCorpus} from '../read/counts/index.ts'
import {type Corpus, type CorpusDocument, withConcepts} from '../read/data/index.ts'
import {type FitControl, fit} from './fit.ts'
import {createInference} from './inference/index.ts'
import {anchorsWithRates, type Model, sampleShare} from './model/index.ts'
import type {FitOptions} from './options.ts'
import {bestThreshold, matchMean, meanOf} from './robust/index.ts'

/** Fewer documents are too little evidence for a decision, and more would not change it. */
const MIN_DOCUMENTS = 600
const MAX_DOCUMENTS = 3000
/** The links replace word weights if their log-likelihood is higher by more than this many standard errors. */
const NEEDED_ERRORS = 3
/** The largest slope of anchors on the concepts' log-odds that is tried, and the width at which its search ends. */
const MAX_SLOPE = 8
const SLOPE_WIDTH = 0.02
/** Probabilities are kept this far from 0 and 1: noisy-or links can give exactly 1, with infinite log-odds. */
const PROBABILITY_FLOOR = 1e-9

/** The choice of word weights or noisy-or links, and its evidence. */
export interface WordChoice {
  readonly chosen: 'weights' | 'noisy-or'
  /** The log-likelihood of held-out anchors by either word model, in nats per document, and the difference's standard error. */
  readonly anchors: Readonly<Record<'documents' | 'weights' | 'links' | 'standardError', number>>
}

/**
 * Returns the word model that predicts held-out anchors better, and the evidence; undefined with too few documents. Word
 * weights are better on text, noisy-or links where features are few and each has its own causes (docs/words.md).
 *
 * A model is fitted by the same options to two thirds of the documents, and predicts the anchors of the others.
 */
export async function chooseWords(
  model: Model,
  given: Corpus,
  options: FitOptions,
  control: Pick<FitControl, 'signal' | 'clock' | 'wasmUrl'>
): Promise<{readonly wordModel: Model['wordModel']; readonly certificate: WordChoice} | undefined> {
  const {wordModel, lexicon, seed} = model
  const {documents} = withConcepts(given, lexicon)
  // Links cannot replace the weights of votes, since they do not count votes one by one.
  if (wordModel.kind === 'noisy-or' || wordModel.votes !== undefined || documents.length < MIN_DOCUMENTS)
    return undefined
  const drawn = documents.toSorted((a, b) => sampleShare(a.key, seed) - sampleShare(b.key, seed))
  const sampled = drawn.slice(0, MAX_DOCUMENTS)
  const third = Math.floor(sampled.length / 3)
  const training = {lexicon: {...lexicon, anchors: anchorsWithRates(model)}, documents: sampled.slice(third)}
  const asked = {...options, noise: 'given', words: 'weights', skipBadAnchors: false} as const
  const refitted = await fit(countCorpus(training), asked, {...control, documents: training})
  if (refitted.wordModel.kind === 'noisy-or') return undefined
  const anchors = compareByAnchors(refitted, sampled.slice(0, third))
  if (anchors.links - anchors.weights <= NEEDED_ERRORS * anchors.standardError)
    return {wordModel, certificate: {chosen: 'weights', anchors}}
  const links = createInference(model, {wordModel: 'noisy-or'})
  const threshold = bestThreshold(sampled.map(document => links.posterior(document).probabilities))
  return {wordModel: {kind: 'noisy-or', threshold}, certificate: {chosen: 'noisy-or', anchors}}
}

/** Compares word weights and links by the log-likelihood of the anchors of held-out documents. */
function compareByAnchors(model: Model, documents: readonly CorpusDocument[]): WordChoice['anchors'] {
  const [weights, links] = (['model', 'noisy-or'] as const).map(wordModel => {
    const inference = createInference(model, {wordModel, anchors: 'hidden'})
    const chances = documents.map(document => inference.posterior(document).probabilities)
    return anchorLikelihoods(model, documents, chances)
  })
  const gains = links.map((value, d) => value - weights[d])
  const gain = meanOf(gains)
  const standardError = Math.sqrt(meanOf(gains.map(value => (value - gain) ** 2)) / (gains.length - 1))
  return {documents: documents.length, weights: meanOf(weights), links: meanOf(links), standardError}
}

/**
 * Returns sum_i log P(A_i | words) of each document, where P(A_i = 1 | words) = e + (t - e) sigmoid(c + slope logit q_i) for the
 * probabilities q of concepts given the words. On text, words predict anchors better than they predict concepts, so evidence that
 * is right for concepts is too weak for anchors. The slope is therefore the maximum-likelihood one, by golden section, and each c
 * makes the mean of the sigmoid the concept's prevalence.
 */
function anchorLikelihoods(
  {concepts}: Pick<Model, 'concepts'>,
  documents: readonly Pick<CorpusDocument, 'anchors'>[],
  chances: readonly ArrayLike<number>[]
): Float64Array {
  const scores = concepts.map((_, i) => Float64Array.from(chances, own => logit(own[i], PROBABILITY_FLOOR)))
  const fired = concepts.map((_, i) => documents.map(({anchors}) => anchors.includes(i)))
  const evaluate = (slope: number) => {
    const likelihoods = new Float64Array(documents.length)
    concepts.forEach(({truePositive: t, falsePositive: e, prevalence}, i) => {
      const logOdds = scores[i].map(score => slope * score)
      const shift = matchMean(logOdds, prevalence)
      for (let d = 0; d < logOdds.length; d++) {
        const chance = e + (t - e) * sigmoid(logOdds[d] + shift)
        likelihoods[d] += log(fired[i][d] ? chance : 1 - chance)
      }
    })
    return {at: slope, value: meanOf(likelihoods), likelihoods}
  }
  const {low, high} = goldenSection(evaluate, [0, MAX_SLOPE], SLOPE_WIDTH)
  return evaluate((low + high) / 2).likelihoods
}
