import {log, type Rng, rng} from '../../base/numeric/index.ts'
import type {Corpus, CorpusDocument} from '../../read/data/index.ts'
import {createInference} from '../inference/index.ts'
import {type Model, sampleShare} from '../model/index.ts'
import {bestThreshold} from '../words/index.ts'

/** How word weights and noisy-or links compare on labelled documents. */
export interface WordChoice {
  readonly chosen: 'weights' | 'noisy-or'
  /** Documents labelled with all concepts. */
  readonly documents: number
  /** F1 over all decisions on them, each at its own threshold. */
  readonly weightsF1: number
  readonly linksF1: number
  /** How sure it is that the links are better, as the share of resamplings of these documents. */
  readonly confidence: number
}

/** With fewer labelled documents there is no choice. */
const LEAST_DOCUMENTS = 50
/** The links replace word weights only where they are better beyond doubt. */
const NEEDED_CONFIDENCE = 0.95
const REPLICATES = 1000
/** Enough for a threshold: more would hardly move it. */
const THRESHOLD_DOCUMENTS = 1000

/**
 * The model with the word model that does better on labelled documents, and the evidence; undefined without a choice. Word
 * weights are better on text, noisy-or links where features are few and each has its own causes (docs/words.md).
 */
export function chooseWords(
  model: Model,
  {documents}: Corpus,
  seed: number
): {readonly wordModel: Model['wordModel']; readonly certificate: WordChoice} | undefined {
  const {wordModel} = model
  const labelled = documents.filter(({labels}) => labels !== undefined && !labels.includes(-1))
  if (wordModel.kind === 'noisy-or' || labelled.length < LEAST_DOCUMENTS) return undefined
  const links = createInference(model, {wordModel: 'noisy-or'})
  const threshold = expectedBest(documents, document => links.posterior(document).probabilities, seed)
  const weights = createInference(model)
  const byWeights = labelled.map(one => outcome(one, weights.posterior(one).probabilities, wordModel.threshold))
  const byLinks = labelled.map(one => outcome(one, links.posterior(one).probabilities, threshold))
  const random = rng(seed).stream('choice of words')
  const confidence = shareBetter(byLinks, byWeights, random)
  const chosen = confidence >= NEEDED_CONFIDENCE ? 'noisy-or' : 'weights'
  return {
    wordModel: chosen === 'weights' ? wordModel : {kind: 'noisy-or', threshold},
    certificate: {
      chosen,
      documents: labelled.length,
      weightsF1: f1(byWeights),
      linksF1: f1(byLinks),
      confidence
    }
  }
}

/** The threshold with the highest F1 that the probabilities themselves expect. */
function expectedBest(
  documents: readonly CorpusDocument[],
  posterior: (document: CorpusDocument) => ArrayLike<number>,
  seed: number
): number {
  const some = documents
    .toSorted((a, b) => sampleShare(a.key, seed) - sampleShare(b.key, seed))
    .slice(0, THRESHOLD_DOCUMENTS)
  const columns = some.map(document => Float64Array.from(posterior(document)))
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
