import {log, logit, type Rng, rng} from '../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../read/data/index.ts'
import {createInference} from './inference/index.ts'
import {type Model, sampleShare} from './model/index.ts'
import {anchorLogLikelihoods, bestThreshold, likeliestSlope} from './robust/index.ts'

/** Why a model predicts with word weights or with noisy-or links. */
export interface WordChoice {
  readonly chosen: 'weights' | 'noisy-or'
  /** How well each predicts held-out anchors from words; undefined with too few documents. */
  readonly anchors?: AnchorComparison
  /** How well each does on labelled documents; undefined with too few labels. */
  readonly labels?: LabelComparison
}

/** The log-likelihood of the anchors of documents that neither word model was learned from, in nats per document. */
export interface AnchorComparison {
  readonly documents: number
  readonly weights: number
  readonly links: number
  /** Of the difference. */
  readonly standardError: number
}

export interface LabelComparison {
  /** Documents labelled with all concepts. */
  readonly documents: number
  /** F1 over all decisions on them, each at its own threshold. */
  readonly weightsF1: number
  readonly linksF1: number
  /** How sure it is that the links are better, as the share of resamplings of these documents. */
  readonly confidence: number
}

/** With fewer labelled documents there is no comparison by labels. */
const LEAST_LABELLED = 50
/** Labels overrule the anchors only beyond doubt. */
const NEEDED_CONFIDENCE = 0.95
const REPLICATES = 1000
/** Enough for a threshold: more would hardly move it. */
const THRESHOLD_DOCUMENTS = 1000
/** With fewer documents there is no comparison by anchors, and with more the first ones decide. */
const LEAST_DOCUMENTS = 600
const MOST_DOCUMENTS = 3000
/** The links replace word weights where they are better by this many standard errors. */
const NEEDED_ERRORS = 3

/**
 * The model with the word model that does better, and the evidence; undefined where there is none. Word weights are better
 * on text, noisy-or links where features are few and each has its own causes (docs/words.md).
 *
 * `fitAgain` learns a model of the same kind from some of the documents; the anchors of the others are predicted.
 */
export async function chooseWords(
  model: Model,
  {documents}: Corpus,
  {seed, fitAgain}: {readonly seed: number; readonly fitAgain: (documents: readonly CorpusDocument[]) => Promise<Model>}
): Promise<{readonly wordModel: Model['wordModel']; readonly certificate: WordChoice} | undefined> {
  const {wordModel} = model
  // Links do not count votes one by one.
  if (wordModel.kind === 'noisy-or' || wordModel.votes !== undefined) return undefined
  const anchors = await compareByAnchors(documents, seed, fitAgain)
  const links = createInference(model, {wordModel: 'noisy-or'})
  const threshold = () => expectedBest(documents, document => links.posterior(document).probabilities, seed)
  const labels = compareByLabels(model, wordModel.threshold, documents, threshold, seed)
  if (anchors === undefined && labels === undefined) return undefined
  const byAnchors = anchors !== undefined && anchors.links - anchors.weights > NEEDED_ERRORS * anchors.standardError
  const isLinks = byAnchors ? !(labels && labels.confidence <= 1 - NEEDED_CONFIDENCE) : isSure(labels)
  return {
    wordModel: isLinks ? {kind: 'noisy-or', threshold: threshold()} : wordModel,
    certificate: {chosen: isLinks ? 'noisy-or' : 'weights', ...(anchors && {anchors}), ...(labels && {labels})}
  }
}

function isSure(labels: LabelComparison | undefined): boolean {
  return labels !== undefined && labels.confidence >= NEEDED_CONFIDENCE
}

/**
 * Both word models, learned from two thirds of the documents, predict the anchors of the others from words alone. On text,
 * words predict anchors better than concepts, and evidence that is right for concepts is too weak for anchors: each word
 * model is compared at the strength that suits anchors best ({@link likeliestSlope}).
 */
async function compareByAnchors(
  documents: readonly CorpusDocument[],
  seed: number,
  fitAgain: (documents: readonly CorpusDocument[]) => Promise<Model>
): Promise<AnchorComparison | undefined> {
  if (documents.length < LEAST_DOCUMENTS) return undefined
  const some = firstBySeed(documents, seed, MOST_DOCUMENTS)
  const third = Math.floor(some.length / 3)
  const [held, rest] = [some.slice(0, third), some.slice(third)]
  const again = await fitAgain(rest)
  if (again.wordModel.kind === 'noisy-or') return undefined
  const weights = anchorLikelihoods(again, held, 'model')
  const links = anchorLikelihoods(again, held, 'noisy-or')
  const gains = links.map((value, d) => value - weights[d])
  const gain = meanOf(gains)
  const variance = gains.reduce((sum, value) => sum + (value - gain) ** 2, 0) / (gains.length - 1)
  return {
    documents: held.length,
    weights: meanOf(weights),
    links: meanOf(links),
    standardError: Math.sqrt(variance / gains.length)
  }
}

/** The log-likelihood of the anchors of each document. */
function anchorLikelihoods(model: Model, documents: readonly CorpusDocument[], wordModel: 'model' | 'noisy-or') {
  const {concepts} = model
  const inference = createInference(model, {wordModel, anchors: 'hidden'})
  const beliefs = documents.map(document => inference.posterior(document).probabilities)
  const ones = new Float64Array(documents.length).fill(1)
  const samples = concepts.map(({prevalence}, i) => {
    const prior = logit(prevalence)
    return {
      others: ones.map(() => prior),
      scores: Float64Array.from(beliefs, chances => logit(chances[i], CHANCE_FLOOR) - prior),
      weights: ones,
      fired: Uint8Array.from(documents, ({anchors}) => (anchors.includes(i) ? 1 : 0))
    }
  })
  const rates = {
    truePositive: Float64Array.from(concepts, ({truePositive}) => truePositive),
    falsePositive: Float64Array.from(concepts, ({falsePositive}) => falsePositive),
    prevalence: Float64Array.from(concepts, ({prevalence}) => prevalence)
  }
  return anchorLogLikelihoods(samples, rates, likeliestSlope(samples, rates))
}

/** Links may be certain of a concept. */
const CHANCE_FLOOR = 1e-9

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function compareByLabels(
  model: Model,
  weightThreshold: number,
  documents: readonly CorpusDocument[],
  linkThreshold: () => number,
  seed: number
): LabelComparison | undefined {
  const labelled = documents.filter(({labels}) => labels !== undefined && !labels.includes(-1))
  if (labelled.length < LEAST_LABELLED) return undefined
  const outcomes = (wordModel: 'model' | 'noisy-or', threshold: number) => {
    const inference = createInference(model, {wordModel})
    return labelled.map(one => outcome(one, inference.posterior(one).probabilities, threshold))
  }
  const byWeights = outcomes('model', weightThreshold)
  const byLinks = outcomes('noisy-or', linkThreshold())
  const confidence = shareBetter(byLinks, byWeights, rng(seed).stream('choice of words'))
  return {documents: labelled.length, weightsF1: f1(byWeights), linksF1: f1(byLinks), confidence}
}

function firstBySeed(documents: readonly CorpusDocument[], seed: number, count: number): CorpusDocument[] {
  return documents.toSorted((a, b) => sampleShare(a.key, seed) - sampleShare(b.key, seed)).slice(0, count)
}

/** The threshold with the highest F1 that the probabilities themselves expect. */
function expectedBest(
  documents: readonly CorpusDocument[],
  posterior: (document: CorpusDocument) => ArrayLike<number>,
  seed: number
): number {
  const columns = firstBySeed(documents, seed, THRESHOLD_DOCUMENTS).map(document =>
    Float64Array.from(posterior(document))
  )
  return bestThreshold(
    columns,
    columns.map(column => new Float64Array(column.length).fill(1))
  ).threshold
}

/** Hits, and reports and present concepts together: F1 is twice the one over the other. */
interface Outcome {
  readonly hits: number
  readonly both: number
}

function outcome({labels}: CorpusDocument, probabilities: ArrayLike<number>, threshold: number): Outcome {
  let [hits, both] = [0, 0]
  labels?.forEach((label, i) => {
    const isReported = probabilities[i] >= threshold
    if (isReported && label === 1) hits++
    both += (isReported ? 1 : 0) + label
  })
  return {hits, both}
}

function f1(outcomes: readonly Outcome[], weights?: ArrayLike<number>): number {
  let [hits, both] = [0, 0]
  outcomes.forEach((one, at) => {
    const weight = weights?.[at] ?? 1
    hits += weight * one.hits
    both += weight * one.both
  })
  return both > 0 ? (2 * hits) / both : 0
}

/** The share of random weightings of the documents (the Bayesian bootstrap) in which the first has the higher F1. */
function shareBetter(first: readonly Outcome[], second: readonly Outcome[], random: Rng): number {
  let better = 0
  for (let replicate = 0; replicate < REPLICATES; replicate++) {
    const weights = Float64Array.from(first, () => -log(1 - random.next()))
    if (f1(first, weights) > f1(second, weights)) better++
  }
  return better / REPLICATES
}
